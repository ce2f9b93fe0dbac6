import type { EndpointFacts } from "./facts.ts";
import type { SellerFacts, SellerReadings } from "./stranger/facts.ts";

export interface Finding {
  /** broken: buyers or registries fail on it. warning: it costs trust or reach. hint: nothing is wrong. */
  readonly severity: "broken" | "warning" | "hint";
  /** What was seen, and where. */
  readonly about: string;
  /** What to do, in one sentence. */
  readonly fix: string;
}

/** Whom a rule judges: this node, by all it serves, or a stranger, by one resource he sells. */
export type RuleScope = "self" | "stranger";

/** What every rule has. Rules are pure: they read what was fetched. */
interface RuleRow<Scope extends RuleScope> {
  /** Of no other rule, in either scope. */
  readonly id: string;
  readonly scope: Scope;
  /** What holds when it is met, or what is checked. */
  readonly title: string;
}

/** One thing graders look at in a node. */
export interface SelfRule extends RuleRow<"self"> {
  /** Its share of the score. 0: only hints. */
  readonly weight: number;
  /** Nothing when it is met; null when it does not apply to this node. */
  readonly check: (facts: EndpointFacts) => readonly Finding[] | null;
}

/** How much a broken rule weighs, the worst first. */
export const CHECK_SEVERITIES = ["critical", "major", "minor"] as const;
export type CheckSeverity = (typeof CHECK_SEVERITIES)[number];
/** What a rule can come to. */
export const CHECK_RESULTS = ["pass", "fail", "unknown", "n/a"] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** What a rule saw: its result and the evidence for it. */
export type Seen = readonly [result: CheckResult, detail: string];

interface StrangerRow extends RuleRow<"stranger"> {
  /** What a failure weighs. */
  readonly severity: CheckSeverity;
  /** How to put it right. */
  readonly fix: string;
}

/** One thing that makes a seller safe to pay, seen in what he answers. */
export interface SellerRule extends StrangerRow {
  readonly check: (facts: SellerFacts) => Seen;
}

/** One thing that is seen in the way to a seller, also where he could not be asked. */
export interface ConnectionRule extends StrangerRow {
  readonly checkConnection: (read: SellerReadings) => Seen;
}

export type StrangerRule = SellerRule | ConnectionRule;
export type Rule = SelfRule | StrangerRule;

export const broken = (about: string, fix: string): Finding => ({ severity: "broken", about, fix });
export const warning = (about: string, fix: string): Finding => ({ severity: "warning", about, fix });
export const hint = (about: string, fix: string): Finding => ({ severity: "hint", about, fix });

const SHOWN = 5;

/** One finding for something that is wrong in several places; empty when nothing is wrong. */
export function gather(
  places: readonly string[],
  severity: Finding["severity"],
  say: { readonly what: string; readonly fix: string },
): readonly Finding[] {
  if (places.length === 0) return [];
  const more = places.length > SHOWN ? ` and ${places.length - SHOWN} more` : "";
  return [{ severity, about: `${say.what}: ${places.slice(0, SHOWN).join("; ")}${more}`, fix: say.fix }];
}
