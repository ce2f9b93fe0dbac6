import { NodeError } from "../core/errors.ts";
import { isShallow } from "../core/shallow.ts";

/** Nothing that is sold or paid comes near it. Time to write a value as text grows with the square of its depth. */
const LEVELS_MAX = 256;

/**
 * A request's JSON body, or undefined when it is empty (probes send none).
 * @throws NodeError body_too_large, unsupported_media_type or invalid_parameter
 */
export async function readJSONBody(request: Request, bytes_max: number): Promise<unknown> {
  const tooLarge = () => new NodeError("body_too_large", `The body may have at most ${bytes_max} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > bytes_max) throw tooLarge();
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength === 0) return undefined;
  if (bytes.byteLength > bytes_max) throw tooLarge();
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !type.endsWith("+json")) {
    throw new NodeError("unsupported_media_type", "Send the parameters as application/json.");
  }
  const body = parse(bytes);
  if (isShallow(body, LEVELS_MAX)) return body;
  throw new NodeError("invalid_parameter", `The body may be nested at most ${LEVELS_MAX} levels deep.`, {
    param: "body",
  });
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new NodeError("invalid_parameter", "The body is not valid JSON.", { param: "body", cause: error });
  }
}
