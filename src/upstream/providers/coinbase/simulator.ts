import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedBook } from "../simulated-book.ts";
import { getSimulatedBars, getSimulatedQuote, isListed, readWhole, renderPrice } from "../simulated-market.ts";

const BARS_MAX = 300;
const GRANULARITIES_S = [60, 300, 900, 3600, 21600, 86400];
const PATH = /^\/products\/([A-Z0-9]{2,10})-USD\/(ticker|candles|book)$/;

/** Times come as ISO 8601 or as Unix seconds. */
function readTime(text: string | null): number | undefined {
  const seconds = readWhole(text);
  if (seconds !== undefined) return seconds * 1000;
  const ms = Date.parse(text ?? "");
  return Number.isFinite(ms) ? ms : undefined;
}

export const simulator = defineSimulator({
  provider: "coinbase",
  respond({ path, query }, world) {
    const [, symbol, kind] = PATH.exec(path) ?? [];
    if (!isListed(symbol)) return { json: { message: "NotFound" }, status: 404 };
    if (kind === "ticker") {
      const { bid, ask, last, volume } = getSimulatedQuote(world, "coinbase", symbol);
      const time = new Date(world.now()).toISOString();
      const trade_id = 900_000_000 + (Math.floor(world.now() / 1000) % 90_000_000);
      return { json: { ask, bid, volume, trade_id, price: last, size: "0.01", time, rfq_volume: "0" } };
    }
    if (kind === "book") {
      const book = getSimulatedBook(world, { venue: "coinbase", symbol, levels: query.get("level") === "2" ? 150 : 1 });
      const side = (rows: [string, string][]) => rows.map(([price, size]) => [price, size, 2]);
      const sequence = Math.floor(world.now());
      const time = new Date(world.now()).toISOString();
      const sides = { bids: side(book.bids), asks: side(book.asks) };
      return { json: { ...sides, sequence, auction_mode: false, auction: null, time } };
    }
    const granularity_s = readWhole(query.get("granularity")) ?? 60;
    if (!GRANULARITIES_S.includes(granularity_s)) return { json: { message: "Unsupported granularity" }, status: 400 };
    const step_ms = granularity_s * 1000;
    const to_ms = readTime(query.get("end")) ?? world.now();
    const from_ms = readTime(query.get("start")) ?? to_ms - step_ms * BARS_MAX;
    if ((to_ms - from_ms) / step_ms > BARS_MAX) {
      const message = "granularity too small for the requested time range. Count of aggregations requested exceeds 300";
      return { json: { message }, status: 400 };
    }
    const bars = getSimulatedBars(world, {
      symbol,
      venue: "coinbase",
      step_ms,
      from_ms,
      to_ms,
      bars_max: BARS_MAX,
      keep: "newest",
    });
    const number = (price: number) => Number(renderPrice(price));
    // Newest first; low and high come before open and close.
    const rows = bars
      .reverse()
      .map((bar) => [
        bar.t_ms / 1000,
        number(bar.low),
        number(bar.high),
        number(bar.open),
        number(bar.close),
        Number(bar.volume.toFixed(8)),
      ]);
    return { json: rows };
  },
});
