import type { ProviderDefinition } from "../catalog/provider.ts";
import type { Clock } from "../core/clock.ts";
import { UpstreamError, type UpstreamErrorKind } from "../core/errors.ts";
import type { Address } from "./addresses.ts";
import { type Expectation, parseBody } from "./check-value.ts";
import { readBody } from "./read-body.ts";
import { renderReason } from "./redact-url.ts";
import { parseRetryAfter } from "./retry.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface AttemptOptions {
  readonly provider: ProviderDefinition;
  readonly address: Address;
  /** JSON text; its presence makes the call a POST. */
  readonly body: string | undefined;
  readonly format: "json" | "text";
  readonly expectation: Expectation;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly user_agent: string;
}

export type AttemptResult =
  | { readonly ok: true; readonly value: unknown; readonly chars: number }
  | {
      readonly ok: false;
      readonly error: UpstreamError;
      readonly status?: number;
      /** Whether the address is to blame, so that its breaker counts the failure. */
      readonly counts: boolean;
    };

type Failure = (kind: UpstreamErrorKind, reason: string, retry_after_ms?: number) => AttemptResult;

/** Kinds that say the address is in trouble. The others say that the request or the answer's content is. */
const COUNTED: readonly UpstreamErrorKind[] = ["upstream_timeout", "upstream_rate_limited", "upstream_unavailable"];

function createFailure({ provider, address }: AttemptOptions, status?: number): Failure {
  return (kind, reason, retry_after_ms) => {
    const message = renderReason(`${provider.id}: ${reason}`, address.secrets);
    const wait = retry_after_ms === undefined ? {} : { retry_after_s: Math.ceil(retry_after_ms / 1000) };
    const counts = COUNTED.includes(kind);
    const error = new UpstreamError(kind, provider.id, message, wait);
    return { ok: false, error, counts, ...(status === undefined ? {} : { status }) };
  };
}

/** What a status other than 2xx means, or undefined for 2xx. */
function findStatusFailure(response: Response, fail: Failure, now_ms: number): AttemptResult | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const retry_after_ms = parseRetryAfter(response.headers.get("retry-after"), now_ms);
  if (status < 400) return fail("upstream_bad_response", `status ${status}: redirects are not followed`);
  if (status === 401 || status === 403) return fail("upstream_auth", `status ${status}`);
  if (status === 404) return fail("upstream_not_found", "status 404");
  if (status === 408) return fail("upstream_timeout", "status 408");
  if (status === 429 || status === 418) return fail("upstream_rate_limited", `status ${status}`, retry_after_ms);
  if (status < 500) return fail("upstream_bad_response", `status ${status}`);
  return fail("upstream_unavailable", `status ${status}`, retry_after_ms);
}

function headersOf(options: AttemptOptions): Record<string, string> {
  return {
    accept: options.format === "json" ? "application/json" : "*/*",
    "user-agent": options.user_agent,
    ...(options.body === undefined ? {} : { "content-type": "application/json" }),
    ...options.address.headers,
  };
}

/** Only the code of a network error: its message and fields can hold the full address. */
const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "connection failed";

/** Frees the connection of an answer that is not read. Whether that works does not matter to the call. */
const discard = (response: Response): void => {
  response.body?.cancel().catch(() => undefined);
};

/** Fetches the body's text, within the time limit and the caller's. */
async function exchange(options: AttemptOptions): Promise<{ ok: true; text: string } | AttemptResult> {
  const { provider, address, body, timeout_ms } = options;
  const abort = new AbortController();
  const stop = () => abort.abort();
  const timer = setTimeout(stop, timeout_ms);
  options.signal.addEventListener("abort", stop, { once: true });
  if (options.signal.aborted) stop();
  let fail = createFailure(options);
  try {
    const response = await options.fetch(address.url, {
      method: body === undefined ? "GET" : "POST",
      headers: headersOf(options),
      redirect: "manual",
      signal: abort.signal,
      ...(body === undefined ? {} : { body }),
    });
    fail = createFailure(options, response.status);
    const refused = findStatusFailure(response, fail, options.clock.now());
    if (refused) {
      discard(response);
      return refused;
    }
    const read = await readBody(response, provider.limits.body_bytes_max);
    return read.ok ? read : fail("upstream_bad_response", read.reason);
  } catch (error) {
    if (abort.signal.aborted) return fail("upstream_timeout", `no complete answer within ${timeout_ms} ms`);
    return fail("upstream_unavailable", `network error (${codeOf(error)})`);
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", stop);
  }
}

/** Sends a request once and checks the answer. Never throws for what the upstream or the network does. */
export async function attemptCall(options: AttemptOptions): Promise<AttemptResult> {
  const got = await exchange(options);
  if (!("text" in got)) return got;
  const checked = parseBody(got.text, options.format, options.expectation);
  if (checked.ok) return { ok: true, value: checked.value, chars: got.text.length };
  return createFailure(options)("upstream_bad_response", checked.reason);
}
