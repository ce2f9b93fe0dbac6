import { type PaymentTerm, type PaymentTerms, termsOf } from "intel-node";
import type { AuditInputs } from "./fetch.ts";
import { isProbe, type Probe } from "./probes.ts";
import type { CheckResult, Severity } from "./schema.ts";

/** What a check saw: its result and the evidence for it. */
export type Seen = readonly [result: CheckResult, detail: string];

export interface Facts extends AuditInputs {
  readonly probe: Probe;
  /** The terms that count: the header's where there is one. */
  readonly terms: PaymentTerms | null;
}

export interface CheckRule {
  readonly id: string;
  readonly severity: Severity;
  readonly what: string;
  readonly fix: string;
  readonly see: (facts: Facts) => Seen;
}

export const factsOf = (inputs: AuditInputs): Facts | null =>
  isProbe(inputs.first) ? { ...inputs, probe: inputs.first, terms: termsOf(inputs.first.terms) } : null;

export const yes = (is_true: boolean, pass: string, fail: string): Seen => (is_true ? ["pass", pass] : ["fail", fail]);
export const NO_TERMS: Seen = ["unknown", "the terms could not be read"];

/** Judges every way to pay; null of a judgement is no fault. */
export function each(facts: Facts, judge: (term: PaymentTerm) => string | null, pass: string): Seen {
  if (!facts.terms) return NO_TERMS;
  const faults = facts.terms.accepts.flatMap((term) => judge(term) ?? []);
  return yes(faults.length === 0, pass, faults.join("; ").slice(0, 400));
}
