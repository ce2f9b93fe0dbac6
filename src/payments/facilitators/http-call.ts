import { startTimeLimit, systemTimers, type Timers } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { parseJSON } from "../../core/json-values.ts";

/** What became of one HTTP call to a facilitator. */
export type FacilitatorCall =
  /** It answered in full; `body` is undefined when that was not JSON. */
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly body: unknown;
      /** The body as it came; "" when that was no text. */
      readonly text: string;
      /** The header EXTENSION-RESPONSES: what it says of extensions. Null without the header. */
      readonly extensions: string | null;
    }
  /** The request certainly never arrived: connection refused, name not found. */
  | { readonly kind: "unsent"; readonly cause: string }
  /** Everything else: a timeout, a cut connection, a redirect, an answer too long. It may have been acted on. */
  | {
      readonly kind: "failed";
      readonly cause: string;
      /** Where a redirect leads, without its query. */
      readonly location?: string;
    };

export interface FacilitatorCallOptions {
  readonly url: string;
  /** All that are sent. */
  readonly headers: Headers;
  /** JSON that is posted; left out, the call is a GET. */
  readonly body?: string;
  readonly timeout_ms: number;
  /** What ends it; the system's timers unless given. */
  readonly timers?: Timers | undefined;
  /** Told of the heads of its answer, as soon as they came. */
  readonly onHeaders?: ((url: string, headers: Headers) => void) | undefined;
}

/** A /supported of 500 kinds has about 100 kB. */
export const ANSWER_BYTES_MAX = 1_048_576;

/**
 * Calls a facilitator once. Never throws. Redirects are not followed: our headers hold the operator's keys, the body
 * a signed payment. The time limit covers the body too.
 */
export async function callFacilitator(options: FacilitatorCallOptions): Promise<FacilitatorCall> {
  const { url, headers, body, timeout_ms, timers = systemTimers } = options;
  const { signal, end } = startTimeLimit(timers, timeout_ms);
  try {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal,
    });
    options.onHeaders?.(url, response.headers);
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      const location = readLocation(response.headers.get("location"), url);
      const to = location === null ? "" : ` to ${location}`;
      const cause = `a redirect (${status})${to}, which is never followed`;
      return { kind: "failed", cause, ...(location === null ? {} : { location }) };
    }
    const bytes = await readCapped(response);
    if (bytes === null) return { kind: "failed", cause: `an answer over ${ANSWER_BYTES_MAX} bytes` };
    const text = decodeText(bytes);
    return {
      kind: "answered",
      status,
      body: parseJSON(text),
      text,
      extensions: response.headers.get("extension-responses"),
    };
  } catch (error) {
    if (signal.aborted) return { kind: "failed", cause: `no answer in ${timeout_ms} ms` };
    return { kind: wasNeverSent(error) ? "unsent" : "failed", cause: messageOf(error).slice(0, 200) };
  } finally {
    end();
  }
}

/** Longer addresses are not repeated in messages. */
const LOCATION_CHARS_MAX = 80;

/** The address a redirect names, as a message may show it: a query may hold a secret, and a long one says little. */
function readLocation(location: string | null, url: string): string | null {
  if (location === null || !URL.canParse(location, url)) return null;
  const { origin, pathname, protocol } = new URL(location, url);
  const shown = `${origin}${pathname}`;
  return /^https?:$/.test(protocol) && shown.length <= LOCATION_CHARS_MAX ? shown : null;
}

/** Counted after decompression. Null when it is too long. */
async function readCapped(response: Response): Promise<Uint8Array | null> {
  // Most answers are short and say so: their bytes need no reader.
  const stated = response.headers.get("content-encoding") === null ? response.headers.get("content-length") : null;
  if (stated !== null && Number(stated) <= ANSWER_BYTES_MAX) return response.bytes();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > ANSWER_BYTES_MAX) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, size);
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Bytes that are no text are no answer: the caller judges by the status.
    return "";
  }
}

const NEVER_SENT = new Set(["ECONNREFUSED", "ConnectionRefused", "ENOTFOUND", "FailedToOpenSocket"]);

/** Only failures to connect at all count: a reset may come after the request was read. */
const wasNeverSent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && NEVER_SENT.has(String(error.code));
