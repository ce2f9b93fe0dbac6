import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedBook } from "../simulated-book.ts";
import {
  getSimulatedBars,
  getSimulatedQuote,
  isListed,
  readLimit,
  readWhole,
  renderPrice,
  unknownPath,
} from "../simulated-market.ts";

const BARS_MAX = 1_000;
const PATHS = ["/api/v3/ticker/bookTicker", "/api/v3/klines", "/api/v3/depth"];
const MINUTE_MS = 60_000;
const INTERVALS_MS: Readonly<Record<string, number>> = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "4h": 240 * MINUTE_MS,
  "1d": 1440 * MINUTE_MS,
};

function getKlines(world: SimulatedWorld, symbol: string, query: URLSearchParams) {
  const step_ms = INTERVALS_MS[query.get("interval") ?? ""];
  if (step_ms === undefined) return { json: { code: -1120, msg: "Invalid interval." }, status: 400 };
  const start_ms = readWhole(query.get("startTime"));
  const bars = getSimulatedBars(world, {
    symbol,
    venue: "binance",
    step_ms,
    from_ms: start_ms ?? 0,
    to_ms: readWhole(query.get("endTime")) ?? world.now(),
    bars_max: readLimit(query.get("limit"), 500, BARS_MAX),
    keep: start_ms === undefined ? "newest" : "oldest",
  });
  const rows = bars.map((bar) => [
    bar.t_ms,
    renderPrice(bar.open),
    renderPrice(bar.high),
    renderPrice(bar.low),
    renderPrice(bar.close),
    bar.volume.toFixed(8),
    bar.t_ms + step_ms - 1,
    (bar.volume * bar.close).toFixed(8),
    100 + Math.floor(bar.volume),
    (bar.volume / 2).toFixed(8),
    ((bar.volume * bar.close) / 2).toFixed(8),
    "0",
  ]);
  return { json: rows };
}

export const simulator = defineSimulator({
  provider: "binance",
  respond({ path, query }, world) {
    const pair = query.get("symbol") ?? "";
    const symbol = pair.endsWith("USDT") ? pair.slice(0, -4) : undefined;
    if (!PATHS.includes(path)) return unknownPath();
    if (!isListed(symbol)) return { json: { code: -1121, msg: "Invalid symbol." }, status: 400 };
    if (path === "/api/v3/klines") return getKlines(world, symbol, query);
    if (path === "/api/v3/depth") {
      const levels = readLimit(query.get("limit"), 100, 5_000);
      const book = getSimulatedBook(world, { venue: "binance", symbol, levels });
      return { json: { lastUpdateId: Math.floor(world.now()), ...book } };
    }
    const { bid, ask } = getSimulatedQuote(world, "binance", symbol);
    return { json: { symbol: pair, bidPrice: bid, bidQty: "0.50000000", askPrice: ask, askQty: "0.50000000" } };
  },
});
