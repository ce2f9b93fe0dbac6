import type { ErrorCode, NodeError } from "../core/errors.ts";

/**
 * What a run without data says about its product. "failed": the answer could not be made for any caller. "asked": this
 * request named something without data, or was refused. "early": it only has to wait. "busy": the node's own limits.
 */
export type RunKind = "failed" | "asked" | "early" | "busy";

/** Every code there is, so that a new one has to say what it means. */
export const RUN_KINDS: Readonly<Record<ErrorCode, RunKind>> = {
  payment_required: "asked",
  invalid_payment: "asked",
  payment_expired: "asked",
  payment_already_used: "asked",
  amount_mismatch: "asked",
  insufficient_funds: "asked",
  settlement_failed: "asked",
  invalid_api_key: "asked",
  api_key_expired: "asked",
  api_key_revoked: "asked",
  api_key_suspended: "asked",
  api_key_limit: "asked",
  insufficient_credits: "asked",
  invalid_coupon: "asked",
  sign_in_required: "asked",
  invalid_sign_in: "asked",
  invalid_request: "asked",
  not_found: "asked",
  method_not_allowed: "asked",
  request_in_progress: "asked",
  identifier_conflict: "asked",
  body_incomplete: "asked",
  body_too_slow: "asked",
  body_too_large: "asked",
  unsupported_media_type: "asked",
  invalid_parameter: "asked",
  no_priced_asset: "asked",
  unknown_subject: "asked",
  unknown_parameter: "asked",
  preview_not_kept: "asked",
  subject_not_found: "asked",
  product_off: "asked",
  product_paused: "asked",
  no_history: "early",
  preview_not_ready: "early",
  rate_limited: "busy",
  overloaded: "busy",
  shutting_down: "busy",
  settlement_unknown: "busy",
  facilitator_unavailable: "busy",
  ledger_unavailable: "busy",
  internal_error: "failed",
  upstream_unavailable: "failed",
  upstream_bad_response: "failed",
  product_failed: "failed",
  deadline_exceeded: "failed",
};

/** Of which kind a run that ended so was. */
export function getRunKind({ code, options }: NodeError): RunKind {
  const kind = RUN_KINDS[code];
  if (kind !== "failed") return kind;
  if (options.own_limit === true) return "busy";
  return options.of_request === true ? "asked" : "failed";
}
