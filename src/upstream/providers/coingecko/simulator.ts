import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedCap, getSimulatedTotals } from "../simulated-caps.ts";
import { unknownPath } from "../simulated-market.ts";
import { COINGECKO_IDS } from "./coins.ts";

const MINUTE_MS = 60_000;

export const simulator = defineSimulator({
  provider: "coingecko",
  respond({ path, query }, world) {
    const updated_ms = Math.floor(world.now() / MINUTE_MS) * MINUTE_MS;
    if (path === "/global") {
      const { total_usd, btc_dominance_pct, change_24h_pct } = getSimulatedTotals(world, "coingecko");
      const data = {
        total_market_cap: { usd: total_usd },
        total_volume: { usd: total_usd / 40 },
        market_cap_percentage: { btc: btc_dominance_pct },
        market_cap_change_percentage_24h_usd: change_24h_pct,
        updated_at: updated_ms / 1000,
      };
      return { json: { data } };
    }
    if (path !== "/coins/markets") return unknownPath();
    const wanted = query.get("ids")?.split(",") ?? [];
    const coins = Object.entries(COINGECKO_IDS)
      .filter(([, id]) => wanted.includes(id))
      .map(([symbol, id]) => {
        const market_cap = getSimulatedCap(world, "coingecko", symbol);
        return {
          id,
          symbol: symbol.toLowerCase(),
          name: symbol,
          current_price: world.price(symbol),
          market_cap,
          total_volume: market_cap / 50,
          last_updated: new Date(updated_ms).toISOString(),
        };
      });
    return { json: coins };
  },
});
