import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedBook } from "../simulated-book.ts";
import { getSimulatedQuote, isListed, readLimit, renderPrice, unknownPath } from "../simulated-market.ts";

const PATHS = ["/v5/market/tickers", "/v5/market/orderbook"];

export const simulator = defineSimulator({
  provider: "bybit",
  respond({ path, query }, world) {
    const pair = query.get("symbol") ?? "";
    const symbol = pair.endsWith("USDT") ? pair.slice(0, -4) : undefined;
    const time = Math.floor(world.now());
    if (!PATHS.includes(path) || query.get("category") !== "spot") return unknownPath();
    if (!isListed(symbol)) {
      return { json: { retCode: 10001, retMsg: "Not supported symbols", result: {}, retExtInfo: {}, time } };
    }
    if (path === "/v5/market/orderbook") {
      const book = getSimulatedBook(world, { venue: "bybit", symbol, levels: readLimit(query.get("limit"), 1, 200) });
      const result = { s: pair, b: book.bids, a: book.asks, ts: time, u: time, seq: time, cts: time };
      return { json: { retCode: 0, retMsg: "OK", result, retExtInfo: {}, time } };
    }
    const quote = getSimulatedQuote(world, "bybit", symbol);
    const day_ago = world.price(symbol, time - 86_400_000);
    const ticker = {
      symbol: pair,
      bid1Price: quote.bid,
      bid1Size: "0.5",
      ask1Price: quote.ask,
      ask1Size: "0.5",
      lastPrice: quote.last,
      prevPrice24h: renderPrice(day_ago),
      price24hPcnt: (Number(quote.last) / day_ago - 1).toFixed(4),
      highPrice24h: quote.ask,
      lowPrice24h: quote.bid,
      turnover24h: "1000000",
      volume24h: quote.volume,
    };
    const result = { category: "spot", list: [ticker] };
    return { json: { retCode: 0, retMsg: "OK", result, retExtInfo: {}, time } };
  },
});
