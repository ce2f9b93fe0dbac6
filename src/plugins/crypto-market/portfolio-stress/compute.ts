import { type Computed, type Draft, missing, missingIn, NodeError, toNodeError } from "intel-node";
import { getOLSBeta } from "intel-node/quant/correlation";
import type { BarSeries } from "intel-node/series/bar-series";
import { HISTORICAL_SCENARIOS, isStablecoin } from "../portfolio/historical-scenarios.ts";
import {
  chooseBeta,
  runHistorical,
  runHypothetical,
  type ScenarioResult,
  type StressedAsset,
} from "../portfolio/scenarios.ts";
import { alignReturns, getLastCommonDay } from "../returns/aligned-returns.ts";
import { BARS_MIN, type StressInputs } from "./fetch.ts";
import { describeRisk, type HeldAsset, measureRisk } from "./risk-figures.ts";
import type { StressData } from "./schema.ts";

const BETA_DAYS = 180;

/** Slope of an asset's daily log returns over Bitcoin's, last 180 days; null without enough of them. */
function getBeta(series: BarSeries | undefined, bitcoin: BarSeries | undefined): number | null {
  if (!series || !bitcoin) return null;
  if (series.symbol === bitcoin.symbol) return 1;
  const days = Math.min(BETA_DAYS, series.bars.length - 1, bitcoin.bars.length - 1);
  const last_ms = getLastCommonDay([series, bitcoin]) ?? 0;
  // One of the two can be a day ahead of the other.
  const recent = [bitcoin, series].map(({ symbol, bars }) => ({ symbol, bars: bars.slice(-(days + 2)) }));
  const { symbols, returns } = alignReturns(recent, days, last_ms);
  return symbols.length < 2 ? null : getOLSBeta(returns[0] ?? [], returns[1] ?? []);
}

/** @throws NodeError when not one position has a price. */
function getHeld({ positions, prices, errors }: StressInputs): HeldAsset[] {
  const held = positions.flatMap(({ asset, quantity }) => {
    const price = prices.get(asset);
    return price ? [{ asset, value_usd: quantity * price.price_usd }] : [];
  });
  if (held.length > 0) return held;
  if (errors.length > 0) throw toNodeError(errors, "portfolio-stress");
  throw new NodeError(
    "no_priced_asset",
    "None of the assets has a price here: they are tickers of coins, such as BTC, not of shares. Nothing was charged.",
    {
      param: "positions",
      details: { parameter: "positions", unpriced: positions.map(({ asset }) => asset) },
    },
  );
}

function describePositions(
  { positions, prices }: StressInputs,
  assets: readonly StressedAsset[],
  gross_usd: number,
): Draft<StressData["positions"]> {
  const unpriced = positions.flatMap(({ asset }) => (prices.has(asset) ? [] : [asset]));
  const no_price = `no source has a price of ${unpriced.join(", ")}; in no other figure`;
  return positions.map(({ asset, quantity }) => {
    const price = prices.get(asset);
    const stressed = isStablecoin(asset) ? undefined : assets.find((one) => one.asset === asset);
    if (!price) {
      const unknown = { price_usd: null, value_usd: null, weight_frac: null, beta: null, source: null };
      return { asset, quantity, ...missingIn(unknown, no_price), priced: false };
    }
    const value_usd = quantity * price.price_usd;
    return {
      asset,
      quantity,
      price_usd: price.price_usd,
      value_usd,
      weight_frac: value_usd / gross_usd,
      // Stablecoins have none.
      beta: stressed ? chooseBeta(stressed.beta).beta : null,
      source: price.source,
      priced: true,
    };
  });
}

const UNTOLD = "no position's result is known";
const UNWORTH = "the sum of the positions is not above 0";

const toPct = (part_usd: number | null, whole_usd: number): number | null =>
  part_usd === null || whole_usd <= 0 ? null : (100 * part_usd) / whole_usd;

interface Worth {
  /** Shorts subtracted. */
  readonly value_usd: number;
  readonly gross_usd: number;
}

/** Why a rule cannot tell what becomes of an asset. */
const whyUntold = ({ sigma }: StressedAsset): string =>
  `${sigma === null ? "nobody has its daily bars" : "nobody states its volume"}; it is not in the sum`;

function describeScenario(
  result: ScenarioResult,
  assets: readonly StressedAsset[],
  worth: Worth,
): Draft<StressData["scenarios"][number]> {
  const losers = result.rows.filter(({ pnl_usd }) => (pnl_usd ?? 0) < 0);
  const [worst] = losers.sort((a, b) => (a.pnl_usd ?? 0) - (b.pnl_usd ?? 0));
  return {
    id: result.id,
    kind: result.kind,
    from: result.from,
    to: result.to,
    pnl_usd: result.pnl_usd ?? missing(UNTOLD),
    pnl_gross_pct: toPct(result.pnl_usd, worth.gross_usd) ?? missing(UNTOLD),
    pnl_net_pct: worth.value_usd > 0 ? (toPct(result.pnl_usd, worth.value_usd) ?? missing(UNTOLD)) : missing(UNWORTH),
    worst_asset: worst?.asset ?? null,
    unfilled: [...result.unfilled],
    rows: result.rows.map(({ asset, shock_pct, shock_source, pnl_usd }) => {
      const stressed = assets.find((one) => one.asset === asset);
      const known = { asset, shock_pct, shock_source, pnl_usd };
      return stressed ? missingIn(known, whyUntold(stressed)) : known;
    }),
  };
}

const runScenarios = (assets: readonly StressedAsset[]): ScenarioResult[] => [
  ...HISTORICAL_SCENARIOS.map((scenario) => runHistorical(scenario, assets)),
  ...runHypothetical(assets),
];

/**
 * What a portfolio would lose, in dated falls, by rules, and by its own past. Pure.
 * @throws NodeError no_priced_asset, or upstream_unavailable when prices could not be read.
 */
export function computePortfolioStress(inputs: StressInputs): Computed<Draft<StressData>> {
  const held = getHeld(inputs);
  const series = inputs.series.filter(({ bars }) => bars.length >= BARS_MIN);
  const bitcoin = series.find(({ symbol }) => symbol === "BTC");
  const unpriced = inputs.positions.flatMap(({ asset }) => (inputs.prices.has(asset) ? [] : [asset]));
  const no_history = held.flatMap(({ asset }) =>
    isStablecoin(asset) || series.some(({ symbol }) => symbol === asset) ? [] : [asset],
  );
  const warnings: string[] = [...inputs.cell_faults];
  if (held.every(({ asset }) => inputs.prices.get(asset)?.is_dated === false)) {
    warnings.push("positions: no source of these prices states a time; they are taken to be as new as the call");
  }
  if (no_history.length > 0) {
    warnings.push(`no_history, var: nobody has ${BARS_MIN} daily bars of ${no_history.join(", ")}; left out`);
  }
  const risk = measureRisk(held, series, bitcoin);
  const assets = held.map(({ asset, value_usd }) => ({
    asset,
    value_usd,
    beta: getBeta(
      series.find(({ symbol }) => symbol === asset),
      bitcoin,
    ),
    sigma: risk?.sigmas.get(asset) ?? null,
    volume_usd: inputs.volumes_usd.get(asset) ?? null,
  }));
  if (!bitcoin) warnings.push("positions.beta: no daily bars of Bitcoin to measure it by");
  for (const { asset, beta } of assets) {
    const { why } = chooseBeta(beta);
    if (why !== null && !isStablecoin(asset)) warnings.push(`positions.${asset}.beta: ${why}`);
  }
  const value_usd = held.reduce((sum, one) => sum + one.value_usd, 0);
  const gross_usd = held.reduce((sum, one) => sum + Math.abs(one.value_usd), 0);
  const results = runScenarios(assets);
  const [worst] = results.filter(({ pnl_usd }) => pnl_usd !== null).sort((a, b) => (a.pnl_usd ?? 0) - (b.pnl_usd ?? 0));
  const times = held.flatMap(({ asset }) => inputs.prices.get(asset)?.at_ms ?? []);
  return {
    as_of_ms: Math.max(...times),
    data: {
      value_usd,
      gross_usd,
      positions: describePositions(inputs, assets, gross_usd),
      scenarios: results.map((result) => describeScenario(result, assets, { value_usd, gross_usd })),
      ...describeRisk(risk, warnings),
      no_history,
      unpriced,
      worst_scenario: worst?.id ?? "",
    },
    warnings,
  };
}
