import type { EndpointFacts } from "./facts.ts";
import type { Finding, Rule, SelfRule } from "./rule.ts";
import { challengeRules } from "./self/challenge.ts";
import { documentRules } from "./self/documents.ts";
import { siteRules } from "./self/site.ts";
import { transportRules } from "./self/transport.ts";
import { STRANGER_RULES } from "./stranger/judge.ts";

/** What `audit self` judges a node by. */
export const SELF_RULES: readonly SelfRule[] = [...challengeRules, ...documentRules, ...transportRules, ...siteRules];

/** Every rule there is, of either scope; one more is one more row in one of these lists. */
export const RULES: readonly Rule[] = [...SELF_RULES, ...STRANGER_RULES];

export interface RuleResult {
  readonly id: string;
  readonly title: string;
  readonly weight: number;
  /** Of its weight: 1 met, 0.5 with warnings, 0 broken; null when it does not apply. */
  readonly share: 0 | 0.5 | 1 | null;
  readonly findings: readonly Finding[];
}

export interface EndpointReport {
  /** 0 to 100: weights that were earned, of those that apply; rounded down. */
  readonly score: number;
  /** Whether something fails for buyers or registries. */
  readonly is_broken: boolean;
  readonly results: readonly RuleResult[];
}

const shareOf = (findings: readonly Finding[]): 0 | 0.5 | 1 => {
  if (findings.some(({ severity }) => severity === "broken")) return 0;
  return findings.some(({ severity }) => severity === "warning") ? 0.5 : 1;
};

/** Judges what was fetched. Pure. */
export function judge(facts: EndpointFacts, rules: readonly SelfRule[] = SELF_RULES): EndpointReport {
  const results = rules.map(({ id, title, weight, check }): RuleResult => {
    const findings = check(facts);
    return { id, title, weight, share: findings === null ? null : shareOf(findings), findings: findings ?? [] };
  });
  const applying = results.filter(({ share }) => share !== null);
  const total = applying.reduce((sum, { weight }) => sum + weight, 0);
  const earned = applying.reduce((sum, { weight, share }) => sum + weight * (share ?? 0), 0);
  return {
    score: total === 0 ? 0 : Math.floor((100 * earned) / total),
    is_broken: results.some(({ share }) => share === 0),
    results,
  };
}
