/**
 * Why this node does not sell something, in two texts: each reader gets the one he can act on. No door of buyers ever
 * shows the first; check, doctor, the admin pages and the log never need the second.
 */
export interface WhyWithheld {
  /** For the operator: names the key to set. */
  readonly why: string;
  /** For everybody else: what is the case, and nothing that only the operator can do. */
  readonly for_buyers: string;
}

/** A reason as definitions may give it: a text alone is the operator's. */
export type Reason = string | WhyWithheld;

const NOT_SOLD = "it is not sold here";

export const toWhyWithheld = (reason: Reason): WhyWithheld =>
  typeof reason === "string" ? { why: reason, for_buyers: NOT_SOLD } : reason;

/** One reason made of several, of which each would be enough to end it. */
export function joinReasons(reasons: readonly Reason[]): WhyWithheld {
  const all = reasons.map(toWhyWithheld);
  const join = (texts: readonly string[]): string => [...new Set(texts)].join("; or ");
  return { why: join(all.map(({ why }) => why)), for_buyers: join(all.map(({ for_buyers }) => for_buyers)) };
}
