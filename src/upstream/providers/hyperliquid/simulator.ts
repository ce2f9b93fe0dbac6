import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import {
  getSimulatedFunding,
  getSimulatedFundingOf,
  getSimulatedFundingTime,
  getSimulatedInterest,
  SIMULATED_FUNDING_HOURS,
} from "../simulated-funding.ts";
import {
  getSimulatedBars,
  renderPrice,
  SIMULATED_BY_THOUSAND,
  SIMULATED_COINS,
  unknownPath,
} from "../simulated-market.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BARS_MAX = 5_000;
const INTERVALS_MS: Readonly<Record<string, number>> = {
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "1h": HOUR_MS,
  "4h": 4 * HOUR_MS,
  "1d": 24 * HOUR_MS,
};
const COINS = SIMULATED_COINS.map((symbol) => (SIMULATED_BY_THOUSAND.includes(symbol) ? `k${symbol}` : symbol));

/** The coin behind a name there, and how many of it one unit is. */
const getListing = (name: string): { symbol: string; units: number } =>
  name.startsWith("k") ? { symbol: name.slice(1), units: 1_000 } : { symbol: name, units: 1 };

const toFields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const unreadable = () => ({ text: "Failed to deserialize the JSON body into the target type", status: 422 });

function getCandles(world: SimulatedWorld, request: Record<string, unknown>) {
  const { coin, interval, startTime, endTime } = request;
  const step_ms = typeof interval === "string" ? INTERVALS_MS[interval] : undefined;
  if (typeof coin !== "string" || step_ms === undefined || typeof startTime !== "number") return unreadable();
  // An unknown coin is an inner error there.
  if (!COINS.includes(coin)) return { json: null, status: 500 };
  const to_ms = typeof endTime === "number" ? endTime : world.now();
  const { symbol, units } = getListing(coin);
  const window = {
    symbol,
    venue: "hyperliquid",
    step_ms,
    from_ms: startTime,
    to_ms,
    bars_max: BARS_MAX,
    keep: "newest",
  } as const;
  const rows = getSimulatedBars(world, window).map((bar) => ({
    t: bar.t_ms,
    T: bar.t_ms + step_ms - 1,
    s: coin,
    i: interval,
    o: renderPrice(bar.open * units),
    c: renderPrice(bar.close * units),
    h: renderPrice(bar.high * units),
    l: renderPrice(bar.low * units),
    v: (bar.volume / units).toFixed(5),
    n: 100 + Math.floor(bar.volume),
  }));
  return { json: rows };
}

function getContext(world: SimulatedWorld, coin: string) {
  const { symbol, units } = getListing(coin);
  const price = world.price(symbol) * units;
  const open_interest_usd = getSimulatedInterest(world, coin);
  const mark = renderPrice(price);
  return {
    funding: getSimulatedFunding(world, coin),
    openInterest: (open_interest_usd / price).toFixed(5),
    prevDayPx: renderPrice(world.price(symbol, world.now() - 24 * HOUR_MS) * units),
    dayNtlVlm: (open_interest_usd * 0.7).toFixed(1),
    premium: "-0.000390177",
    oraclePx: mark,
    markPx: mark,
    midPx: mark,
    impactPxs: [mark, mark],
    dayBaseVlm: ((open_interest_usd * 0.7) / price).toFixed(4),
  };
}

/** Funding of the running period on three venues. */
function getPredictions(world: SimulatedWorld, coin: string) {
  const eight_hours = (venue: string) => ({
    fundingRate: getSimulatedFundingOf(world, venue, coin),
    nextFundingTime: getSimulatedFundingTime(world),
    fundingIntervalHours: SIMULATED_FUNDING_HOURS,
  });
  const next_ms = (Math.floor(world.now() / HOUR_MS) + 1) * HOUR_MS;
  const here = { fundingRate: getSimulatedFunding(world, coin), nextFundingTime: next_ms, fundingIntervalHours: 1 };
  return [
    ["BinPerp", eight_hours("binance")],
    ["HlPerp", here],
    ["BybitPerp", eight_hours("bybit")],
  ];
}

export const simulator = defineSimulator({
  provider: "hyperliquid",
  respond({ method, path, body }, world) {
    if (path !== "/info" || method !== "POST") return unknownPath();
    const { type, req } = toFields(body);
    if (type === "candleSnapshot") return getCandles(world, toFields(req));
    if (type === "predictedFundings") return { json: COINS.map((coin) => [coin, getPredictions(world, coin)]) };
    if (type !== "metaAndAssetCtxs") return unreadable();
    const universe = COINS.map((name) => ({ name, szDecimals: 3, maxLeverage: 20 }));
    return { json: [{ universe }, COINS.map((coin) => getContext(world, coin))] };
  },
});
