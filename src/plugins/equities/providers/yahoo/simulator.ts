import { defineSimulator } from "intel-node";
import { isSimulatedShare } from "intel-node/providers/simulated-shares";
import { MARKETS } from "../../markets/markets.ts";
import { findTradingDay } from "../../markets/regular-session.ts";
import { findSimulatedListing, getSimulatedDay } from "../../markets/simulated-day.ts";

const BARS = 8;
/** The bar of this place from the end is empty, as some are. */
const EMPTY = 5;

/** London quotes in pence; everything is of regular hours, the last bar that of the session that runs or ran last. */
export const simulator = defineSimulator({
  provider: "yahoo",
  respond({ path }, world) {
    const symbol = decodeURIComponent(path.replace("/v8/finance/chart/", ""));
    if (!path.startsWith("/v8/finance/chart/") || symbol.startsWith("ZZZZ")) {
      const error = { code: "Not Found", description: "No data found, symbol may be delisted" };
      return { status: 404, json: { chart: { result: null, error } } };
    }
    const is_us = isSimulatedShare(symbol);
    const market = MARKETS.find(({ suffixes }) => !is_us && suffixes.some((suffix) => symbol.endsWith(suffix)));
    const { calendar, priceAt, currency } = findSimulatedListing(world, { market, symbol });
    const today = getSimulatedDay(calendar, priceAt, world.now());
    const dates = [today.date];
    while (dates.length < BARS) dates.unshift(calendar.previousTradingDay(dates[0] ?? "") ?? "");
    const days = dates.map((date, index) => {
      const close_ms = findTradingDay(calendar, date)?.close_ms ?? today.close_ms;
      const day = getSimulatedDay(calendar, priceAt, Math.min(close_ms, world.now()));
      return { ...day, is_empty: index === BARS - EMPTY };
    });
    const column = (pick: (day: (typeof days)[number]) => number) =>
      days.map((day) => (day.is_empty ? null : pick(day)));
    const meta = {
      symbol,
      currency: currency === "SEK" ? "EUR" : currency,
      exchangeTimezoneName: calendar.zone,
      longName: `${symbol} plc`,
      chartPreviousClose: 1,
      regularMarketPrice: today.last,
      regularMarketTime: Math.floor(today.last_ms / 1000),
    };
    const quote = {
      open: column(({ open }) => open),
      high: column(({ high }) => high),
      low: column(({ low }) => low),
      close: column(({ last }) => last),
      volume: column(() => 1_000),
    };
    const timestamp = days.map(({ open_ms }) => open_ms / 1000);
    return { json: { chart: { result: [{ meta, timestamp, indicators: { quote: [quote] } }], error: null } } };
  },
});
