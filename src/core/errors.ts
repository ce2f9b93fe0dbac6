/**
 * Every error code the node can answer with: the only list there is. Adding a code is one line here; docs/errors.md
 * and its test follow from it.
 */

/** Who can put it right. */
export type FixedBy = "buyer" | "wait" | "operator" | "nobody";

interface ErrorRow {
  readonly status: number;
  readonly title: string;
  readonly fixed_by: FixedBy;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
}

const row = (status: number, title: string, fixed_by: FixedBy, retryable: boolean): ErrorRow => ({
  status,
  title,
  fixed_by,
  retryable,
});

export const ERRORS = {
  payment_required: row(402, "Payment required", "buyer", false),
  invalid_payment: row(402, "The payment cannot be read or is not valid", "buyer", false),
  payment_expired: row(402, "The payment's time window is over or too short", "buyer", false),
  payment_already_used: row(402, "This payment was spent on another request", "buyer", false),
  amount_mismatch: row(402, "The signed amount is not the price", "buyer", false),
  insufficient_funds: row(402, "The paying wallet does not hold enough", "buyer", true),
  settlement_failed: row(402, "The facilitator refused to settle", "buyer", false),
  invalid_api_key: row(402, "Unknown API key", "buyer", false),
  api_key_expired: row(402, "The API key has expired", "buyer", false),
  api_key_revoked: row(402, "The API key was revoked", "buyer", false),
  insufficient_credits: row(402, "The key's balance is below the price", "buyer", false),
  invalid_coupon: row(402, "The coupon is unknown, used or expired", "buyer", false),
  invalid_request: row(400, "The request line or Host header is malformed", "buyer", false),
  not_found: row(404, "No such path", "buyer", false),
  method_not_allowed: row(405, "This path does not take that method", "buyer", false),
  request_in_progress: row(409, "The same payment is being worked on", "wait", true),
  body_too_large: row(413, "The request body is too large", "buyer", false),
  unsupported_media_type: row(415, "The body must be application/json", "buyer", false),
  invalid_parameter: row(422, "A parameter has a wrong value", "buyer", false),
  unknown_parameter: row(422, "A parameter is not known here", "buyer", false),
  rate_limited: row(429, "Too many requests", "wait", true),
  internal_error: row(500, "The node stopped rather than risk wrong books", "operator", false),
  upstream_unavailable: row(503, "No upstream could serve the data", "wait", true),
  upstream_bad_response: row(503, "The upstreams answered with unusable data", "wait", true),
  preview_not_ready: row(503, "No snapshot is old enough yet", "wait", true),
  settlement_unknown: row(503, "The settlement's outcome is not known yet", "wait", true),
  facilitator_unavailable: row(503, "No facilitator can take payments now", "wait", true),
  overloaded: row(503, "All work slots are taken", "wait", true),
  ledger_unavailable: row(503, "The ledger cannot take new payments now", "operator", true),
  shutting_down: row(503, "The node is stopping", "wait", true),
  deadline_exceeded: row(504, "The answer was not ready in time", "wait", true),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export interface NodeErrorOptions {
  readonly cause?: unknown;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds; sent as Retry-After. */
  readonly retry_after_s?: number;
  /** Name of the parameter at fault, for the 422 codes. */
  readonly param?: string;
  /** True only while a settlement's outcome is not known. */
  readonly charge_unknown?: boolean;
}

/**
 * The one error class that reaches a buyer. `message` is written for the buyer: it must never hold a secret, a stack,
 * or an upstream address with a key in it.
 */
export class NodeError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly options: NodeErrorOptions;

  constructor(code: ErrorCode, message: string, options: NodeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "NodeError";
    this.code = code;
    this.status = ERRORS[code].status;
    this.options = options;
  }
}

export const isNodeError = (value: unknown): value is NodeError => value instanceof NodeError;

/** Thrown when something that must always hold does not. The caller rolls back and stops taking money. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/**
 * @throws InvariantError when `condition` is false.
 * @example assertInvariant(balance >= 0n, "I3: available balance below zero");
 */
export function assertInvariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** The text of anything thrown, for logs. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What went wrong with an upstream, split by what the caller can do: the first three may be tried again. */
export type UpstreamErrorKind =
  | "upstream_timeout"
  | "upstream_rate_limited"
  | "upstream_unavailable"
  | "upstream_bad_response"
  | "upstream_not_found"
  | "upstream_auth";

/** A failed upstream call. Never reaches a buyer as it is: the product fails over, or the runner maps it to a NodeError. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly kind: UpstreamErrorKind;
  readonly provider: string;
  readonly retry_after_s: number | undefined;

  constructor(
    kind: UpstreamErrorKind,
    provider: string,
    message: string,
    options: { cause?: unknown; retry_after_s?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.provider = provider;
    this.retry_after_s = options.retry_after_s;
  }
}

/**
 * The buyer's view of one or more failed upstream calls: `upstream_bad_response` when every one of them answered with
 * unusable data, `deadline_exceeded` when the time ran out, else `upstream_unavailable`.
 */
export function toNodeError(errors: readonly unknown[], what: string): NodeError {
  const known = errors.find(isNodeError);
  if (known) return known;
  const kinds = errors.map((error) => (error instanceof UpstreamError ? error.kind : "upstream_unavailable"));
  const named = errors.map((error) => (error instanceof UpstreamError ? `${error.provider}: ${error.kind}` : "error"));
  const waits = errors.flatMap((error) => (error instanceof UpstreamError ? (error.retry_after_s ?? []) : []));
  const options = { cause: errors[0], retry_after_s: waits.length > 0 ? Math.max(1, Math.min(...waits)) : 10 };
  const code =
    kinds.length > 0 && kinds.every((kind) => kind === "upstream_bad_response")
      ? "upstream_bad_response"
      : "upstream_unavailable";
  return new NodeError(code, `${what} could not be produced (${named.join(", ")}). Nothing was charged.`, options);
}
