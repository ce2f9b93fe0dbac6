import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedBook } from "../simulated-book.ts";
import {
  getSimulatedFundingOf,
  getSimulatedFundingTime,
  getSimulatedInterest,
  SIMULATED_FUNDING_HOURS,
} from "../simulated-funding.ts";
import {
  getSimulatedBars,
  getSimulatedQuote,
  isListed,
  readLimit,
  readWhole,
  renderPrice,
  unknownPath,
} from "../simulated-market.ts";

const BARS_MAX = 100;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Daily and longer bars start at 00:00 in Hong Kong unless "utc" is asked for. */
const BARS: Readonly<Record<string, { step_ms: number; shift_ms: number }>> = {
  "1m": { step_ms: MINUTE_MS, shift_ms: 0 },
  "5m": { step_ms: 5 * MINUTE_MS, shift_ms: 0 },
  "15m": { step_ms: 15 * MINUTE_MS, shift_ms: 0 },
  "1H": { step_ms: HOUR_MS, shift_ms: 0 },
  "4H": { step_ms: 4 * HOUR_MS, shift_ms: 0 },
  "1D": { step_ms: 24 * HOUR_MS, shift_ms: 8 * HOUR_MS },
  "1Dutc": { step_ms: 24 * HOUR_MS, shift_ms: 0 },
};

const answer = (data: unknown[]) => ({ json: { code: "0", msg: "", data } });
const fail = (code: string, msg: string) => ({ json: { code, msg, data: [] } });

/** Newest first. `after` asks for older bars than that time, `before` for newer ones. */
function getCandles(world: SimulatedWorld, symbol: string, query: URLSearchParams) {
  const bar = BARS[query.get("bar") ?? "1m"];
  if (!bar) return fail("51000", "Parameter bar error");
  const { step_ms, shift_ms } = bar;
  const shifted: SimulatedWorld =
    shift_ms === 0
      ? world
      : {
          now: () => world.now() + shift_ms,
          price: (of, at_ms) => world.price(of, (at_ms ?? world.now() + shift_ms) - shift_ms),
          noise: world.noise,
        };
  const bars = getSimulatedBars(shifted, {
    symbol,
    venue: "okx",
    step_ms,
    from_ms: (readWhole(query.get("before")) ?? -1) + 1 + shift_ms,
    to_ms: (readWhole(query.get("after")) ?? world.now() + 1) - 1 + shift_ms,
    bars_max: readLimit(query.get("limit"), BARS_MAX, BARS_MAX),
    keep: "newest",
  });
  const rows = bars
    .reverse()
    .map((one) => [
      String(one.t_ms - shift_ms),
      renderPrice(one.open),
      renderPrice(one.high),
      renderPrice(one.low),
      renderPrice(one.close),
      one.volume.toFixed(8),
      (one.volume * one.close).toFixed(8),
      (one.volume * one.close).toFixed(8),
      one.closed ? "1" : "0",
    ]);
  return answer(rows);
}

/** Funding and open interest of a perpetual future. */
function getFuture(world: SimulatedWorld, path: string, instId: string) {
  const symbol = instId.endsWith("-USDT-SWAP") ? instId.slice(0, -10) : undefined;
  if (!isListed(symbol)) return fail("51001", "Instrument ID does not exist");
  const ts = String(Math.floor(world.now()));
  if (path.endsWith("/open-interest")) {
    const oiUsd = getSimulatedInterest(world, symbol, "okx");
    const coins = oiUsd / world.price(symbol);
    const oi = (coins * 100).toFixed(2);
    return answer([{ instId, instType: "SWAP", oi, oiCcy: coins.toFixed(4), oiUsd: oiUsd.toFixed(4), ts }]);
  }
  const ends_ms = getSimulatedFundingTime(world);
  const funding = {
    formulaType: "withRate",
    fundingRate: getSimulatedFundingOf(world, "okx", symbol),
    fundingTime: String(ends_ms),
    instId,
    instType: "SWAP",
    maxFundingRate: "0.00375",
    method: "current_period",
    minFundingRate: "-0.00375",
    nextFundingRate: "",
    nextFundingTime: String(ends_ms + SIMULATED_FUNDING_HOURS * HOUR_MS),
    premium: "0.0001",
    settFundingRate: "0.0001",
    settState: "settled",
    ts,
  };
  return answer([funding]);
}

const FUTURE_PATHS = ["/api/v5/public/funding-rate", "/api/v5/public/open-interest"];

export const simulator = defineSimulator({
  provider: "okx",
  respond({ path, query }, world) {
    const instId = query.get("instId") ?? "";
    if (FUTURE_PATHS.includes(path)) return getFuture(world, path, instId);
    const symbol = instId.endsWith("-USDT") ? instId.slice(0, -5) : undefined;
    const kind = /^\/api\/v5\/market\/(ticker|books|history-candles|candles)$/.exec(path)?.[1];
    if (kind === undefined) return unknownPath();
    if (!isListed(symbol)) return fail("51001", "Instrument ID does not exist");
    if (kind === "books") {
      const book = getSimulatedBook(world, { venue: "okx", symbol, levels: readLimit(query.get("sz"), 1, 400) });
      const side = (rows: [string, string][]) => rows.map(([price, size]) => [price, size, "0", "2"]);
      return answer([{ asks: side(book.asks), bids: side(book.bids), ts: String(Math.floor(world.now())) }]);
    }
    if (kind !== "ticker") return getCandles(world, symbol, query);
    const quote = getSimulatedQuote(world, "okx", symbol);
    const ticker = {
      instType: "SPOT",
      instId,
      last: quote.last,
      lastSz: "0.01",
      askPx: quote.ask,
      askSz: "0.5",
      bidPx: quote.bid,
      bidSz: "0.5",
      open24h: renderPrice(world.price(symbol, world.now() - 24 * HOUR_MS)),
      vol24h: quote.volume,
      volCcy24h: quote.volume,
      ts: String(Math.floor(world.now())),
    };
    return answer([ticker]);
  },
});
