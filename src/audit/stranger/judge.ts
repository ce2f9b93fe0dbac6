import type { CheckResult, CheckSeverity, Seen, StrangerRule } from "../rule.ts";
import { CONNECTION_RULES } from "./connection-rules.ts";
import { factsOf, type SellerFacts, type SellerReadings } from "./facts.ts";
import { SITE_RULES } from "./site-rules.ts";
import { TERM_RULES } from "./term-rules.ts";

/** Every rule a stranger is judged by, in the order of the report. */
export const STRANGER_RULES: readonly StrangerRule[] = [...CONNECTION_RULES, ...TERM_RULES, ...SITE_RULES];

/** What the audit of a seller can come to, the best first. */
export const STRANGER_VERDICTS = ["sound", "acceptable", "caution", "unsafe"] as const;

/** A rule with what it saw. */
export interface StrangerCheck {
  readonly id: string;
  readonly severity: CheckSeverity;
  readonly result: CheckResult;
  readonly what: string;
  readonly detail: string;
  /** Null where nothing failed. */
  readonly fix: string | null;
}

export interface StrangerVerdict {
  /** 0 to 100. */
  readonly score: number;
  readonly verdict: (typeof STRANGER_VERDICTS)[number];
}

export interface StrangerReport {
  readonly judged: StrangerVerdict & { readonly checks: StrangerCheck[] };
  /** Null for a seller who could not be asked. */
  readonly facts: SellerFacts | null;
}

const LOST = { major: 15, minor: 5 } as const;

/**
 * Points and verdict of the checks. A failed critical check is unsafe; an unknown one is caution at best. sound needs
 * every major check known, acceptable all but one, so that what is unknown never improves a verdict.
 */
export function judgeChecks(checks: readonly Pick<StrangerCheck, "severity" | "result">[]): StrangerVerdict {
  const count = (severity: CheckSeverity, result: CheckResult): number =>
    checks.filter((one) => one.severity === severity && one.result === result).length;
  const lost =
    LOST.major * (count("major", "fail") + count("major", "unknown") / 2) +
    LOST.minor * (count("minor", "fail") + count("minor", "unknown") / 2);
  const points = Math.max(0, 100 - lost);
  if (count("critical", "fail") > 0) return { score: Math.min(20, points), verdict: "unsafe" };
  if (count("critical", "unknown") > 0) return { score: Math.min(60, points), verdict: "caution" };
  const unknown = count("major", "unknown");
  // For the verdict what is unknown counts as failed: silence must not be worth more than a known fault.
  const least =
    100 -
    LOST.major * (count("major", "fail") + unknown) -
    LOST.minor * (count("minor", "fail") + count("minor", "unknown"));
  if (least >= 90 && count("major", "fail") === 0 && unknown === 0) return { score: points, verdict: "sound" };
  return { score: points, verdict: least >= 75 ? "acceptable" : "caution" };
}

const toCheck = ({ id, severity, title, fix }: StrangerRule, [result, detail]: Seen): StrangerCheck => ({
  id,
  severity,
  result,
  what: title,
  detail,
  fix: result === "fail" ? fix : null,
});

/** Every rule with its evidence, and what they come to. Pure. */
export function judgeStranger(read: SellerReadings): StrangerReport {
  const facts = factsOf(read);
  const see = (rule: StrangerRule): Seen => {
    if ("checkConnection" in rule) return rule.checkConnection(read);
    return facts ? rule.check(facts) : ["unknown", "the seller could not be asked"];
  };
  const checks = STRANGER_RULES.map((rule) => toCheck(rule, see(rule)));
  return { judged: { ...judgeChecks(checks), checks }, facts };
}
