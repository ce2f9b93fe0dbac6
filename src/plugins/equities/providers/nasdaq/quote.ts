import { type Static, Type } from "@sinclair/typebox";
import { type Calendar, type FetchContext, toInstant, toLocal, UpstreamError, unusable } from "intel-node";
import { findSessionOf, findTradingDay, isInSession } from "../../markets/regular-session.ts";
import { cutName, readVendorChange, readVendorNumber, type VendorQuote } from "../../vendors/vendor-quote.ts";
import { nasdaq } from "./provider.ts";

const Figure = Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Null()]));
const Sale = Type.Object({
  lastSalePrice: Figure,
  netChange: Figure,
  volume: Figure,
  lastTradeTimestamp: Type.Optional(Type.Union([Type.String({ maxLength: 60 }), Type.Null()])),
});
const Answer = Type.Object({
  data: Type.Union([
    Type.Object({
      /** Only shown: of any length, and cut. */
      companyName: Type.String(),
      /** The last print there was: before the open and after the close one of the extended hours. */
      primaryData: Sale,
      /** The close of regular hours while primaryData is of the extended ones; null or empty texts otherwise. */
      secondaryData: Type.Optional(Type.Union([Sale, Type.Null()])),
    }),
    Type.Null(),
  ]),
});
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DATE = /([A-Z][a-z]{2}) (\d{1,2}), (\d{4})/;
const TIME = /(\d{1,2}):(\d{2}) (AM|PM) ET/;

/**
 * "Sep 2, 2026 3:10 PM ET", "Closed at Sep 2, 2026 4:00 PM ET", "CLOSED AT 4:00 PM ET ON Feb 23, 2023", or a day alone,
 * which means its close. On weekends a close comes with Saturday's date: the session is the one before. Null when
 * there is no date in it.
 */
export function readTradeTime(calendar: Calendar, text: string): number | null {
  const [, month = "", day = "", year = ""] = DATE.exec(text) ?? [];
  const place = MONTHS.indexOf(month) + 1;
  if (place === 0) return null;
  const date = `${year}-${String(place).padStart(2, "0")}-${day.padStart(2, "0")}`;
  const [, hour, minute, half] = TIME.exec(text) ?? [];
  if (hour === undefined || !findTradingDay(calendar, date)) return findSessionOf(calendar, date)?.close_ms ?? null;
  const hours = (Number(hour) % 12) + (half === "PM" ? 12 : 0);
  return toInstant("America/New_York", date, `${String(hours).padStart(2, "0")}:${minute}` as `${number}:${number}`);
}

/** A print with its price and time; null without them. */
function readSale(calendar: Calendar, sale: Static<typeof Sale> | null | undefined) {
  const price = readVendorNumber(sale?.lastSalePrice);
  const at_ms = readTradeTime(calendar, sale?.lastTradeTimestamp ?? "");
  if (!sale || price === null || price <= 0 || at_ms === null) return null;
  return { price, at_ms, change: readVendorChange(sale.netChange), volume: readVendorNumber(sale.volume) };
}

type Read = NonNullable<ReturnType<typeof readSale>>;

/** Which of the two prints is of regular hours; null when neither is. */
function pickRegular(calendar: Calendar, primary: Read, close: Read | null): Read | null {
  const day = findTradingDay(calendar, toLocal(calendar.zone, primary.at_ms).date);
  const is_running = day !== null && primary.at_ms >= day.open_ms && primary.at_ms < day.close_ms;
  if (close && !is_running) return close;
  return isInSession(calendar, primary.at_ms) ? primary : null;
}

const ask = (
  context: Pick<FetchContext, "get">,
  { symbol, calendar, asset }: { symbol: string; calendar: Calendar; asset: "stocks" | "etf" },
) =>
  context.get(nasdaq, {
    path: `/quote/${encodeURIComponent(symbol)}/info?assetclass=${asset}`,
    headers: { accept: "application/json", "accept-language": "en-US,en" },
    schema: Answer,
    ttl_ms: 30_000,
    read({ data }) {
      if (data === null) return { quote: null };
      const { lastSalePrice, lastTradeTimestamp } = data.primaryData;
      const primary = readSale(calendar, data.primaryData);
      if (!primary) {
        const price = readVendorNumber(lastSalePrice);
        if (price === null || price <= 0) return unusable("no price");
        return unusable(`"${(lastTradeTimestamp ?? "").slice(0, 40)}" is not a time`);
      }
      const regular = pickRegular(calendar, primary, readSale(calendar, data.secondaryData));
      if (!regular) return unusable("the print is of extended hours, without a close beside it");
      const dayOf = (ms: number): string => toLocal(calendar.zone, ms).date;
      // The print's volume counts its own day: before the open that is not the day of the close.
      const is_of_day = dayOf(primary.at_ms) === dayOf(regular.at_ms);
      const { price, at_ms, change } = regular;
      const quote: VendorQuote = {
        currency: "USD",
        price,
        name: cutName(data.companyName),
        at_ms,
        open: null,
        high: null,
        low: null,
        prev_close: change === null || change >= price ? null : Math.round((price - change) * 1e4) / 1e4,
        volume: is_of_day ? primary.volume : null,
        delay_minutes: null,
        warnings: change === null || change >= price ? ["prev_close: the vendor states no change of the day"] : [],
      };
      return { quote };
    },
  });

/**
 * The last price of regular hours of a US share, else of a fund; the close before is the price less its change.
 * @throws UpstreamError
 */
export async function fetchNasdaqQuote(
  context: Pick<FetchContext, "get">,
  { symbol, calendar }: { readonly symbol: string; readonly calendar: Calendar },
): Promise<VendorQuote> {
  for (const asset of ["stocks", "etf"] as const) {
    const { quote } = await ask(context, { symbol, calendar, asset });
    if (quote) return quote;
  }
  throw new UpstreamError("upstream_not_found", nasdaq.id, `${symbol} is not known`);
}
