import type { CreditPart } from "./schema.ts";

/** The inputs of the parts; null is unknown. */
export interface CreditFacts {
  readonly age_days: number | null;
  readonly active_months: number | null;
  readonly tx_count: number | null;
  readonly balance_usd: number | null;
  readonly counterparties: number | null;
  /** Aave v3: null where it cannot be read, "none" without a debt, else the health factor. */
  readonly health: number | "none" | null;
  /** Payments to this node that settled; null when its books could not be read. */
  readonly settled: number | null;
}

const upTo = (value: number): number => Math.min(1, Math.max(0, value));

/** Points of a health factor: steep where a liquidation is near. */
export function scoreHealth(health: number | "none"): number {
  if (health === "none") return 75;
  if (health >= 2) return 150;
  if (health >= 1.5) return 110 + (40 * (health - 1.5)) / 0.5;
  if (health >= 1.2) return 60 + (50 * (health - 1.2)) / 0.3;
  return health >= 1.05 ? (60 * (health - 1.05)) / 0.15 : 0;
}

const part = (id: CreditPart["id"], max: number, [points, evidence]: readonly [number | null, string]): CreditPart => ({
  id,
  max,
  evidence,
  points: points === null ? null : Math.min(max, Math.max(0, points)),
});

/** The six parts of the score; the README has the formulas. */
export function scoreParts(facts: CreditFacts): readonly CreditPart[] {
  const { age_days, active_months, tx_count, balance_usd, counterparties, health, settled } = facts;
  const activity =
    active_months === null || tx_count === null
      ? null
      : (100 * active_months) / 12 + 50 * upTo(Math.log(1 + tx_count) / Math.log(2001));
  const of = (value: number | null, score: (known: number) => number): number | null =>
    value === null ? null : score(value);
  return [
    part("age", 200, [
      of(age_days, (days) => 200 * upTo(Math.log(1 + days) / Math.log(1461))),
      age_days === null ? "not known" : `${age_days.toFixed(0)} days`,
    ]),
    part("activity", 150, [activity, `${active_months ?? "?"} of 12 months, ${tx_count ?? "?"} transactions`]),
    part("balance", 200, [
      of(balance_usd, (usd) => 200 * upTo(Math.log(1 + usd / 100) / Math.log(1001))),
      balance_usd === null ? "nothing has a price" : `${balance_usd.toFixed(0)} USD`,
    ]),
    part("diversity", 100, [of(counterparties, (many) => 2 * many), `${counterparties ?? "?"} counterparties`]),
    part("leverage", 150, [
      health === null ? null : scoreHealth(health),
      health === null ? "not known" : health === "none" ? "no debt" : `health factor ${health.toFixed(2)}`,
    ]),
    part("payment", 100, [
      of(settled, (many) => ((100 * (many + 1)) / (many + 2)) * upTo(many / 10)),
      settled === null ? "not known" : `${settled} payments to this node`,
    ]),
  ];
}
