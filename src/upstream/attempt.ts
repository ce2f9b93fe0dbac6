import type { ProviderDefinition } from "../catalog/provider.ts";
import type { AnswerFacts, Validators } from "../catalog/request.ts";
import { type Clock, startTimeLimit, type Timers } from "../core/clock.ts";
import { UpstreamError, type UpstreamErrorKind } from "../core/errors.ts";
import type { Address } from "./addresses.ts";
import { type AnswerRule, type Made, readAnswer } from "./read-answer.ts";
import { drainBody, readBytes } from "./read-body.ts";
import { renderReason } from "./redact-url.ts";
import { findRedirect, isRedirect, REDIRECTS_MAX } from "./redirect.ts";
import type { RequestBody } from "./request-body.ts";
import { judgeError, judgeMeaning, type UpstreamRefusal } from "./status.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Receives a body chunk by chunk, for bodies too large for memory. */
export interface Sink {
  take(chunk: Uint8Array): Promise<void>;
  /** Called when the body is complete; returns the value of the answer, or the reason to refuse it. */
  finish(facts: AnswerFacts): Promise<{ readonly value: unknown } | string>;
  /** Called when the body will not be completed. */
  abandon(): Promise<void>;
}

export interface AttemptOptions {
  readonly provider: ProviderDefinition;
  readonly address: Address;
  readonly body: RequestBody | undefined;
  /** Headers of the request, without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Credentials made for this attempt, such as a token, only for the address's origin. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly rule: AnswerRule;
  readonly body_bytes_max: number;
  /** Opens the target of the body, if it does not go into memory. */
  readonly openSink?: (() => Promise<Sink>) | undefined;
  /** Validators of the caller's version, with which a 304 counts as an answer. */
  readonly known: Validators | undefined;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly user_agent: string;
}

/** A good answer: the raw value, the caller's reading of it, and the size of its body. */
export interface AnsweredAttempt extends Made {
  readonly value: unknown;
  readonly facts: AnswerFacts;
}

export type AttemptResult =
  | ({ readonly ok: true; readonly unchanged: false } & AnsweredAttempt)
  /** Whether the caller's version is still current. */
  | { readonly ok: true; readonly unchanged: true }
  | {
      readonly ok: false;
      readonly error: UpstreamError;
      readonly status?: number;
      /** Whether the address is at fault, so that its breaker counts the failure. */
      readonly counts: boolean;
    };

type Failure = (kind: UpstreamErrorKind, reason: string, retry_after_ms?: number) => AttemptResult;

/** Kinds of errors for which the address is at fault. For the others, the request or the answer's content is. */
const COUNTED: readonly UpstreamErrorKind[] = ["upstream_timeout", "upstream_rate_limited", "upstream_unavailable"];

function createFailure({ provider, address, credentials }: AttemptOptions, status?: number): Failure {
  return (kind, reason, retry_after_ms) => {
    // An upstream may repeat a credential without the word before it, such as "Bearer".
    const sent = [...Object.values(address.headers), ...Object.values(credentials)];
    const secrets = [...address.secrets, ...sent, ...sent.flatMap((value) => value.split(" ").slice(1))];
    const message = renderReason(`${provider.id}: ${reason}`, secrets);
    const wait = retry_after_ms === undefined ? {} : { retry_after_s: Math.ceil(retry_after_ms / 1000) };
    const counts = COUNTED.includes(kind);
    const error = new UpstreamError(kind, provider.id, message, wait);
    return { ok: false, error, counts, ...(status === undefined ? {} : { status }) };
  };
}

const ACCEPT = { json: "application/json", text: "*/*", bytes: "*/*" } as const;

function headersOf(options: AttemptOptions, is_own_origin: boolean): Record<string, string> {
  const { known, body, address } = options;
  return {
    accept: ACCEPT[options.rule.format],
    "user-agent": options.user_agent,
    ...(known?.etag === undefined ? {} : { "if-none-match": known.etag }),
    ...(known?.last_modified === undefined ? {} : { "if-modified-since": known.last_modified }),
    ...options.headers,
    ...(body === undefined ? {} : { "content-type": body.content_type }),
    // After a redirect to another origin, the operator's keys must not be sent.
    ...(is_own_origin ? { ...address.headers, ...options.credentials } : {}),
  };
}

/** Only the code of a network error, because its message and fields may contain the full address. */
const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "connection failed";

/** Frees the connection of an unread answer. A failure of that does not matter to the call. */
const discard = (response: Response): void => {
  response.body?.cancel().catch(() => undefined);
};

/** Sends the request, and follows the redirect of a GET if the provider names its host. */
async function send(options: AttemptOptions, signal: AbortSignal): Promise<Response | string> {
  const { address, body } = options;
  const own_origin = new URL(address.url).origin;
  let url = address.url;
  for (let hops = 0; ; hops += 1) {
    const response = await options.fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: headersOf(options, new URL(url).origin === own_origin),
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body: body.text }),
    });
    if (!isRedirect(response.status)) return response;
    discard(response);
    const refused = `status ${response.status}`;
    if (body !== undefined) return `${refused}: redirects of a POST are not followed`;
    const next = findRedirect(options.provider, url, response.headers.get("location"));
    if (typeof next === "string") return `${refused}: ${next}`;
    if (hops === REDIRECTS_MAX) return `${refused}: more than ${REDIRECTS_MAX} redirects`;
    url = next.href;
  }
}

const factsOf = ({ status, headers }: Response, bytes: number): AnswerFacts => {
  const [etag, last_modified] = [headers.get("etag"), headers.get("last-modified")];
  return {
    status,
    bytes,
    ...(etag === null ? {} : { etag }),
    ...(last_modified === null ? {} : { last_modified }),
  };
};

/** Reads a good answer into memory. */
async function readWhole(options: AttemptOptions, response: Response): Promise<AnsweredAttempt | UpstreamRefusal> {
  const read = await readBytes(response, options.body_bytes_max);
  if (!read.ok) return { kind: "upstream_bad_response", reason: read.reason };
  const facts = factsOf(response, read.bytes.length);
  const answer = await readAnswer(read.bytes, options.rule, facts);
  if (answer.ok) {
    const { value, reading, dropped, is_whole } = answer;
    return { value, reading, dropped, is_whole, facts };
  }
  return judgeMeaning(answer.means ?? "bad_response", answer.reason);
}

/** Reads a good answer into its target. */
async function readInto(
  sink: Sink,
  options: AttemptOptions,
  response: Response,
): Promise<AnsweredAttempt | UpstreamRefusal> {
  let bytes = 0;
  let is_whole = false;
  try {
    const reason = await drainBody(response, options.body_bytes_max, (chunk) => {
      bytes += chunk.byteLength;
      return sink.take(chunk);
    });
    if (reason !== undefined) return { kind: "upstream_bad_response", reason };
    const facts = factsOf(response, bytes);
    const finished = await sink.finish(facts);
    if (typeof finished === "string") return { kind: "upstream_bad_response", reason: finished };
    is_whole = true;
    return { value: finished.value, reading: finished.value, is_whole: true, facts };
  } finally {
    if (!is_whole) await sink.abandon();
  }
}

/** Sends a request once and reads the answer. Never throws for what the upstream or the network does. */
export async function attemptCall(options: AttemptOptions): Promise<AttemptResult> {
  const limit = startTimeLimit(options.timers, options.timeout_ms, options.signal);
  let fail = createFailure(options);
  try {
    const response = await send(options, limit.signal);
    if (typeof response === "string") return fail("upstream_bad_response", response);
    fail = createFailure(options, response.status);
    if (response.status === 304 && options.known) {
      discard(response);
      return { ok: true, unchanged: true };
    }
    const { status } = response;
    const is_good = (status >= 200 && status < 300) || options.rule.statuses?.includes(status);
    const refused = is_good ? undefined : await judgeError(response, options.rule.errors, options.clock.now());
    if (refused) return fail(refused.kind, refused.reason, refused.retry_after_ms);
    const sink = await options.openSink?.();
    const answer = await (sink ? readInto(sink, options, response) : readWhole(options, response));
    if ("kind" in answer) return fail(answer.kind, answer.reason, answer.retry_after_ms);
    return { ok: true, unchanged: false, ...answer };
  } catch (error) {
    if (limit.signal.aborted) return fail("upstream_timeout", `no complete answer within ${options.timeout_ms} ms`);
    return fail("upstream_unavailable", `network error (${codeOf(error)})`);
  } finally {
    limit.end();
  }
}
