import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedCap, getSimulatedTotals } from "../simulated-caps.ts";
import { COINPAPRIKA_IDS } from "./market-caps.ts";

const MINUTE_MS = 60_000;
const TICKER = /^\/tickers\/([a-z0-9-]+)$/;

export const simulator = defineSimulator({
  provider: "coinpaprika",
  respond({ path }, world) {
    const updated_ms = Math.floor(world.now() / MINUTE_MS) * MINUTE_MS;
    if (path === "/global") {
      const { total_usd, btc_dominance_pct, change_24h_pct } = getSimulatedTotals(world, "coinpaprika");
      return {
        json: {
          market_cap_usd: Math.round(total_usd),
          volume_24h_usd: Math.round(total_usd / 40),
          bitcoin_dominance_percentage: Number(btc_dominance_pct.toFixed(2)),
          market_cap_change_24h: Number(change_24h_pct.toFixed(2)),
          last_updated: updated_ms / 1000,
        },
      };
    }
    const wanted = TICKER.exec(path)?.[1];
    const found = Object.entries(COINPAPRIKA_IDS).find(([, id]) => id === wanted);
    if (!found) return { json: { error: "id not found" }, status: 404 };
    const [symbol, id] = found;
    const market_cap = Math.round(getSimulatedCap(world, "coinpaprika", symbol));
    const quotes = { USD: { price: world.price(symbol), volume_24h: market_cap / 50, market_cap } };
    return {
      json: { id, name: symbol, symbol, rank: 1, last_updated: new Date(updated_ms).toISOString(), quotes },
    };
  },
});
