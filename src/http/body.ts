import { NodeError } from "../core/errors.ts";
import { CostlyJSONError, parseBoundedJSON } from "../core/json-cost.ts";

/** For the whole body, however steadily it drips in: 262,144 bytes need 70 kbit/s. */
const WHOLE_BODY_MS = 30_000;

/**
 * A request's JSON body, or undefined when it is empty (probes send none).
 * @param within_ms time the whole body may take.
 * @throws NodeError body_too_large, body_incomplete, body_too_slow, unsupported_media_type or invalid_parameter
 */
export async function readJSONBody(request: Request, bytes_max: number, within_ms = WHOLE_BODY_MS): Promise<unknown> {
  const tooLarge = () => new NodeError("body_too_large", `The body may have at most ${bytes_max} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > bytes_max) throw tooLarge();
  const bytes = await readBytes(request, within_ms);
  if (bytes.byteLength === 0) return undefined;
  if (bytes.byteLength > bytes_max) throw tooLarge();
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !type.endsWith("+json")) {
    throw new NodeError("unsupported_media_type", "Send the parameters as application/json.");
  }
  return parse(bytes);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseBoundedJSON(bytes);
  } catch (error) {
    const message = error instanceof CostlyJSONError ? `The body ${error.message}.` : "The body is not valid JSON.";
    throw new NodeError("invalid_parameter", message, { param: "body", cause: error });
  }
}

/** What the sender of a body did: nothing of it is our failure, and nobody is to be woken for it. */
async function readBytes(request: Request, within_ms: number): Promise<Uint8Array> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new NodeError("body_too_slow", `The whole body has to arrive within ${within_ms / 1000} seconds.`));
  }, within_ms);
  const whole = request.arrayBuffer().then(
    (bytes) => new Uint8Array(bytes),
    () => {
      throw new NodeError("body_incomplete", "The connection ended before the whole body had arrived.");
    },
  );
  // Once the time is over nobody waits for it any more.
  whole.catch(() => undefined);
  try {
    return await Promise.race([whole, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
