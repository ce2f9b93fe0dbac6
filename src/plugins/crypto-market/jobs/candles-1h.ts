import { defineJob } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import type { WantedSeries } from "intel-node/series/update-bars";
import { runCandles } from "../candles/run-candles.ts";
import { UNIVERSE_20 } from "../universe/universe.ts";

/** Thirty days; one bar fewer where the venue's 720 include the open one. */
const COUNTS = [720, 719];

const WANTED = UNIVERSE_20.map((symbol): WantedSeries => ({ symbol, interval: "1h", reach: "usual", counts: COUNTS }));

/** Stores bars of one hour a minute after they close. Later runs append to what is stored. */
export const job = defineJob({
  id: "candles-1h",
  schedule: "1 * * * *",
  providers: CANDLE_VENUES.map(({ provider }) => provider),
  at_start: true,
  deadline_ms: 120_000,
  run: (context) => runCandles(context, WANTED),
});
