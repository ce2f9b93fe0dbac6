import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedQuote, isListed, renderPrice, unknownPath } from "../simulated-market.ts";

const PATH = /^\/(v1\/book|v2\/ticker)\/([a-z0-9]{2,10})usd$/;
const HOUR_MS = 3_600_000;

export const simulator = defineSimulator({
  provider: "gemini",
  respond({ path }, world) {
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
      const bids = [{ price: quote.bid, amount: "0.5", timestamp }];
      const asks = [{ price: quote.ask, amount: "0.5", timestamp }];
      return { json: { bids, asks } };
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
