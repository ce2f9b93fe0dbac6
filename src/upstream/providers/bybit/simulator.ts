import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedQuote, isListed, renderPrice, unknownPath } from "../simulated-market.ts";

export const simulator = defineSimulator({
  provider: "bybit",
  respond({ path, query }, world) {
    const pair = query.get("symbol") ?? "";
    const symbol = pair.endsWith("USDT") ? pair.slice(0, -4) : undefined;
    const time = Math.floor(world.now());
    if (path !== "/v5/market/tickers" || query.get("category") !== "spot") return unknownPath();
    if (!isListed(symbol)) {
      return { json: { retCode: 10001, retMsg: "Not supported symbols", result: {}, retExtInfo: {}, time } };
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
