import { annualise } from "../yields/protocol.ts";
import type { YieldHistory } from "./fetch.ts";

type Samples = Pick<YieldHistory, "samples">;
export const DAY_MS = 86_400_000;
/** A sample can be off its end by this part of the period. */
const TOLERANCE = 0.25;

/** What a share grew over some days, in a year; null without a sample of about then. */
export function getGrowth({ samples }: Samples, days: number): number | null {
  const last = samples.at(-1);
  if (!last || last.share_price === null) return null;
  const then_ms = last.block_at_ms - days * DAY_MS;
  const near = samples
    .filter((one) => one.share_price !== null && Math.abs(one.block_at_ms - then_ms) <= TOLERANCE * days * DAY_MS)
    .toSorted((a, b) => Math.abs(a.block_at_ms - then_ms) - Math.abs(b.block_at_ms - then_ms));
  const [then] = near;
  if (!then || then.share_price === null || then === last) return null;
  return annualise(last.share_price, then.share_price, (last.block_at_ms - then.block_at_ms) / DAY_MS);
}

/** Mean of the rates of some days; null when the samples do not reach back. */
export function getMeanRate({ samples }: Samples, days: number): number | null {
  const last = samples.at(-1);
  const [first] = samples;
  if (!last || !first || last.block_at_ms - first.block_at_ms < (1 - TOLERANCE) * days * DAY_MS) return null;
  const since = last.block_at_ms - days * DAY_MS;
  const rates = samples.flatMap((one) =>
    one.block_at_ms >= since && one.rate_apy_pct !== null ? [one.rate_apy_pct] : [],
  );
  return rates.length < 2 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

/** Largest fall from the highest share price before it, percent. */
export function getDrawdown(prices: readonly number[]): number | null {
  let [highest, worst] = [0, 0];
  for (const price of prices) {
    highest = Math.max(highest, price);
    worst = Math.max(worst, 1 - price / highest);
  }
  return prices.length === 0 ? null : worst * 100;
}

/** At each sample what the share had grown over the days before it, in a year; none without a sample of about then. */
export function listGrowth({ samples }: Samples, days: number): readonly (readonly [at_ms: number, pct: number])[] {
  const priced = samples.filter(({ share_price }) => share_price !== null);
  let start = 0;
  return priced.flatMap((last, index) => {
    const then_ms = last.block_at_ms - days * DAY_MS;
    const distance = (at: number): number => Math.abs((priced[at]?.block_at_ms ?? Number.NaN) - then_ms);
    while (start + 1 < index && distance(start + 1) <= distance(start)) start += 1;
    const then = priced[start];
    if (!then || start === index || distance(start) > TOLERANCE * days * DAY_MS) return [];
    const days_between = (last.block_at_ms - then.block_at_ms) / DAY_MS;
    return [[last.at_ms, annualise(last.share_price ?? 0, then.share_price ?? 0, days_between)] as const];
  });
}
