import { defineSimulator } from "intel-node";
import { getSimulatedLevel, getSimulatedShare } from "intel-node/providers/simulated-shares";
import { MARKETS } from "../../shared/markets.ts";

/** Shares of every exchange; pence are pence there too. */
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
    const currency = market?.code === "LSE" ? "GBp" : (market?.currency ?? "USD");
    const level = currency === "GBp" ? 7_345 : 120;
    const at = (at_ms: number) =>
      market
        ? getSimulatedLevel(world, `${market.code} ${symbol}`, { level, at_ms })
        : getSimulatedShare(world, symbol, { at_ms });
    const [now, before] = [at(world.now()), at(world.now() - 86_400_000)];
    const figures = { open: before * 1.001, high: now * 1.01, low: now * 0.99, close: now, previous_close: before };
    const texts = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value.toFixed(5)]));
    return {
      json: {
        ...{ symbol, name: `${symbol} Inc.`, exchange: "X", currency, datetime: "2026-09-02", ...texts },
        ...{ volume: "1000000", percent_change: "0.1", is_market_open: true },
        last_quote_at: Math.floor(world.now() / 1000) - 60,
      },
    };
  },
});
