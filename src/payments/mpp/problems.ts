import type { PaymentRefusal } from "../refusal.ts";

const BASE = "https://paymentauth.org/problems/";

const TITLES = {
  "malformed-credential": "Malformed Credential",
  "invalid-challenge": "Invalid Challenge",
  "payment-expired": "Payment Expired",
  "verification-failed": "Payment Verification Failed",
  "payment-required": "Payment Required",
} as const;
type Problem = keyof typeof TITLES;

/** Reasons of what could not be read at all. */
const MALFORMED: ReadonlySet<string> = new Set([
  ...["header_too_long", "invalid_base64", "invalid_json", "invalid_payload", "unsupported_payload_type"],
]);
/** Reasons that blame the challenge. */
const CHALLENGE: ReadonlySet<string> = new Set(["invalid_challenge", "digest_mismatch", "wrong_header"]);

function problemOf({ code, diagnostic: { reason } }: PaymentRefusal): Problem {
  if (code === "payment_expired") return "payment-expired";
  if (code === "payment_already_used" || CHALLENGE.has(reason)) return "invalid-challenge";
  return MALFORMED.has(reason) ? "malformed-credential" : "verification-failed";
}

const render = (problem: Problem, detail: string) => ({
  type: `${BASE}${problem}`,
  title: TITLES[problem],
  status: 402,
  detail,
});

/** Members of RFC 9457 by the problem types of the Payment scheme, for a credential that is not taken. */
export const renderRefusedProblem = (refusal: PaymentRefusal) => render(problemOf(refusal), refusal.message);

/** The same for a call that brought nothing. */
export const renderUnpaidProblem = () => render("payment-required", "Payment is required for this call.");
