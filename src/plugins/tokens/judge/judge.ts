import type { FactId, TokenFacts } from "../facts/fact.ts";
import { type RiskFactor, scoreFactors } from "./factors.ts";
import { findCaps, findFloors, findHardFails, type JudgeSubject, type RiskFinding } from "./hard-fails.ts";

export const VERDICTS = ["AVOID", "WATCH", "SIZE"] as const;
export type Verdict = (typeof VERDICTS)[number];
export const BASES = [
  "hard_fail",
  "insufficient_evidence",
  "risk_score",
  "capped",
  "partial_evidence",
  "clean",
] as const;
export type Basis = (typeof BASES)[number];

export interface Conflict {
  readonly fact: FactId | "creator";
  /** By source; addresses where the fact is the creator. */
  readonly values: Readonly<Record<string, number | string>>;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly basis: Basis;
  /** 0 to 100, higher is worse. */
  readonly risk: number;
  /** Part of the points that is known, 0 to 1. */
  readonly coverage: number;
  /** Part of the rules that could be decided, 0 to 1. */
  readonly rules_known: number;
  readonly factors: readonly RiskFactor[];
  readonly hard_fails: readonly RiskFinding[];
  /** What keeps it from the best verdict. */
  readonly caps: readonly RiskFinding[];
  /** Factors and rules without the facts they need. */
  readonly unknown: readonly string[];
  readonly conflicts: readonly Conflict[];
  /** The largest purchase that moves the price by 1 %, US dollars; null unless the verdict is SIZE. */
  readonly max_size_usd: number | null;
}

export interface JudgeOptions extends JudgeSubject {
  /** Sources that could have seen a danger and did not answer: without them nothing is called clean. */
  readonly silent: readonly string[];
}

const RISK_MAX = 60;
const CLEAN_RISK_MAX = 25;
const COVERAGE_MIN = 0.5;
const CLEAN_COVERAGE_MIN = 0.9;
const CLEAN_AGE_MIN = 30;
const CLEAN_LIQUIDITY_MIN = 20_000;
const AUTHORITY_SOURCES_MIN = 2;
/** Two caps together are the worst verdict. */
const CAPS_MAX = 1;

/** Facts that must be known before a token is called clean, besides every rule. */
const CRITICAL: readonly FactId[] = ["mint_active", "freeze_active", "top1_pct", "liquidity_usd", "age_min"];
/** What the ten largest have, at the most where fewer are listed. */
const hasTop10 = (facts: TokenFacts): boolean => facts.top10_pct.is_known || facts.top10_max_pct.is_known;
/** Sale proven, by simulation or by a round trip. */
const hasSale = (facts: TokenFacts): boolean => facts.sell_blocked.is_known || facts.round_trip_ratio.is_known;
const lacks = (facts: TokenFacts, fact: FactId): boolean => !facts[fact].is_known;

/**
 * The buy that moves a constant-product pool's average price by 1 % (x / (Q + x) = 0.01, Q half of the liquidity), and
 * never more than 2 % of the last hour's volume.
 */
export const getSizeMax = (liquidity_usd: number, volume_h1_usd: number): number =>
  Math.min((0.01 * (liquidity_usd / 2)) / 0.99, 0.02 * volume_h1_usd);

/** Facts whose absence leaves no judgement: who may print and freeze, and on EVM chains whether it can be sold. */
function lacksEvidence(facts: TokenFacts, { is_evm }: JudgeSubject): boolean {
  if (lacks(facts, "mint_active") || lacks(facts, "freeze_active")) return true;
  return is_evm && lacks(facts, "sell_blocked");
}

/** Two sources say who has power: of the mint, or of the contract. */
const isConfirmed = ({ mint_active, owner_active }: TokenFacts, { is_evm }: JudgeSubject): boolean =>
  (is_evm ? owner_active : mint_active).sources.length >= AUTHORITY_SOURCES_MIN;

function isClean(
  facts: TokenFacts,
  options: JudgeOptions,
  judged: { risk: number; coverage: number; unknown: number },
): boolean {
  const { value: age } = facts.age_min;
  const { value: liquidity } = facts.liquidity_usd;
  return (
    judged.risk <= CLEAN_RISK_MAX &&
    judged.coverage >= CLEAN_COVERAGE_MIN &&
    judged.unknown === 0 &&
    options.silent.length === 0 &&
    hasSale(facts) &&
    hasTop10(facts) &&
    CRITICAL.every((fact) => facts[fact].is_known) &&
    isConfirmed(facts, options) &&
    (age ?? 0) >= CLEAN_AGE_MIN &&
    (liquidity ?? 0) >= CLEAN_LIQUIDITY_MIN
  );
}

/** LR-1 (4.2, amendments 3): points, hard fails and caps to one of three words. Unknown never improves it. */
export function judge(facts: TokenFacts, options: JudgeOptions): Judgement {
  const factors = scoreFactors(facts, options.is_evm);
  const floors = findFloors(facts, options);
  const counted = factors.reduce((sum, { points }) => sum + points, 0);
  const risk = Math.min(100, Math.max(counted, floors.found.length > 0 ? RISK_MAX : 0));
  const points = factors.reduce((sum, { max_points }) => sum + max_points, 0);
  const missing = factors.filter(({ known }) => !known);
  const coverage = 1 - missing.reduce((sum, { max_points }) => sum + max_points, 0) / points;
  const fails = findHardFails(facts, options);
  const hard_fails = [...fails.found, ...floors.found];
  const caps = findCaps(facts, options);
  const open = [...fails.unknown, ...floors.unknown, ...caps.unknown];
  const [verdict, basis] = decide();
  function decide(): readonly [Verdict, Basis] {
    if (hard_fails.length > 0) return ["AVOID", "hard_fail"];
    if (lacksEvidence(facts, options) || coverage < COVERAGE_MIN) return ["AVOID", "insufficient_evidence"];
    if (risk >= RISK_MAX) return ["AVOID", "risk_score"];
    if (caps.found.length > CAPS_MAX) return ["AVOID", "capped"];
    if (caps.found.length > 0) return ["WATCH", "capped"];
    if (isClean(facts, options, { risk, coverage, unknown: open.length })) return ["SIZE", "clean"];
    const is_partial = open.length > 0 || options.silent.length > 0 || coverage < CLEAN_COVERAGE_MIN || !hasSale(facts);
    return ["WATCH", is_partial ? "partial_evidence" : "risk_score"];
  }
  const rules = fails.asked + floors.asked + caps.asked;
  const { value: liquidity } = facts.liquidity_usd;
  const { value: volume } = facts.volume_h1_usd;
  return {
    verdict,
    basis,
    risk,
    coverage,
    rules_known: 1 - open.length / rules,
    factors,
    hard_fails,
    caps: caps.found,
    unknown: [...missing.map(({ id }) => id), ...open],
    conflicts: Object.entries(facts).flatMap(([fact, { conflict }]) =>
      conflict ? [{ fact: fact as FactId, values: conflict }] : [],
    ),
    max_size_usd: verdict === "SIZE" && liquidity !== null && volume !== null ? getSizeMax(liquidity, volume) : null,
  };
}
