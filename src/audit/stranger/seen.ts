import type { PaymentTerm } from "../../challenge-reader/payment-terms.ts";
import type { CheckSeverity, Seen, SellerRule } from "../rule.ts";
import type { SellerFacts } from "./facts.ts";

export const yes = (is_true: boolean, pass: string, fail: string): Seen => (is_true ? ["pass", pass] : ["fail", fail]);
export const NO_TERMS: Seen = ["unknown", "the terms could not be read"];

/** Judges every way to pay; null of a judgement is no fault. */
export function each(facts: SellerFacts, judge: (term: PaymentTerm) => string | null, pass: string): Seen {
  if (!facts.terms) return NO_TERMS;
  const faults = facts.terms.accepts.flatMap((term) => judge(term) ?? []);
  return yes(faults.length === 0, pass, faults.join("; ").slice(0, 400));
}

/** What a row of the table says besides its id and title. */
type Row = Pick<SellerRule, "fix" | "check">;
const rowOf =
  (severity: CheckSeverity) =>
  (id: string, title: string, row: Row): SellerRule => ({ id, scope: "stranger", severity, title, ...row });

export const critical = rowOf("critical");
export const major = rowOf("major");
export const minor = rowOf("minor");
