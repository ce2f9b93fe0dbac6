/**
 * Every error code the node can answer with: the only list there is. Adding a code is one line here; docs/errors.md
 * and its test follow from it.
 */

/** Who can fix it. */
export type FixedBy = "buyer" | "wait" | "operator" | "nobody";

interface ErrorRow {
  readonly status: number;
  readonly title: string;
  readonly fixed_by: FixedBy;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
}

export const ERRORS = {
  payment_required: { status: 402, title: "Payment required", fixed_by: "buyer", retryable: false },
  invalid_payment: {
    status: 402,
    title: "The payment cannot be read or is not valid",
    fixed_by: "buyer",
    retryable: false,
  },
  payment_expired: {
    status: 402,
    title: "The payment's time window is over or too short",
    fixed_by: "buyer",
    retryable: false,
  },
  payment_already_used: {
    status: 402,
    title: "This payment was spent before",
    fixed_by: "buyer",
    retryable: false,
  },
  amount_mismatch: { status: 402, title: "The signed amount is not the price", fixed_by: "buyer", retryable: false },
  insufficient_funds: {
    status: 402,
    title: "The paying wallet does not hold enough",
    fixed_by: "buyer",
    retryable: true,
  },
  settlement_failed: { status: 402, title: "The facilitator refused to settle", fixed_by: "buyer", retryable: false },
  invalid_api_key: { status: 402, title: "Unknown API key", fixed_by: "buyer", retryable: false },
  api_key_expired: { status: 402, title: "The API key has expired", fixed_by: "buyer", retryable: false },
  api_key_revoked: { status: 402, title: "The API key was revoked", fixed_by: "buyer", retryable: false },
  api_key_suspended: {
    status: 402,
    title: "A payment for the API key is not on the chain",
    fixed_by: "buyer",
    retryable: true,
  },
  api_key_limit: {
    status: 402,
    title: "The key's own limits do not allow this call",
    fixed_by: "buyer",
    retryable: false,
  },
  insufficient_credits: {
    status: 402,
    title: "The key's balance is below the price",
    fixed_by: "buyer",
    retryable: false,
  },
  sign_in_required: { status: 402, title: "A wallet must sign in", fixed_by: "buyer", retryable: false },
  invalid_sign_in: { status: 402, title: "The sign-in is not valid", fixed_by: "buyer", retryable: false },
  invalid_coupon: { status: 402, title: "The coupon is unknown, used or expired", fixed_by: "buyer", retryable: false },
  invalid_request: {
    status: 400,
    title: "The request line or Host header is malformed",
    fixed_by: "buyer",
    retryable: false,
  },
  not_found: { status: 404, title: "No such path", fixed_by: "buyer", retryable: false },
  method_not_allowed: {
    status: 405,
    title: "This path does not take that method",
    fixed_by: "buyer",
    retryable: false,
  },
  request_in_progress: { status: 409, title: "The same payment is being worked on", fixed_by: "wait", retryable: true },
  identifier_conflict: {
    status: 409,
    title: "This identifier belongs to another request",
    fixed_by: "buyer",
    retryable: false,
  },
  body_incomplete: {
    status: 400,
    title: "The connection ended before the whole body had arrived",
    fixed_by: "buyer",
    retryable: true,
  },
  body_too_slow: { status: 408, title: "The body took too long to arrive", fixed_by: "buyer", retryable: true },
  body_too_large: { status: 413, title: "The request body is too large", fixed_by: "buyer", retryable: false },
  unsupported_media_type: {
    status: 415,
    title: "The body must be application/json",
    fixed_by: "buyer",
    retryable: false,
  },
  invalid_parameter: { status: 422, title: "A parameter has a wrong value", fixed_by: "buyer", retryable: false },
  no_priced_asset: { status: 422, title: "None of the assets named has a price", fixed_by: "buyer", retryable: false },
  unknown_subject: {
    status: 422,
    title: "There is no such token, ticker, address or other subject",
    fixed_by: "buyer",
    retryable: false,
  },
  unknown_parameter: { status: 422, title: "A parameter is not known here", fixed_by: "buyer", retryable: false },
  rate_limited: { status: 429, title: "Too many requests", fixed_by: "wait", retryable: true },
  internal_error: {
    status: 500,
    title: "The node stopped rather than risk wrong books",
    fixed_by: "operator",
    retryable: false,
  },
  upstream_unavailable: { status: 503, title: "No upstream could serve the data", fixed_by: "wait", retryable: true },
  upstream_bad_response: {
    status: 503,
    title: "The upstreams answered with unusable data",
    fixed_by: "wait",
    retryable: true,
  },
  no_history: {
    status: 503,
    title: "The records this is made of do not exist yet",
    fixed_by: "wait",
    retryable: true,
  },
  product_failed: {
    status: 503,
    title: "The product itself failed",
    fixed_by: "operator",
    retryable: true,
  },
  product_off: {
    status: 410,
    title: "The operator has taken this product off sale",
    fixed_by: "operator",
    retryable: false,
  },
  product_paused: {
    status: 503,
    title: "The operator has taken this product off sale for a time",
    fixed_by: "wait",
    retryable: true,
  },
  subject_not_found: {
    status: 404,
    title: "The upstreams know no such subject",
    fixed_by: "buyer",
    retryable: false,
  },
  preview_not_kept: {
    status: 404,
    title: "No preview is kept for these parameters",
    fixed_by: "buyer",
    retryable: false,
  },
  preview_not_ready: { status: 503, title: "No snapshot is old enough yet", fixed_by: "wait", retryable: true },
  settlement_unknown: {
    status: 503,
    title: "The settlement's outcome is not known yet",
    fixed_by: "wait",
    retryable: true,
  },
  facilitator_unavailable: {
    status: 503,
    title: "No facilitator can take payments now",
    fixed_by: "wait",
    retryable: true,
  },
  overloaded: { status: 503, title: "All work slots are taken", fixed_by: "wait", retryable: true },
  ledger_unavailable: {
    status: 503,
    title: "The ledger cannot take new payments now",
    fixed_by: "operator",
    retryable: true,
  },
  shutting_down: { status: 503, title: "The node is stopping", fixed_by: "wait", retryable: true },
  deadline_exceeded: { status: 504, title: "The answer was not ready in time", fixed_by: "wait", retryable: true },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** What a refusal carries besides its message. */
export interface NodeErrorOptions {
  readonly cause?: unknown;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds; sent as Retry-After. */
  readonly retry_after_s?: number;
  /** Name of the parameter at fault, for the 422 codes. */
  readonly param?: string;
  /** True only while a settlement's outcome is not known. */
  readonly charge_unknown?: boolean;
  /** Whether only this node's own rate limit kept it from asking. */
  readonly own_limit?: boolean;
  /** The request named or broke the host that did not answer: the failure says nothing about the product. */
  readonly of_request?: boolean;
  /** Money of the buyer that went to another seller before the failure: see `core/passed-on`. */
  readonly passed_on?: object;
  /** All failures that this error summarizes; `cause` is the first of them. */
  readonly causes?: readonly unknown[];
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

/** Whether something thrown is a refusal with a code. */
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

/** What went wrong with an upstream, split by what the caller can do: the first three may be retried. */
export type UpstreamErrorKind =
  | "upstream_timeout"
  | "upstream_rate_limited"
  | "upstream_unavailable"
  | "upstream_bad_response"
  | "upstream_not_found"
  | "upstream_auth";

/**
 * A failed upstream call. Never reaches a buyer as it is: the product fails over, or the runner maps it to a
 * NodeError.
 */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly kind: UpstreamErrorKind;
  readonly provider: string;
  readonly retry_after_s: number | undefined;
  /** The call was not made, because it would have had to wait too long for its turn within this node's own rate. */
  readonly own_limit: boolean;

  constructor(
    kind: UpstreamErrorKind,
    provider: string,
    message: string,
    options: { cause?: unknown; retry_after_s?: number; own_limit?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.provider = provider;
    this.retry_after_s = options.retry_after_s;
    this.own_limit = options.own_limit ?? false;
  }
}

/** Whether a longer wait would have brought what is missing. */
export const isOwnLimit = (error: unknown): boolean =>
  (error instanceof UpstreamError && error.own_limit) || (isNodeError(error) && error.options.own_limit === true);

/**
 * The buyer's view of one or more failed upstream calls: `upstream_bad_response` when every one of them answered with
 * unusable data, `subject_not_found` when every one of them says that there is no such thing, else
 * `upstream_unavailable`.
 */
export function toNodeError(errors: readonly unknown[], what: string): NodeError {
  const known = errors.find(isNodeError);
  if (known) return known;
  const kinds = errors.map((error) => (error instanceof UpstreamError ? error.kind : "upstream_unavailable"));
  const named = errors.map((error) => (error instanceof UpstreamError ? `${error.provider}: ${error.kind}` : "error"));
  const waits = errors.flatMap((error) => (error instanceof UpstreamError ? (error.retry_after_s ?? []) : []));
  if (kinds.length > 0 && kinds.every((kind) => kind === "upstream_not_found")) {
    const message = `${what}: the upstreams know no such subject (${named.join(", ")}). Nothing was charged.`;
    return new NodeError("subject_not_found", message, { cause: errors[0], causes: errors });
  }
  const options = {
    cause: errors[0],
    causes: errors,
    retry_after_s: waits.length > 0 ? Math.max(1, Math.min(...waits)) : 10,
    own_limit: errors.some(isOwnLimit),
  };
  const code =
    kinds.length > 0 && kinds.every((kind) => kind === "upstream_bad_response")
      ? "upstream_bad_response"
      : "upstream_unavailable";
  return new NodeError(code, `${what} could not be produced (${named.join(", ")}). Nothing was charged.`, options);
}
