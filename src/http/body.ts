import { NodeError } from "../core/errors.ts";
import { CostlyJSONError, parseBoundedJSON } from "../core/json-cost.ts";

/** For the whole body, however steadily it drips in: 262,144 bytes need 70 kbit/s. */
const WHOLE_BODY_MS = 30_000;

/**
 * A request's JSON body, or undefined when it is empty (probes send none).
 * @param within_ms time the whole body may take.
 * @throws NodeError body_too_large, body_incomplete, body_too_slow, unsupported_media_type or invalid_parameter
 */
export const readJSONBody = async (request: Request, bytes_max: number, within_ms?: number): Promise<unknown> =>
  (await readSentJSON(request, bytes_max, within_ms))?.value;

/** A body, and the bytes it was sent as. */
export interface SentJSON {
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

/** As `readJSONBody`, with the bytes. */
export async function readSentJSON(
  request: Request,
  bytes_max: number,
  within_ms = WHOLE_BODY_MS,
): Promise<SentJSON | undefined> {
  const bytes = await readSentBytes(request, bytes_max, within_ms);
  if (bytes.byteLength === 0) return undefined;
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !type.endsWith("+json")) {
    throw new NodeError("unsupported_media_type", "Send the parameters as application/json.");
  }
  return { value: parse(bytes), bytes };
}

/**
 * The fields of a form, as browsers post it.
 * @throws NodeError as `readJSONBody`.
 */
export async function readFormBody(request: Request, bytes_max: number): Promise<Readonly<Record<string, string>>> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/x-www-form-urlencoded") {
    throw new NodeError("unsupported_media_type", "Send the form as browsers do.");
  }
  const bytes = await readSentBytes(request, bytes_max);
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseBoundedJSON(bytes);
  } catch (error) {
    const message = error instanceof CostlyJSONError ? `The body ${error.message}.` : "The body is not valid JSON.";
    throw new NodeError("invalid_parameter", message, { param: "body", cause: error });
  }
}

interface Reading {
  readonly until_ms: number;
  readonly giveUp: () => void;
}

/** Bodies that are still arriving. One clock looks after all of them: a timer each is memory for every call. */
const readings = new Set<Reading>();
const LOOK_EVERY_MS = 250;
let watch: ReturnType<typeof setInterval> | null = null;

function lookAfter(reading: Reading): void {
  readings.add(reading);
  watch ??= setInterval(() => {
    const now_ms = performance.now();
    for (const one of readings) if (now_ms >= one.until_ms) one.giveUp();
    if (readings.size > 0 || watch === null) return;
    clearInterval(watch);
    watch = null;
  }, LOOK_EVERY_MS);
  watch.unref();
}

/**
 * A request's body as it was sent. It is counted while it arrives, so that one whose length was not stated holds no
 * more memory than one that stated it.
 * @throws NodeError body_too_large, body_incomplete or body_too_slow: nothing of what a sender does is our failure,
 * and nobody is to be woken for it.
 */
export function readSentBytes(request: Request, bytes_max: number, within_ms = WHOLE_BODY_MS): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const end = (error: NodeError): void => {
      readings.delete(reading);
      reject(error);
    };
    const reading: Reading = {
      until_ms: performance.now() + within_ms,
      giveUp: () =>
        end(new NodeError("body_too_slow", `The whole body has to arrive within ${within_ms / 1000} seconds.`)),
    };
    lookAfter(reading);
    readAtMost(request, bytes_max).then(
      (bytes) => {
        readings.delete(reading);
        if (bytes !== null) return resolve(bytes);
        end(new NodeError("body_too_large", `The body may have at most ${bytes_max} bytes.`));
      },
      () => end(new NodeError("body_incomplete", "The connection ended before the whole body had arrived.")),
    );
  });
}

/** The body, or null as soon as it is longer than allowed. */
async function readAtMost(request: Request, bytes_max: number): Promise<Uint8Array | null> {
  const stated = request.headers.get("content-length");
  if (stated !== null && Number(stated) > bytes_max) return null;
  if (stated !== null) {
    // The server itself reads no more than what was stated; a door may have put another body under the same headers.
    const whole = new Uint8Array(await request.arrayBuffer());
    return whole.byteLength > bytes_max ? null : whole;
  }
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(pieces);
    bytes += value.byteLength;
    if (bytes > bytes_max) break;
    pieces.push(value);
  }
  // The rest is not wanted, whatever becomes of it.
  reader.cancel().catch(() => undefined);
  return null;
}
