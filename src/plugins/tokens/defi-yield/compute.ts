import { type Computed, type Draft, missing, NodeError, renderTime } from "intel-node";
import { median } from "intel-node/quant/stats";
import { findRewardToken, priceNameOf } from "../yields/prices.ts";
import { findRisks } from "../yields/risk-rules.ts";
import { getBelowPeg, getLocked, getRewards, sumRewards } from "./earnings.ts";
import { type Described, explainRow } from "./explain-row.ts";
import type { DefiYieldInputs, YieldHistory, YieldPrices } from "./fetch.ts";
import { DAY_MS, getDrawdown, getGrowth, getMeanRate } from "./growth.ts";
import type { DefiYieldData } from "./schema.ts";

/** The base yield by the rate of now, or by what the share grew; null without the samples it takes. */
function describeBase(history: YieldHistory) {
  const { reader, samples } = history;
  const rate = samples.at(-1)?.rate_apy_pct ?? null;
  const is_rate = rate !== null;
  const over = (days: number) => (is_rate ? getMeanRate(history, days) : getGrowth(history, days));
  const [d1, d7, d30] = [over(1), over(7), over(30)];
  const base_apy_pct = rate ?? (reader.days_min === 7 ? d7 : (d7 ?? d1));
  if (base_apy_pct === null) return null;
  const method = is_rate ? "rate" : d7 === null ? "share_price_1d" : "share_price_7d";
  return {
    base_apy_pct,
    method,
    base_apy_1d_pct: is_rate || reader.days_min !== 7 ? d1 : null,
    base_apy_7d_pct: d7,
    base_apy_30d_pct: d30,
  } as const;
}

function describePool(history: YieldHistory, prices: YieldPrices): readonly Described[] {
  const { reader, samples } = history;
  const last = samples.at(-1);
  const base = describeBase(history);
  if (!last || !base) return [];
  const locked = getLocked(history, prices);
  const rewards = getRewards(history, prices, locked.locked_usd);
  const reward_apr_pct = sumRewards(rewards);
  const figures = {
    utilization_pct: last.utilization_pct ?? null,
    cap_used_pct: last.cap_used_pct ?? null,
    share_drawdown_pct: getDrawdown(samples.flatMap(({ share_price }) => share_price ?? [])),
    is_paused: last.is_paused,
  };
  const ends = (rewards ?? []).flatMap(({ ends_at }) => (ends_at === null ? [] : Date.parse(ends_at)));
  const risks = findRisks({
    ...figures,
    ...base,
    reward_apr_pct,
    locked_usd: locked.locked_usd,
    is_rate: base.method === "rate",
    below_peg_pct: getBelowPeg(prices, reader.underlying),
    reward_days: ends.length === 0 ? null : (Math.min(...ends) - last.block_at_ms) / DAY_MS,
  });
  const row = {
    pool_id: reader.id,
    project: reader.project,
    chain: reader.chain,
    symbol: reader.symbol,
    contract: reader.contract,
    block_at: renderTime(last.block_at_ms),
    ...base,
    reward_apr_pct,
    total_pct: reward_apr_pct === null ? null : base.base_apy_pct + reward_apr_pct,
    rewards: rewards && [...rewards],
    underlying: reader.underlying,
    ...locked,
    ...figures,
    stablecoin: reader.is_stable,
    risks,
  };
  return [{ history, row }];
}

/** The prices that figures of these rows were made with. */
function listPrices(shown: readonly Described[], prices: YieldPrices) {
  const names = shown.flatMap(({ history: { reader }, row }) => [
    priceNameOf(reader.underlying),
    ...(row.rewards ?? []).flatMap(({ token }) => findRewardToken(reader.chain, token)?.symbol ?? []),
  ]);
  return [...new Set(names)].toSorted().flatMap((symbol) => {
    const price = prices.get(symbol);
    if (!price) return [];
    const { price_usd, updated_at_ms, chain, feed } = price;
    return [{ symbol, price_usd, updated_at: renderTime(updated_at_ms), source: `chainlink ${chain} ${feed}` }];
  });
}

/** @throws NodeError upstream_unavailable when no contract has enough samples for a yield yet. */
export function computeDefiYield(
  inputs: DefiYieldInputs,
  asked: { readonly protocol?: string; readonly asset?: string; readonly limit: number },
): Computed<Draft<DefiYieldData>> {
  const { histories, prices } = inputs;
  const all = histories
    .flatMap((history) => describePool(history, prices))
    .toSorted((a, b) => b.row.base_apy_pct - a.row.base_apy_pct);
  const rows = all.map(({ row }) => row);
  const [first] = rows;
  if (!first) throw new NodeError("upstream_unavailable", "Too few samples for a yield yet. Nothing was charged.");
  const shown = all.slice(0, asked.limit);
  const stable = rows.find(({ stablecoin }) => stablecoin);
  const worths = rows.flatMap(({ locked_usd }) => locked_usd ?? []);
  const waiting = histories.length - rows.length;
  return {
    as_of_ms: Math.min(
      inputs.read_at_ms,
      ...histories.map(({ samples }) => samples.at(-1)?.block_at_ms ?? inputs.read_at_ms),
    ),
    data: {
      protocol_filter: asked.protocol ?? null,
      asset_filter: asked.asset ?? null,
      pools_considered: inputs.considered,
      pools: shown.map(explainRow),
      prices: listPrices(shown, prices),
      summary: {
        median_apy_pct: median(rows.map(({ base_apy_pct }) => base_apy_pct)) ?? first.base_apy_pct,
        best_stable_apy_pct: stable?.base_apy_pct ?? missing("no stable row"),
        locked_usd: worths.length === 0 ? missing("no row has a price") : worths.reduce((sum, worth) => sum + worth, 0),
        unpriced: rows.length - worths.length,
      },
    },
    warnings: [
      ...(waiting > 0
        ? [`pools: ${waiting} shares are left out until this node has a day of samples of them, on Solana seven`]
        : []),
      ...(rows.length > shown.length ? [`pools: ${shown.length} of ${rows.length} rows; limit=50 shows all`] : []),
      "pools.total_pct: campaigns that no contract of a protocol knows, such as Merkl's, are not in it",
    ],
  };
}
