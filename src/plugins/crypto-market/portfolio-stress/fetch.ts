import { type FetchContext, toNodeError } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import type { BarSeries } from "intel-node/series/bar-series";
import { hasNoHistory, loadManyBars } from "intel-node/series/load-bars";
import { readCellFaults } from "../portfolio/cell-check.ts";
import { isStablecoin } from "../portfolio/historical-scenarios.ts";
import { withoutLastDay } from "../returns/aligned-returns.ts";
import type { HeldPosition } from "./positions.ts";
import { type AssetPrice, type Prices, readPrices } from "./prices.ts";

/** A year of returns, and a day more for the preview. */
const BARS = 367;
/** With fewer an asset has no history to speak of. */
export const BARS_MIN = 120;

export interface StressInputs extends Prices {
  readonly positions: readonly HeldPosition[];
  /** Daily bars of Bitcoin and of the priced assets that have them. */
  readonly series: readonly BarSeries[];
  /** Where the table of scenarios is not what the node's own closes say. */
  readonly cell_faults: readonly string[];
}

/**
 * Prices first: bars are asked for only of what is known to exist.
 * @throws NodeError when a price or bars that may exist could not be read.
 */
export async function fetchPortfolioStress(
  context: FetchContext,
  positions: readonly HeldPosition[],
): Promise<StressInputs> {
  const prices = await readPrices(
    context,
    positions.map(({ asset }) => asset),
  );
  if (prices.unread.length > 0) throw toNodeError(prices.errors, `A price of ${prices.unread.join(", ")}`);
  const priced = [...prices.prices.keys()].filter((asset) => !isStablecoin(asset));
  const symbols = priced.length === 0 ? [] : [...new Set(["BTC", ...priced])];
  const outcomes = await loadManyBars(
    context,
    symbols.map((symbol) => ({ symbol, interval: "1d", count: BARS, count_min: BARS_MIN, grace: true })),
  );
  // An unread history is not a short one: without it the risk would be that of another portfolio.
  const unread = outcomes.flatMap((outcome) => (outcome.ok || hasNoHistory(outcome.error) ? [] : [outcome.error]));
  if (unread.length > 0) throw toNodeError(unread, "portfolio-stress");
  return {
    ...prices,
    positions,
    series: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])),
    cell_faults: await readCellFaults(context),
  };
}

/** The same portfolio at the close before the newest one, without volumes. Null when an asset has no such close. */
export function rewindPortfolioStress(inputs: StressInputs): StressInputs | null {
  const series = withoutLastDay(inputs.series);
  const prices = new Map<string, AssetPrice>();
  for (const { asset } of inputs.positions) {
    const found = series.find(({ symbol }) => symbol === asset);
    const last = found?.bars.at(-1);
    if (!found || !last) return null;
    prices.set(asset, { price_usd: last.close, source: found.provider, at_ms: last.t_ms + DAY_MS });
  }
  return { ...inputs, series, prices, volumes_usd: new Map() };
}
