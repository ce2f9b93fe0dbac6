import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedCap, SIMULATED_CAP_SYMBOLS } from "../simulated-caps.ts";
import { readLimit, readWhole, unknownPath } from "../simulated-market.ts";

const DAY_MS = 86_400_000;
/** First day of the publisher's history. */
const FIRST_DAY_MS = Date.UTC(2018, 1, 1);

/** A slow wave with daily noise, within 0 and 100. */
function getValue(world: SimulatedWorld, day_ms: number): number {
  const wave = Math.sin((day_ms / DAY_MS / 45) * Math.PI) * 28;
  return Math.round(50 + wave + (world.noise(`fear greed ${day_ms}`) - 0.5) * 16);
}

function classify(value: number): string {
  if (value < 25) return "Extreme Fear";
  if (value < 45) return "Fear";
  if (value <= 55) return "Neutral";
  return value <= 75 ? "Greed" : "Extreme Greed";
}

/** It lists few coins; these are among those it lacks. */
const UNLISTED = ["VIRTUAL", "MNT"];
const TICKER_MS = 300_000;

/** Coins by capitalisation, a list only when asked for one. */
function getTicker(world: SimulatedWorld, query: URLSearchParams) {
  const last_updated = Math.floor(world.now() / TICKER_MS) * (TICKER_MS / 1000);
  const coins = SIMULATED_CAP_SYMBOLS.filter((symbol) => !UNLISTED.includes(symbol)).map((symbol, index) => {
    const market_cap = getSimulatedCap(world, "alternative_me", symbol);
    const price = world.price(symbol);
    return {
      id: index + 1,
      name: symbol,
      symbol,
      website_slug: symbol.toLowerCase(),
      rank: index + 1,
      circulating_supply: market_cap / price,
      quotes: { USD: { price, volume_24h: market_cap / 50, market_cap, percentage_change_24h: 0.1 } },
      last_updated,
    };
  });
  const shown = coins.slice(0, readLimit(query.get("limit"), 100, coins.length));
  const data = query.get("structure") === "array" ? shown : Object.fromEntries(shown.map((coin) => [coin.id, coin]));
  return { json: { data, metadata: { timestamp: last_updated, num_cryptocurrencies: coins.length, error: null } } };
}

export const simulator = defineSimulator({
  provider: "alternative_me",
  respond({ path, query }, world) {
    if (path === "/v2/ticker/") return getTicker(world, query);
    if (path !== "/fng/" && path !== "/fng") return unknownPath();
    const today_ms = Math.floor(world.now() / DAY_MS) * DAY_MS;
    const days = Math.floor((today_ms - FIRST_DAY_MS) / DAY_MS) + 1;
    const limit = readWhole(query.get("limit")) ?? 1;
    // There, 0 means the whole history.
    const count = Math.max(1, Math.min(days, limit === 0 ? days : limit));
    const data = Array.from({ length: count }, (_, index) => {
      const day_ms = today_ms - index * DAY_MS;
      const value = getValue(world, day_ms);
      return {
        value: String(value),
        value_classification: classify(value),
        timestamp: String(day_ms / 1000),
        ...(index === 0 ? { time_until_update: String(Math.ceil((today_ms + DAY_MS - world.now()) / 1000)) } : {}),
      };
    });
    return { json: { name: "Fear and Greed Index", data, metadata: { error: null } } };
  },
});
