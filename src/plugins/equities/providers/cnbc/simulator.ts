import { defineSimulator, toLocal } from "intel-node";
import { MARKETS, type Market } from "../../markets/markets.ts";
import { findSimulatedListing, getSimulatedDay } from "../../markets/simulated-day.ts";

/** The exchange behind a symbol, and the symbol without it; a US share has no exchange. */
function readSymbol(text: string): { readonly market: Market | undefined; readonly symbol: string } {
  const market = MARKETS.find(({ cnbc }) => cnbc !== null && text.endsWith(cnbc));
  if (!market) return { market: undefined, symbol: text };
  return { market, symbol: text.slice(0, -(market.cnbc ?? "").length).replace(/\.$/, "") };
}

const render = (value: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const renderChange = (value: number): string => {
  const text = render(value);
  return text === "0.00" || text === "-0.00" ? "UNCH" : `${value < 0 ? "" : "+"}${text}`;
};

/** "2026-09-02T15:10:00.000-0400" */
function renderTime(at_ms: number): string {
  const { date, time } = toLocal("America/New_York", at_ms);
  const offset = Math.round((at_ms - Date.parse(`${date}T${time.slice(0, 5)}:00Z`)) / 3_600_000);
  return `${date}T${time.slice(0, 5)}:00.000-0${offset}00`;
}

/**
 * One symbol at a time comes as an object; London quotes in pence, and its codes of two letters want their dot.
 * `last` is of regular hours; after the close its time is a day. From the next day on `previous_day_closing` is the
 * close itself, and in the morning of a session the prices of its day are zeros.
 */
export const simulator = defineSimulator({
  provider: "cnbc",
  respond({ path, query }, world) {
    const text = query.get("symbols") ?? "";
    if (path !== "/quote-html-webservice/restQuote/symbolType/symbol") return { status: 404, text: "Not Found" };
    const { market, symbol } = readSymbol(text);
    const is_spelled = market?.code !== "LSE" || symbol.length !== 2 || text.includes(".-");
    const listing = findSimulatedListing(world, { market, symbol });
    if (symbol.startsWith("ZZZZ") || !listing.is_listed || !is_spelled) {
      return { json: { FormattedQuoteResult: { FormattedQuote: { symbol: text, code: 1 } } } };
    }
    const { calendar, priceAt, currency: currencyCode } = listing;
    const now_ms = world.now();
    const day = getSimulatedDay(calendar, priceAt, now_ms);
    const { date } = toLocal(calendar.zone, now_ms);
    const has_turned = !day.is_running && date !== day.date;
    const status = calendar.stateAt(now_ms).status;
    const is_cleared = has_turned && calendar.isTradingDay(date);
    const ofDay = (price: number): string => render(is_cleared ? 0 : price);
    const extended = { type: "POST_MKT", last: render(priceAt(now_ms)), last_time: renderTime(now_ms) };
    const FormattedQuote = {
      symbol: text,
      code: 0,
      name: `${symbol} Inc`,
      currencyCode,
      exchange: "X",
      volume: "1,000,000",
      curmktstatus: day.is_running ? "REG_MKT" : status === "pre" ? "PRE_MKT" : "POST_MKT",
      last: render(day.last),
      open: ofDay(day.open),
      high: ofDay(day.high),
      low: ofDay(day.low),
      previous_day_closing: render(has_turned ? day.last : day.prev_close),
      change: renderChange(Number(day.last.toFixed(2)) - Number(day.prev_close.toFixed(2))),
      last_time: day.is_running ? renderTime(now_ms - 60_000) : day.date,
      ...(day.is_running || market ? {} : { ExtendedMktQuote: extended }),
    };
    return { json: { FormattedQuoteResult: { FormattedQuote } } };
  },
});
