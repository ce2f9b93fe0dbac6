import { formatLarge } from "intel-node";
import { countRules } from "../judge/known.ts";
import type { ResearchDecision } from "./decide.ts";
import type { TokenResearchInputs } from "./fetch.ts";
import type { TokenResearchData } from "./schema.ts";

interface Parts {
  readonly markets: TokenResearchData["market"];
  readonly holders: TokenResearchData["holders"];
  readonly decision: ResearchDecision;
}

const POINTS_MAX = 8;
const FORMAT = { locale: "en", decimals_max: 1 } as const;
const usd = (value: number): string => `${formatLarge(value, FORMAT)} US dollars`;
const pct = (value: number): string => `${value.toFixed(1)} %`;

/** How much is known, rules too: every factor can be known while a rule is not. */
function describeKnown({ coverage, unknown }: TokenResearchInputs["judgement"]): string {
  const rules = countRules(unknown);
  const known = `${pct(coverage * 100)} of the factors' points known`;
  return rules === 0 ? known : `${known} and ${rules} ${rules === 1 ? "rule" : "rules"} not known`;
}

/** Sentences of fixed form over figures of the answer; a figure that is missing has no sentence. */
export function summarise(
  { judgement, facts }: TokenResearchInputs,
  { markets, holders, decision }: Parts,
): readonly string[] {
  const { value: age } = facts.age_min;
  const [fail] = judgement.hard_fails;
  const points: readonly (string | null)[] = [
    `${decision.verdict}: ${decision.basis.replaceAll("_", " ")}.`,
    `Risk ${judgement.risk.toFixed(1)} of 100, with ${describeKnown(judgement)}.`,
    fail ? `Hard fail: ${fail.evidence} (${fail.sources.join(", ")}).` : null,
    markets.liquidity_usd === null ? null : `${usd(markets.liquidity_usd)} of liquidity in ${markets.pools} pools.`,
    holders.top10_pct === null ? null : `Ten holders have ${pct(holders.top10_pct)} without pools.`,
    facts.creator_pct.value === null ? null : `The creator has ${pct(facts.creator_pct.value)}.`,
    age === null
      ? null
      : `First pool ${age < 1_440 ? `${Math.round(age)} minutes` : `${Math.floor(age / 1_440)} days`} ago.`,
    judgement.unknown.length === 0 ? null : `Not known: ${judgement.unknown.slice(0, 5).join(", ")}.`,
  ];
  return points.filter((point) => point !== null).slice(0, POINTS_MAX);
}
