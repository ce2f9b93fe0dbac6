import type { TokenFacts } from "../facts/fact.ts";
import type { InsiderLevel } from "../insider-track/score.ts";
import type { Judgement } from "../judge/judge.ts";
import type { DOSSIER_VERDICTS } from "./schema.ts";

export interface ResearchFacts {
  readonly judgement: Judgement;
  readonly facts: TokenFacts;
  readonly is_evm: boolean;
  readonly is_issuer: boolean;
  readonly is_ambiguous: boolean;
  readonly dispersion_pct: number | null;
  readonly insider_level: InsiderLevel;
  readonly creator_screen: "hit" | "possible" | "clear" | "incomplete" | "unknown";
  /** Sources that were asked and did not answer. */
  readonly silent: readonly string[];
}

export interface ResearchDecision {
  readonly verdict: (typeof DOSSIER_VERDICTS)[number];
  readonly basis: string;
  /** Everything that keeps it from OK. */
  readonly blockers: readonly string[];
}

const RISK_MAX = 25;
const COVERAGE_MIN = 0.8;
const LIQUIDITY_MIN = 50_000;
const AGE_MIN = 10_080;
const DISPERSION_MAX = 10;
const SOURCES_MIN = 2;

/** OK needs all of it known and in order; what is not known blocks like what is known to be wrong (5.21, R2). */
function listBlockers(dossier: ResearchFacts): readonly string[] {
  const { judgement, facts, is_evm, is_issuer } = dossier;
  const authorities = (is_evm ? facts.owner_active : facts.mint_active).sources.length;
  const { value: liquidity } = facts.liquidity_usd;
  const { value: age } = facts.age_min;
  const unknown = judgement.unknown.filter((id) => !is_issuer || !["lp", "H8_round_trip"].includes(id));
  const checks: readonly (readonly [string, boolean])[] = [
    ["risk_above_25", judgement.risk > RISK_MAX],
    ["coverage_below_0.80", judgement.coverage < COVERAGE_MIN],
    ...unknown.map((id): readonly [string, boolean] => [`${id}_unknown`, true]),
    ...judgement.caps.map(({ id }): readonly [string, boolean] => [id, true]),
    ...dossier.silent.map((id): readonly [string, boolean] => [`${id}_silent`, true]),
    ["authorities_of_one_source", !is_issuer && authorities < SOURCES_MIN],
    ["holders_of_one_source", facts.top10_pct.sources.length < SOURCES_MIN],
    ["liquidity_below_50000", liquidity === null || liquidity < LIQUIDITY_MIN],
    ["age_below_7d", age === null || age < AGE_MIN],
    ["ambiguous_ticker", dossier.is_ambiguous],
    ["price_dispersion_above_10", (dossier.dispersion_pct ?? 0) > DISPERSION_MAX],
    ["active_owner", is_evm && !is_issuer && facts.owner_active.value !== 0],
    ["insiders", ["severe", "elevated"].includes(dossier.insider_level)],
    ["creator_screen_not_clear", !is_issuer && dossier.creator_screen !== "clear"],
  ];
  return checks.flatMap(([id, holds]) => (holds ? [id] : []));
}

/** AVOID, CAUTION or OK for a token as a whole. Unknown never improves it. */
export function decide(dossier: ResearchFacts): ResearchDecision {
  const { judgement, creator_screen } = dossier;
  const blockers = listBlockers(dossier);
  const [fail] = judgement.hard_fails;
  if (creator_screen === "hit")
    return {
      verdict: "AVOID",
      basis: "creator_on_a_sanctions_list",
      blockers: ["creator_on_a_sanctions_list", ...blockers],
    };
  if (judgement.verdict === "AVOID") {
    const basis = fail?.id ?? judgement.basis;
    return { verdict: "AVOID", basis, blockers: [...judgement.hard_fails.map(({ id }) => id), ...blockers] };
  }
  const [first] = blockers;
  return first === undefined
    ? { verdict: "OK", basis: "clean", blockers }
    : { verdict: "CAUTION", basis: first, blockers };
}
