import { getOwn } from "intel-node";
import { type HistoricalScenario, isStablecoin } from "./historical-scenarios.ts";

/** What scenarios need to know of one asset. */
export interface StressedAsset {
  readonly asset: string;
  /** Below 0 when sold short. */
  readonly value_usd: number;
  /** Slope of its daily log returns over Bitcoin's; null without enough history. */
  readonly beta: number | null;
  /** Standard deviation of its daily return; null without enough history. */
  readonly sigma: number | null;
  /** Traded in the last 24 hours, US dollars; null when not stated. */
  readonly volume_usd: number | null;
}

export interface ScenarioRow {
  readonly asset: string;
  /** Null where unknown. */
  readonly shock_pct: number | null;
  readonly shock_source: "table" | "beta" | "rule";
  readonly pnl_usd: number | null;
}

export interface ScenarioResult {
  readonly id: string;
  readonly kind: "historical" | "hypothetical";
  readonly from: string | null;
  readonly to: string | null;
  /** Sum over the assets with a known result; null without one. */
  readonly pnl_usd: number | null;
  readonly rows: readonly ScenarioRow[];
  /** Assets that could not be sold within a day, by the rule of liquidity_exit. */
  readonly unfilled: readonly string[];
}

const BETA_MAX = 3;
/** Of an asset whose own says nothing of how it falls with Bitcoin. */
const BETA_ASSUMED = 1;
/** An asset cannot lose more than it is worth. */
const SHOCK_MIN = -0.99;

type Shock = Pick<ScenarioRow, "shock_pct" | "shock_source">;

const toRow = ({ asset, value_usd }: StressedAsset, { shock_pct, shock_source }: Shock): ScenarioRow => ({
  asset,
  // Adding 0 makes -0 an ordinary 0.
  shock_pct: shock_pct === null ? null : shock_pct + 0,
  shock_source,
  pnl_usd: shock_pct === null ? null : (value_usd * shock_pct) / 100 + 0,
});

const sumOf = (rows: readonly ScenarioRow[]): number | null => {
  const known = rows.flatMap(({ pnl_usd }) => pnl_usd ?? []);
  return known.length === 0 ? null : known.reduce((sum, pnl) => sum + pnl, 0);
};

/** The slope that a scenario takes, and why it is not the measured one; null where it is. */
export interface ChosenBeta {
  readonly beta: number;
  readonly why: string | null;
}

/**
 * The measured slope up to 3. One that is unknown, or not above 0, is 1: a chance of the last months must not make a
 * crash look harmless.
 */
export function chooseBeta(measured: number | null): ChosenBeta {
  if (measured === null) return { beta: BETA_ASSUMED, why: `not measured, ${BETA_ASSUMED} is assumed` };
  if (!(measured > 0))
    return { beta: BETA_ASSUMED, why: `measured ${measured.toFixed(2)}, ${BETA_ASSUMED} is assumed` };
  return measured > BETA_MAX
    ? { beta: BETA_MAX, why: `measured ${measured.toFixed(2)}, cut to ${BETA_MAX}` }
    : { beta: measured, why: null };
}

/** The table's figure; 0 for stablecoins; else the asset's chosen beta times Bitcoin's figure. */
function getHistoricalShock({ shocks_pct }: HistoricalScenario, { asset, beta }: StressedAsset): Shock {
  const known = getOwn(shocks_pct, asset);
  if (known !== undefined) return { shock_pct: known, shock_source: "table" };
  if (isStablecoin(asset)) return { shock_pct: 0, shock_source: "rule" };
  const shock_pct = Math.max(SHOCK_MIN * 100, chooseBeta(beta).beta * (shocks_pct.BTC ?? 0));
  return { shock_pct, shock_source: "beta" };
}

export function runHistorical(scenario: HistoricalScenario, assets: readonly StressedAsset[]): ScenarioResult {
  const rows = assets.map((one) => toRow(one, getHistoricalShock(scenario, one)));
  const { id, from, to } = scenario;
  return { id, kind: "historical", from, to, pnl_usd: sumOf(rows), rows, unfilled: [] };
}

const runRule = (
  id: string,
  assets: readonly StressedAsset[],
  getShock: (asset: StressedAsset) => number | null,
): ScenarioResult => {
  const rows = assets.map((one) => toRow(one, { shock_pct: getShock(one), shock_source: "rule" }));
  return { id, kind: "hypothetical", from: null, to: null, pnl_usd: sumOf(rows), rows, unfilled: [] };
};

const SIGMAS = 3;
const BASE_COST = 0.001;
/** More than this share of a day's volume is not sold in a day. */
const FILLED_RATIO_MAX = 0.1;

/**
 * Cost of leaving a position within a day, a fraction of its value: 0.1 % and the square root of its share of the day's
 * volume times the daily deviation (square-root impact: Almgren, Thum, Hauptmann and Li, Risk 18, 2005; Tóth et al.,
 * Physical Review X 1, 2011). Null without volume or deviation.
 */
export function getExitCost({ asset, value_usd, volume_usd, sigma }: StressedAsset): number | null {
  if (isStablecoin(asset)) return BASE_COST;
  if (volume_usd === null || sigma === null || volume_usd <= 0) return null;
  return BASE_COST + Math.sqrt(Math.abs(value_usd) / volume_usd) * sigma;
}

const isUnfilled = ({ asset, value_usd, volume_usd }: StressedAsset): boolean =>
  !isStablecoin(asset) && volume_usd !== null && Math.abs(value_usd) > FILLED_RATIO_MAX * volume_usd;

/** Costs money whether long or short: a shock against the position. Nobody loses more than all of what is his. */
const against = ({ value_usd }: StressedAsset, fraction: number | null): number | null =>
  fraction === null ? null : value_usd > 0 ? Math.max(SHOCK_MIN, -fraction) * 100 : fraction * 100;

/** Five falls that did not happen. */
export function runHypothetical(assets: readonly StressedAsset[]): ScenarioResult[] {
  const exit = runRule("liquidity_exit", assets, (one) => against(one, getExitCost(one)));
  return [
    runRule("all_crypto_down_50", assets, ({ asset }) => (isStablecoin(asset) ? 0 : -50)),
    runRule("alts_down_60_btc_down_30", assets, ({ asset }) => {
      if (isStablecoin(asset)) return 0;
      return asset === "BTC" ? -30 : -60;
    }),
    // With every correlation at 1 against the positions, their deviations add up.
    runRule("correlation_1_3_sigma", assets, (one) =>
      isStablecoin(one.asset) ? 0 : against(one, one.sigma === null ? null : SIGMAS * one.sigma),
    ),
    runRule("stablecoins_down_10", assets, ({ asset }) => (isStablecoin(asset) ? -10 : 0)),
    { ...exit, unfilled: assets.filter(isUnfilled).map(({ asset }) => asset) },
  ];
}
