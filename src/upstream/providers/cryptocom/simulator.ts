import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedBook } from "../simulated-book.ts";
import { getSimulatedBars, isListed, readLimit, readWhole, renderPrice, unknownPath } from "../simulated-market.ts";

const BARS_MAX = 300;
const MINUTE_MS = 60_000;
const TIMEFRAMES_MS: Readonly<Record<string, number>> = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "30m": 30 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "2h": 120 * MINUTE_MS,
  "4h": 240 * MINUTE_MS,
  "12h": 720 * MINUTE_MS,
  "1D": 1440 * MINUTE_MS,
};

export const simulator = defineSimulator({
  provider: "cryptocom",
  respond({ path, query }, world) {
    const instrument_name = query.get("instrument_name") ?? "";
    const symbol = instrument_name.endsWith("_USD") ? instrument_name.slice(0, -4) : undefined;
    const method = path.slice(1);
    const fail = (code: number, message: string) => ({ json: { id: -1, method, code, message }, status: 400 });
    if (method !== "public/get-book" && method !== "public/get-candlestick") return unknownPath();
    if (!isListed(symbol)) return fail(40004, "Invalid instrument_name");
    const answer = (result: object) => ({ json: { id: -1, method, code: 0, result } });
    if (method === "public/get-book") {
      const depth = readLimit(query.get("depth"), 50, 50);
      const book = getSimulatedBook(world, { venue: "cryptocom", symbol, levels: depth });
      const side = (rows: [string, string][]) => rows.map(([price, quantity]) => [price, quantity, "2"]);
      const data = [{ bids: side(book.bids), asks: side(book.asks), t: Math.floor(world.now()) }];
      return answer({ instrument_name, depth, data });
    }
    const interval = query.get("timeframe") ?? "5m";
    const step_ms = TIMEFRAMES_MS[interval];
    if (step_ms === undefined) return fail(40003, "Invalid timeframe");
    const bars = getSimulatedBars(world, {
      symbol,
      venue: "cryptocom",
      step_ms,
      from_ms: readWhole(query.get("start_ts")) ?? 0,
      // The end is not part of the window there.
      to_ms: (readWhole(query.get("end_ts")) ?? world.now() + 1) - 1,
      bars_max: readLimit(query.get("count"), 25, BARS_MAX),
      keep: "newest",
    });
    const data = bars.map((bar) => ({
      o: renderPrice(bar.open),
      h: renderPrice(bar.high),
      l: renderPrice(bar.low),
      c: renderPrice(bar.close),
      v: bar.volume.toFixed(4),
      t: bar.t_ms,
    }));
    return answer({ interval, instrument_name, data });
  },
});
