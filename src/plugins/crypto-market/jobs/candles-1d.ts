import { defineJob } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import type { WantedSeries } from "intel-node/series/update-bars";
import { runCandles } from "../candles/run-candles.ts";
import { SECTOR_MEMBERS, UNIVERSE_20 } from "../universe/universe.ts";

/**
 * Windows to try, longest first. Backtests of Bitcoin and Ethereum take up to 1,200 bars, a year of ranks of a one-year
 * maximum 729, a year of ranks of a 90-day mean 454.
 */
const MAJOR_BARS = [1_200, 740, 700, 460];
const OTHER_BARS = [400, 100];
/** Ethereum trades since August 2017. */
const LONG_BARS: Readonly<Record<string, readonly number[]>> = { BTC: [3_600, 2_200], ETH: [3_300, 2_200] };
const MAJORS = Object.keys(LONG_BARS);

const OPTIONAL = [...new Set(SECTOR_MEMBERS)].filter((symbol) => !UNIVERSE_20.some((known) => known === symbol));

const daily = (symbol: string, reach: WantedSeries["reach"], counts: readonly number[]): WantedSeries => ({
  symbol,
  interval: "1d",
  reach,
  counts,
});

const WANTED: readonly WantedSeries[] = [
  ...[...UNIVERSE_20, ...OPTIONAL].map((symbol) =>
    daily(symbol, "usual", MAJORS.includes(symbol) ? MAJOR_BARS : OTHER_BARS),
  ),
  ...Object.entries(LONG_BARS).map(([symbol, counts]) => daily(symbol, "long", counts)),
];

/**
 * Stores the daily bars of the larger coins and of all sectors right after midnight, and years of Bitcoin's and
 * Ethereum's. It runs every hour because what failed then is tried again: what is complete is not asked for twice.
 */
export const job = defineJob({
  id: "candles-1d",
  schedule: "3 * * * *",
  providers: CANDLE_VENUES.map(({ provider }) => provider),
  at_start: true,
  deadline_ms: 300_000,
  run: (context) => runCandles(context, WANTED, OPTIONAL),
});
