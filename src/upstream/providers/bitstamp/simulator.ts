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
const STEPS_S = [60, 180, 300, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 259200];
const PATH = /^\/api\/v2\/(ticker|ohlc|order_book)\/([a-z0-9]{2,10})usd\/?$/;

function getTicker(world: SimulatedWorld, symbol: string) {
  const quote = getSimulatedQuote(world, "bitstamp", symbol);
  const open_24 = world.price(symbol, world.now() - 86_400_000);
  return {
    timestamp: String(Math.floor(world.now() / 1000)),
    open: renderPrice(open_24),
    high: quote.ask,
    low: quote.bid,
    last: quote.last,
    volume: quote.volume,
    vwap: quote.last,
    bid: quote.bid,
    ask: quote.ask,
    side: "0",
    open_24: renderPrice(open_24),
    percent_change_24: ((Number(quote.last) / open_24 - 1) * 100).toFixed(2),
  };
}

const BOOK_LEVELS = 150;

function getBook(world: SimulatedWorld, symbol: string) {
  const book = getSimulatedBook(world, { venue: "bitstamp", symbol, levels: BOOK_LEVELS });
  const now_ms = Math.floor(world.now());
  return { timestamp: String(Math.floor(now_ms / 1000)), microtimestamp: `${now_ms}000`, ...book };
}

export const simulator = defineSimulator({
  provider: "bitstamp",
  respond({ path, query }, world) {
    const [, kind, base] = PATH.exec(path) ?? [];
    const symbol = base?.toUpperCase();
    if (!isListed(symbol)) return unknownPath();
    if (kind === "ticker") return { json: getTicker(world, symbol) };
    if (kind === "order_book") return { json: getBook(world, symbol) };
    const step_s = readWhole(query.get("step")) ?? 0;
    if (!STEPS_S.includes(step_s)) return { json: { code: "400.002", errors: [{ field: "step" }] }, status: 400 };
    const start_s = readWhole(query.get("start"));
    const bars = getSimulatedBars(world, {
      symbol,
      venue: "bitstamp",
      step_ms: step_s * 1000,
      from_ms: (start_s ?? 0) * 1000,
      to_ms: (readWhole(query.get("end")) ?? world.now() / 1000) * 1000,
      bars_max: readLimit(query.get("limit"), BARS_MAX, BARS_MAX),
      keep: start_s === undefined ? "newest" : "oldest",
    });
    const ohlc = bars.map((bar) => ({
      timestamp: String(bar.t_ms / 1000),
      open: renderPrice(bar.open),
      high: renderPrice(bar.high),
      low: renderPrice(bar.low),
      close: renderPrice(bar.close),
      volume: bar.volume.toFixed(8),
    }));
    return { json: { data: { pair: `${symbol}/USD`, ohlc } } };
  },
});
