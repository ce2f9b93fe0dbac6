import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedBook } from "../simulated-book.ts";
import { getSimulatedQuote, isListed, readLimit, renderPrice, unknownPath } from "../simulated-market.ts";

const PATH = /^\/(v1\/book|v2\/ticker)\/([a-z0-9]{2,10})usd$/;
const HOUR_MS = 3_600_000;
const BOOK_LEVELS_MAX = 200;

export const simulator = defineSimulator({
  provider: "gemini",
  respond({ path, query }, world) {
    const [, kind, base] = PATH.exec(path) ?? [];
    if (kind === undefined) return unknownPath();
    const symbol = base?.toUpperCase();
    if (!isListed(symbol)) {
      const message = `Supplied value '${base}usd' is not a valid symbol`;
      return { json: { result: "error", reason: "InvalidSymbol", message }, status: 400 };
    }
    const quote = getSimulatedQuote(world, "gemini", symbol);
    const timestamp = String(Math.floor(world.now() / 1000));
    if (kind === "v1/book") {
      const book = getSimulatedBook(world, { venue: "gemini", symbol, levels: BOOK_LEVELS_MAX });
      const side = (rows: [string, string][], limit: string | null) =>
        rows.slice(0, readLimit(limit, 50, BOOK_LEVELS_MAX)).map(([price, amount]) => ({ price, amount, timestamp }));
      const bids = side(book.bids, query.get("limit_bids"));
      return { json: { bids, asks: side(book.asks, query.get("limit_asks")) } };
    }
    const hours = Array.from({ length: 24 }, (_, hour) => world.price(symbol, world.now() - hour * HOUR_MS));
    return {
      json: {
        symbol: `${symbol}USD`,
        open: renderPrice(world.price(symbol, world.now() - 24 * HOUR_MS)),
        high: renderPrice(Math.max(...hours)),
        low: renderPrice(Math.min(...hours)),
        close: quote.last,
        changes: hours.map(renderPrice),
        bid: quote.bid,
        ask: quote.ask,
      },
    };
  },
});
