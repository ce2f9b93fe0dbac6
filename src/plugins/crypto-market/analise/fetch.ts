import { type FetchContext, type Outcome, outcomeOf } from "intel-node";
import type { FundingReading } from "intel-node/providers/funding-reading";
import { fetchCoinFunding } from "intel-node/providers/funding-venues";
import { fetchHyperliquidCoins } from "intel-node/providers/hyperliquid/coins";
import { hyperliquid } from "intel-node/providers/hyperliquid/provider";
import type { BarSeries } from "intel-node/series/bar-series";
import { loadBars } from "intel-node/series/load-bars";
import { computeRegime } from "../regimes/compute.ts";
import { loadRegimeInputs } from "../regimes/load.ts";
import { BARS_WANTED } from "../signals/model.ts";
import { UNIVERSE_10 } from "../universe/universe.ts";
import { refuseSymbol } from "./symbol.ts";

const DAYS_WANTED = 400;
/** An average of 200 days with some days before it. */
const DAYS_MIN = 250;
const FOUR_HOURS_MIN = 200;

export interface AnaliseInputs {
  readonly symbol: string;
  readonly daily: BarSeries;
  readonly four_hours: Outcome<BarSeries>;
  readonly funding: Outcome<FundingReading>;
  /** Score of the market regime; null when unavailable. */
  readonly regime: number | null;
}

/**
 * Hyperliquid's name of the coin; those of a tiny price are listed by the thousand.
 * @throws NodeError invalid_parameter when it is not; what the venue throws when it cannot be asked.
 */
async function getListedName(context: FetchContext, symbol: string): Promise<string> {
  if (UNIVERSE_10.some((known) => known === symbol)) return symbol;
  const coins = await context.first("the list of coins", [
    { provider: hyperliquid, run: () => fetchHyperliquidCoins(context) },
  ]);
  const name = [symbol, `k${symbol}`].find((one) => coins.has(one));
  if (name === undefined) throw refuseSymbol(symbol, "no listed coin has this ticker", coins.keys());
  return name;
}

/**
 * The coin's daily bars.
 * @throws NodeError invalid_parameter when it has too few of them, else when no source has them.
 */
async function loadDaily(context: FetchContext, symbol: string): Promise<BarSeries> {
  const request = { symbol, interval: "1d", grace: true } as const;
  const long = await outcomeOf(loadBars(context, { ...request, count: DAYS_WANTED, count_min: DAYS_MIN }));
  if (long.ok) return long.value;
  if (!UNIVERSE_10.some((known) => known === symbol)) {
    const short = await outcomeOf(loadBars(context, { ...request, count: 1 }));
    if (short.ok) throw refuseSymbol(symbol, `fewer than ${DAYS_MIN} daily bars`);
  }
  throw long.error;
}

/** Everything at once; only the daily bars are essential. */
export async function fetchAnalise(context: FetchContext, { symbol }: { readonly symbol: string }) {
  const name = await getListedName(context, symbol);
  const [daily, four_hours, funding, market] = await Promise.all([
    loadDaily(context, symbol),
    outcomeOf(
      loadBars(context, { symbol, interval: "4h", count: BARS_WANTED, count_min: FOUR_HOURS_MIN, grace: true }),
    ),
    outcomeOf(fetchCoinFunding(context, symbol, name)),
    outcomeOf(loadRegimeInputs(context)),
  ]);
  const regime = market.ok ? (computeRegime(market.value)?.score ?? null) : null;
  return { symbol, daily, four_hours, funding, regime } satisfies AnaliseInputs;
}
