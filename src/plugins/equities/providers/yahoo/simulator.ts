import { defineSimulator } from "intel-node";
import { getSimulatedLevel, getSimulatedShare, isSimulatedShare } from "intel-node/providers/simulated-shares";

const DAY_MS = 86_400_000;
const BARS = 8;

/** London quotes in pence; one bar of the past is empty, as they are on some holidays. */
export const simulator = defineSimulator({
  provider: "yahoo",
  respond({ path }, world) {
    const symbol = decodeURIComponent(path.replace("/v8/finance/chart/", ""));
    if (!path.startsWith("/v8/finance/chart/") || symbol.startsWith("ZZZZ")) {
      const error = { code: "Not Found", description: "No data found, symbol may be delisted" };
      return { status: 404, json: { chart: { result: null, error } } };
    }
    const is_london = symbol.endsWith(".L");
    const is_us = isSimulatedShare(symbol);
    const at = (at_ms: number) =>
      is_us
        ? getSimulatedShare(world, symbol, { at_ms })
        : getSimulatedLevel(world, symbol, { level: is_london ? 7_345 : 120, at_ms });
    const today = Math.floor(world.now() / DAY_MS);
    const days = Array.from({ length: BARS }, (_, index) => (today - BARS + 1 + index) * DAY_MS + 8 * 3_600_000);
    const closes = days.map((ms, index) => (index === 2 ? null : at(Math.min(ms + 8 * 3_600_000, world.now()))));
    const scale = (factor: number) => closes.map((close) => (close === null ? null : close * factor));
    const meta = {
      ...{
        symbol,
        currency: is_london ? "GBp" : is_us ? "USD" : "EUR",
        exchangeTimezoneName: "Europe/London",
        longName: `${symbol} plc`,
      },
      ...{ regularMarketPrice: at(world.now()), regularMarketTime: Math.floor(world.now() / 1000) - 900 },
      chartPreviousClose: 1,
    };
    const quote = {
      open: scale(0.998),
      high: scale(1.01),
      low: scale(0.99),
      close: closes,
      volume: closes.map(() => 1_000),
    };
    const timestamp = days.map((ms) => ms / 1000);
    return { json: { chart: { result: [{ meta, timestamp, indicators: { quote: [quote] } }], error: null } } };
  },
});
