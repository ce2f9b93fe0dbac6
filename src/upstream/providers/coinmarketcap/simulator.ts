import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedCap, getSimulatedTotals, SIMULATED_CAP_SYMBOLS } from "../simulated-caps.ts";
import { readLimit, unknownPath } from "../simulated-market.ts";

const UPDATE_MS = 900_000;
const LABELS = ["Extreme fear", "Fear", "Neutral", "Greed", "Extreme greed"];

const MINUTE_MS = 60_000;

/** Of the running minute, as the publisher writes times. */
const getUpdateTime = (world: SimulatedWorld): string =>
  new Date(Math.floor(world.now() / MINUTE_MS) * MINUTE_MS).toISOString();

function getListings(world: SimulatedWorld, query: URLSearchParams) {
  const last_updated = getUpdateTime(world);
  const coins = SIMULATED_CAP_SYMBOLS.map((symbol, index) => {
    const market_cap = getSimulatedCap(world, "coinmarketcap", symbol);
    const price = world.price(symbol);
    const quote = { USD: { price, market_cap, last_updated } };
    return { id: index + 1, name: symbol, symbol, cmc_rank: index + 1, last_updated, quote };
  });
  return coins.slice(0, readLimit(query.get("limit"), 100, coins.length));
}

function getGlobalMetrics(world: SimulatedWorld) {
  const { total_usd, btc_dominance_pct, change_24h_pct } = getSimulatedTotals(world, "coinmarketcap");
  const last_updated = getUpdateTime(world);
  return {
    btc_dominance: btc_dominance_pct,
    last_updated,
    quote: {
      USD: {
        total_market_cap: total_usd,
        total_volume_24h: total_usd / 40,
        total_market_cap_yesterday_percentage_change: change_24h_pct,
        last_updated,
      },
    },
  };
}

export const simulator = defineSimulator({
  provider: "coinmarketcap",
  respond({ path, query, headers }, world) {
    const timestamp = new Date(world.now()).toISOString();
    const status = { timestamp, error_code: 0, error_message: "", elapsed: 3, credit_count: 1 };
    if (!headers.get("x-cmc_pro_api_key")) {
      return { json: { status: { ...status, error_code: 1002, error_message: "API key missing." } }, status: 401 };
    }
    if (path === "/v1/cryptocurrency/listings/latest") return { json: { data: getListings(world, query) } };
    if (path === "/v1/global-metrics/quotes/latest") return { json: { data: getGlobalMetrics(world), status } };
    if (path !== "/v3/fear-and-greed/latest") return unknownPath();
    const updated_ms = Math.floor(world.now() / UPDATE_MS) * UPDATE_MS;
    const value = 20 + Math.floor(60 * world.noise(`cmc fear greed ${Math.floor(updated_ms / 86_400_000)}`));
    const data = {
      value,
      value_classification: LABELS[Math.min(4, Math.floor(value / 20))],
      update_time: new Date(updated_ms).toISOString(),
    };
    return { json: { data, status } };
  },
});
