import type { UpstreamError } from "../core/errors.ts";

const BACKOFF_FIRST_MS = 200;
const BACKOFF_MAX_MS = 2_000;
const JITTER_MS = 200;
/** A longer wait is left to the next request. */
const RETRY_AFTER_WAIT_MAX_MS = 5_000;
const RETRY_AFTER_MAX_MS = 15 * 60_000;

/**
 * Reads a Retry-After header: seconds or an HTTP date (RFC 9110, 10.2.3), as milliseconds from now, at most 15 minutes.
 * Undefined without the header, or if it is invalid.
 */
export function parseRetryAfter(header: string | null, now_ms: number): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const wait_ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now_ms;
  return Number.isNaN(wait_ms) ? undefined : Math.min(RETRY_AFTER_MAX_MS, Math.max(0, wait_ms));
}

/** Whether the same request to the same address may succeed on a retry. */
export const isRetryable = (error: UpstreamError): boolean =>
  error.kind === "upstream_timeout" || error.kind === "upstream_rate_limited" || error.kind === "upstream_unavailable";

/**
 * The wait before round `round` (1 = the first repetition): the time that the upstream asked for, or exponential
 * backoff with full jitter. Null if the wait does not fit into this call.
 */
export function getRetryWait(options: {
  round: number;
  error: UpstreamError;
  remaining_ms: number;
  random: () => number;
}): number | null {
  const { round, error, remaining_ms, random } = options;
  if (error.retry_after_s !== undefined) {
    const asked_ms = error.retry_after_s * 1000;
    // The jitter prevents many nodes from returning at the same moment.
    const wait_ms = Math.ceil(asked_ms + 10 + random() * JITTER_MS);
    return asked_ms <= RETRY_AFTER_WAIT_MAX_MS && wait_ms <= remaining_ms ? wait_ms : null;
  }
  // A 429 without a stated wait is a cool-down of a minute: longer than any call waits.
  if (error.kind === "upstream_rate_limited") return null;
  const wait_ms = random() * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (round - 1));
  return wait_ms <= remaining_ms ? wait_ms : null;
}
