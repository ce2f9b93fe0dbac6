import type { FactId, TokenFacts } from "../facts/fact.ts";

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
type Range = readonly [from: number, to: number];

/** 0 at and below the first bound, `most` at and above the second, a straight line between. */
export const lin = (x: number, [from, to]: Range, most: number): number => most * clamp((x - from) / (to - from));
/** 0 at and above the first bound, `most` at and below the second, straight in the logarithm between. */
export const logdec = (x: number, [high, low]: Range, most: number): number =>
  x <= 0 ? most : most * clamp(Math.log(high / x) / Math.log(high / low));

type Values = Readonly<Record<FactId, number | null>>;
/** Points of a factor; null when what it needs is not known. */
type Score = (values: Values, is_evm: boolean) => number | null;

export interface FactorRule {
  readonly id: string;
  readonly max: number;
  /** The facts it is made of; the first is the value shown. */
  readonly facts: readonly FactId[];
  readonly unit: string;
  /** The value shown, where it is not simply the first fact's. */
  readonly shown?: (values: Values) => number | null;
  readonly score: Score;
  readonly on_evm?: false;
}

const one =
  (fact: FactId, score: (value: number) => number): Score =>
  (values) => {
    const value = values[fact];
    return value === null ? null : score(value);
  };

/** The share of the ten largest, or its upper bound where fewer are listed: the larger of the known values. */
function getTop10Worst({ top10_pct, top10_max_pct }: Values): number | null {
  const known = [top10_pct, top10_max_pct].filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** LR-1: thirteen factors of 130 points (the product file's section 4.2). Higher is worse. */
const FACTORS: readonly FactorRule[] = [
  {
    id: "top10",
    max: 20,
    unit: "pct",
    facts: ["top10_pct", "top10_max_pct"],
    shown: getTop10Worst,
    score: (values) => {
      const worst = getTop10Worst(values);
      return worst === null ? null : lin(worst, [15, 50], 20);
    },
  },
  { id: "top1", max: 10, unit: "pct", facts: ["top1_pct"], score: one("top1_pct", (x) => lin(x, [3, 20], 10)) },
  {
    id: "creator",
    max: 10,
    unit: "pct",
    facts: ["creator_pct"],
    score: one("creator_pct", (x) => lin(x, [2, 15], 10)),
  },
  {
    id: "insider",
    max: 15,
    unit: "pct",
    facts: ["insider_pct"],
    score: one("insider_pct", (x) => lin(x, [2, 20], 15)),
    on_evm: false,
  },
  {
    id: "lp",
    max: 15,
    unit: "pct_locked",
    facts: ["lp_locked_pct", "on_curve"],
    score: ({ on_curve, lp_locked_pct }) => {
      if (on_curve === 1) return 5;
      return lp_locked_pct === null ? null : (15 * (100 - lp_locked_pct)) / 100;
    },
  },
  {
    id: "liquidity",
    max: 10,
    unit: "usd",
    facts: ["liquidity_usd"],
    score: one("liquidity_usd", (x) => logdec(x, [100_000, 5_000], 10)),
  },
  { id: "age", max: 8, unit: "min", facts: ["age_min"], score: one("age_min", (x) => logdec(x, [1_440, 10], 8)) },
  {
    id: "creator_history",
    max: 12,
    unit: "launches",
    facts: ["prior_launches", "prior_rug"],
    score: ({ prior_launches, prior_rug }, is_evm) => {
      if (prior_rug === 1) return 12;
      // On EVM chains no source counts launches: only whether the creator made traps is known.
      if (is_evm && prior_launches === null) return prior_rug;
      return prior_launches === null ? null : lin(prior_launches, [2, 20], 6);
    },
  },
  {
    id: "flow",
    max: 8,
    unit: "sells_h1",
    facts: ["sells_h1", "buys_h1"],
    score: ({ buys_h1, sells_h1 }) => {
      if (buys_h1 === null || sells_h1 === null) return null;
      const trades = buys_h1 + sells_h1;
      return trades < 20 ? 4 : 8 * clamp((0.3 - sells_h1 / trades) / 0.2);
    },
  },
  {
    id: "transfer_fee",
    max: 10,
    unit: "bps",
    facts: ["fee_bps"],
    score: one("fee_bps", (x) => lin(x, [0, 1_000], 10)),
  },
  {
    id: "metadata",
    max: 3,
    unit: "mutable",
    facts: ["metadata_mutable"],
    score: one("metadata_mutable", (x) => (x === 1 ? 3 : 0)),
  },
  {
    id: "identity",
    max: 4,
    unit: "verified",
    facts: ["verified", "has_link"],
    score: ({ verified, has_link }) => {
      if (verified === 1) return 0;
      return verified === null || has_link === null ? null : has_link === 1 ? 2 : 4;
    },
  },
  {
    id: "provider_alarm",
    max: 5,
    unit: "level",
    facts: ["alarm"],
    score: ({ alarm }, is_evm) => (alarm === null ? null : is_evm ? lin(alarm, [1, 60], 5) : lin(alarm, [20, 80], 5)),
  },
];

/** Whether that is one of the factors, and no rule. */
export const isFactor = (id: string): boolean => FACTORS.some((factor) => factor.id === id);

/** Part of its points an unknown factor counts for at the least. */
const UNKNOWN_RATIO = 0.6;

export interface RiskFactor {
  readonly id: string;
  readonly value: number | null;
  readonly unit: string;
  readonly points: number;
  readonly max_points: number;
  readonly known: boolean;
  readonly sources: readonly string[];
}

const valuesOf = (facts: TokenFacts): Values =>
  Object.fromEntries(Object.entries(facts).map(([id, { value }]) => [id, value])) as Values;
const knownOf = (facts: TokenFacts): Values =>
  Object.fromEntries(Object.entries(facts).map(([id, fact]) => [id, fact.is_known ? fact.value : null])) as Values;

/** Scores every factor that applies: unknown ones at 0.6 of their points, or at what they were last seen at. */
export function scoreFactors(facts: TokenFacts, is_evm: boolean): readonly RiskFactor[] {
  const [values, known] = [valuesOf(facts), knownOf(facts)];
  return FACTORS.filter(({ on_evm }) => !is_evm || on_evm !== false).map((rule) => {
    const is_known = rule.score(known, is_evm) !== null;
    const standing = rule.score(values, is_evm) ?? 0;
    const [first] = rule.facts;
    return {
      id: rule.id,
      value: rule.shown?.(values) ?? (first === undefined ? null : values[first]),
      unit: rule.unit,
      points: is_known ? standing : Math.max(UNKNOWN_RATIO * rule.max, standing),
      max_points: rule.max,
      known: is_known,
      sources: [...new Set(rule.facts.flatMap((fact) => facts[fact].sources))],
    };
  });
}
