import { type Computed, NodeError, renderTime } from "intel-node";
import { median } from "intel-node/quant/stats";
import { annualise } from "../shared/yields/protocol.ts";
import type { DefiYieldInputs, YieldHistory } from "./fetch.ts";
import type { DefiYieldData } from "./schema.ts";

type Row = DefiYieldData["pools"][number];
const DAY_MS = 86_400_000;
/** A sample may lie this part of the stretch off its end. */
const TOLERANCE = 0.25;

/** What a share grew over some days, in a year; null without a sample of about then. */
export function getGrowth({ samples }: Pick<YieldHistory, "samples">, days: number): number | null {
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
function getMeanRate({ samples }: YieldHistory, days: number): number | null {
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

function describePool(history: YieldHistory): readonly Row[] {
  const { reader, samples } = history;
  const last = samples.at(-1);
  if (!last) return [];
  const is_rate = last.rate_apy_pct !== null;
  const over = (days: number) => (is_rate ? getMeanRate(history, days) : getGrowth(history, days));
  const [d1, d7, d30] = [over(1), over(7), over(30)];
  const grown = reader.days_min === 7 ? d7 : (d7 ?? d1);
  const apy_pct = last.rate_apy_pct ?? grown;
  if (apy_pct === null) return [];
  const method = is_rate ? "rate" : d7 === null ? "share_price_1d" : "share_price_7d";
  const prices = samples.flatMap(({ share_price }) => share_price ?? []);
  return [
    {
      ...{ pool_id: reader.id, project: reader.project, chain: reader.chain, symbol: reader.symbol },
      ...{ contract: reader.contract, block_at: renderTime(last.block_at_ms), apy_pct, method },
      ...{ apy_1d_pct: is_rate || reader.days_min !== 7 ? d1 : null, apy_7d_pct: d7, apy_30d_pct: d30 },
      ...{ utilization_pct: last.utilization_pct ?? null, cap_used_pct: last.cap_used_pct ?? null },
      ...{ share_drawdown_pct: getDrawdown(prices), is_paused: last.is_paused, stablecoin: reader.is_stable },
    },
  ];
}

/** @throws NodeError upstream_unavailable when no contract has enough samples for a yield yet. */
export function computeDefiYield(
  inputs: DefiYieldInputs,
  asked: { readonly protocol?: string; readonly limit: number },
): Computed<DefiYieldData> {
  const rows = inputs.histories.flatMap(describePool).sort((a, b) => b.apy_pct - a.apy_pct);
  const [first] = rows;
  if (!first) throw new NodeError("upstream_unavailable", "Too few samples for a yield yet. Nothing was charged.");
  const stable = rows.find(({ stablecoin }) => stablecoin);
  const waiting = inputs.histories.length - rows.length;
  return {
    as_of_ms: Math.min(
      inputs.read_at_ms,
      ...inputs.histories.map(({ samples }) => samples.at(-1)?.block_at_ms ?? inputs.read_at_ms),
    ),
    data: {
      protocol_filter: asked.protocol ?? null,
      pools_considered: inputs.considered,
      pools: rows.slice(0, asked.limit),
      summary: {
        median_apy_pct: median(rows.map(({ apy_pct }) => apy_pct)) ?? first.apy_pct,
        best_stable_apy_pct: stable?.apy_pct ?? null,
      },
    },
    warnings: [
      "pools: base yields by the protocols' own contracts; rewards on top and value locked are not read",
      ...(waiting > 0
        ? [`pools: ${waiting} shares are left out until this node has a day of samples of them, on Solana seven`]
        : []),
      ...(stable ? [] : ["summary.best_stable_apy_pct: no stable row"]),
    ],
  };
}
