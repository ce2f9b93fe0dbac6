import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedBook } from "../simulated-book.ts";
import {
  getSimulatedFundingOf,
  getSimulatedFundingTime,
  getSimulatedInterest,
  SIMULATED_FUNDING_HOURS,
} from "../simulated-funding.ts";
import { getSimulatedQuote, isListed, readLimit, renderPrice, unknownPath } from "../simulated-market.ts";

const PATHS = ["/v5/market/tickers", "/v5/market/orderbook"];

/** A perpetual future; open interest is given of both sides and of one. */
function getFuture(world: SimulatedWorld, pair: string, symbol: string) {
  const price = world.price(symbol);
  const coins = getSimulatedInterest(world, symbol, "bybit") / price;
  return {
    symbol: pair,
    lastPrice: renderPrice(price),
    indexPrice: renderPrice(price),
    markPrice: renderPrice(price),
    openInterest: (2 * coins).toFixed(3),
    openInterestValue: (2 * coins * price).toFixed(2),
    singleOpenInterest: coins.toFixed(3),
    fundingRate: getSimulatedFundingOf(world, "bybit", symbol),
    fundingIntervalHour: String(SIMULATED_FUNDING_HOURS),
    nextFundingTime: String(getSimulatedFundingTime(world)),
  };
}

export const simulator = defineSimulator({
  provider: "bybit",
  respond({ path, query }, world) {
    const pair = query.get("symbol") ?? "";
    const symbol = pair.endsWith("USDT") ? pair.slice(0, -4) : undefined;
    const time = Math.floor(world.now());
    const category = query.get("category") ?? "";
    if (!PATHS.includes(path) || !["spot", "linear"].includes(category)) return unknownPath();
    if (!isListed(symbol)) {
      return { json: { retCode: 10001, retMsg: "Not supported symbols", result: {}, retExtInfo: {}, time } };
    }
    if (category === "linear") {
      const result = { category, list: [getFuture(world, pair, symbol)] };
      return { json: { retCode: 0, retMsg: "OK", result, retExtInfo: {}, time } };
    }
    if (path === "/v5/market/orderbook") {
      const book = getSimulatedBook(world, { venue: "bybit", symbol, levels: readLimit(query.get("limit"), 1, 200) });
      const result = { s: pair, b: book.bids, a: book.asks, ts: time, u: time, seq: time };
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
