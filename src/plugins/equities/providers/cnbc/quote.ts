import { type Static, Type } from "@sinclair/typebox";
import { type Calendar, type FetchContext, UpstreamError, unusable, Whole } from "intel-node";
import { CLOCK_SKEW_MAX_MS } from "intel-node/providers/clock-skew";
import { findTradingDay } from "../../markets/regular-session.ts";
import { readVendorChange, readVendorNumber, toMajorUnit, type VendorQuote } from "../../vendors/vendor-quote.ts";
import { cnbc } from "./provider.ts";

const Figure = Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Null()]));
const Row = Type.Object({
  /** 0 when the symbol is known; a number or a text. */
  code: Type.Union([Type.Integer(), Type.String({ maxLength: 10 })]),
  /** Only shown: of any length, and cut. */
  name: Type.Optional(Type.String()),
  currencyCode: Type.Optional(Type.String({ maxLength: 5 })),
  last: Figure,
  open: Figure,
  high: Figure,
  low: Figure,
  previous_day_closing: Figure,
  volume: Figure,
  change: Figure,
  curmktstatus: Figure,
  last_time: Type.Optional(Type.String({ maxLength: 60 })),
});
/** One symbol comes as an object, several as a list. */
const Answer = Type.Object({
  FormattedQuoteResult: Type.Object({
    FormattedQuote: Type.Union([Row, Whole("one", Row, { minItems: 1, maxItems: 1 })]),
  }),
});

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * "2026-09-02T15:10:33.000-0400", whose zone lacks its colon, or a day alone once regular hours are over: its close.
 * Null when it is neither, or a day without trading.
 */
function readLastTime(calendar: Calendar, text: string): number | null {
  if (DAY.test(text)) return findTradingDay(calendar, text)?.close_ms ?? null;
  const at_ms = Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, "$1:$2"));
  return Number.isNaN(at_ms) ? null : at_ms;
}

/**
 * The close before is the price less its change. `previous_day_closing` is that close while the exchange trades; some
 * hours after the close it turns into the day's own close, and nothing in the answer says which of the two it is.
 */
function readPreviousClose(row: Static<typeof Row>, price: number): number | null {
  const change = readVendorChange(row.change);
  if (change !== null && change < price) return Math.round((price - change) * 1e4) / 1e4;
  const is_running = row.curmktstatus === "REG_MKT" && !DAY.test(row.last_time ?? "");
  return is_running ? readVendorNumber(row.previous_day_closing) : null;
}

/**
 * The last price of regular hours of a share, by CNBC's own spelling of its symbol: `last` is that in every state of
 * the market, prints of extended hours are separate, in `ExtendedMktQuote`.
 * @throws UpstreamError
 */
export async function fetchCnbcQuote(
  context: Pick<FetchContext, "get" | "now_ms">,
  { symbol, calendar }: { readonly symbol: string; readonly calendar: Calendar },
): Promise<VendorQuote> {
  const { quote } = await context.get(cnbc, {
    path:
      `/quote-html-webservice/restQuote/symbolType/symbol?symbols=${encodeURIComponent(symbol)}` +
      "&requestMethod=itv&noform=1&partnerId=2&fund=1&exthrs=1&output=json",
    schema: Answer,
    ttl_ms: 30_000,
    read({ FormattedQuoteResult: { FormattedQuote: rows } }) {
      const [row] = Array.isArray(rows) ? rows : [rows];
      if (!row || Number(row.code) !== 0) return { quote: null };
      const price = readVendorNumber(row.last);
      const at_ms = readLastTime(calendar, row.last_time ?? "");
      if (price === null || price <= 0) return unusable("no price");
      if (at_ms === null) return unusable("no time");
      if (at_ms > context.now_ms + CLOCK_SKEW_MAX_MS) return unusable("the time lies in the future");
      if (row.currencyCode === undefined) return unusable("no currency");
      const prev_close = readPreviousClose(row, price);
      const quote: VendorQuote = toMajorUnit({
        currency: row.currencyCode,
        price,
        name: row.name ?? null,
        at_ms,
        prev_close,
        open: readVendorNumber(row.open),
        high: readVendorNumber(row.high),
        low: readVendorNumber(row.low),
        volume: readVendorNumber(row.volume),
        delay_minutes: null,
        warnings: prev_close === null ? ["prev_close: the vendor states no change of the day"] : [],
      });
      return { quote };
    },
  });
  if (!quote) throw new UpstreamError("upstream_not_found", cnbc.id, `${symbol} is not known`);
  return quote;
}
