import { defineJob } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import type { WantedSeries } from "intel-node/series/update-bars";
import { runCandles } from "../candles/run-candles.ts";
import { UNIVERSE_10 } from "../universe/universe.ts";

/** Signals take 400 bars. */
const WANTED = UNIVERSE_10.map(
  (symbol): WantedSeries => ({ symbol, interval: "4h", reach: "usual", counts: [460, 400] }),
);

/**
 * Stores bars of four hours a minute after they close. It runs every hour because what failed then is tried again: what
 * is complete is not asked for twice.
 */
export const job = defineJob({
  id: "candles-4h",
  schedule: "1 * * * *",
  providers: CANDLE_VENUES.map(({ provider }) => provider),
  at_start: true,
  deadline_ms: 60_000,
  run: (context) => runCandles(context, WANTED),
});
