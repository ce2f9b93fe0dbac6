import { defineSimulator } from "intel-node";
import { MARKETS } from "../../markets/markets.ts";
import { findSimulatedListing, getSimulatedDay } from "../../markets/simulated-day.ts";

const DELAY_MS = 60_000;

/** Shares of every exchange, of regular hours alone; pence are pence there too. */
export const simulator = defineSimulator({
  provider: "twelvedata",
  respond({ path, query }, world) {
    const symbol = query.get("symbol") ?? "";
    if (path !== "/quote" || symbol === "" || symbol.startsWith("ZZZZ")) {
      return {
        json: { code: 404, message: "**symbol** or **figi** parameter is missing or invalid.", status: "error" },
      };
    }
    const market = MARKETS.find(({ mic }) => mic === query.get("mic_code"));
    const { currency, calendar, priceAt } = findSimulatedListing(world, { market, symbol });
    const { date, open, high, low, last, last_ms, prev_close, is_running } = getSimulatedDay(
      calendar,
      priceAt,
      world.now() - DELAY_MS,
    );
    const figures = { open, high, low, close: last, previous_close: prev_close };
    const texts = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value.toFixed(5)]));
    return {
      json: {
        symbol,
        name: `${symbol} Inc.`,
        exchange: "X",
        currency,
        datetime: date,
        ...texts,
        volume: "1000000",
        percent_change: "0.1",
        is_market_open: is_running,
        last_quote_at: Math.floor(last_ms / 1000),
      },
    };
  },
});
