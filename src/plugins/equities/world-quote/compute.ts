import { type Computed, type Draft, isWeekend, missing, missingIn, renderTime, toLocal } from "intel-node";
import { getBpsOutsideRange, OUTSIDE_RANGE_BPS_MAX } from "../markets/day-range.ts";
import type { Market } from "../markets/markets.ts";
import { calendarOf, describeSession, warnOfEnd } from "../markets/session.ts";
import type { WorldQuoteInputs } from "./fetch.ts";
import type { WorldQuoteData } from "./schema.ts";

const UNSTATED = "the source states none";

export function computeWorldQuote(
  { quote, end_of_day, exchange, fx, warnings }: WorldQuoteInputs,
  { market, symbol, now_ms }: { readonly market: Market; readonly symbol: string; readonly now_ms: number },
): Computed<Draft<WorldQuoteData>> {
  const { price, prev_close, at_ms } = quote;
  const calendar = calendarOf(exchange);
  const state = calendar.stateAt(now_ms);
  const today = toLocal(calendar.zone, now_ms).date;
  const change = prev_close === null ? null : price - prev_close;
  const { name, open, high, low, volume, delay_minutes } = quote;
  const data: Draft<WorldQuoteData> = {
    symbol,
    market: market.code,
    mic: market.mic,
    name: name ?? missing(UNSTATED),
    currency: quote.currency,
    price,
    ...missingIn(
      { price_usd: fx ? price / fx.rate : null, fx_rate: fx?.rate ?? null, fx_date: fx?.date ?? null },
      "no rate of the currency could be had",
    ),
    ...missingIn({ open, high, low, prev_close, volume }, UNSTATED),
    ...missingIn(
      { change, change_pct: change === null || prev_close === null ? null : (change / prev_close) * 100 },
      "there is no prev_close",
    ),
    quote_time: renderTime(at_ms ?? now_ms),
    end_of_day,
    delay_minutes:
      delay_minutes ?? missing(end_of_day ? "this is a close of a whole day, not a delayed price" : UNSTATED),
    session: describeSession(state),
    zone: calendar.zone,
    holiday_today: !isWeekend(today) && !calendar.isTradingDay(today),
  };
  const said = [...warnings, ...(quote.warnings ?? []), ...warnOfEnd(calendar, now_ms)];
  const outside_bps = getBpsOutsideRange(price, quote);
  if (outside_bps > OUTSIDE_RANGE_BPS_MAX)
    said.push(`price: it lies ${Math.round(outside_bps)} basis points outside the source's own low and high`);
  if (at_ms === null) said.push("quote_time: the source states none, it is the time of the call");
  const is_closed_day = !calendar.isTradingDay(toLocal(calendar.zone, at_ms ?? now_ms).date);
  if (at_ms !== null && is_closed_day)
    said.push("session: calendar_mismatch, the source has a price of a day without trading");
  return { as_of_ms: Math.min(at_ms ?? now_ms, now_ms), warnings: said, data };
}
