import { Type } from "@sinclair/typebox";
import { type FetchContext, UpstreamError, Whole } from "intel-node";
import { readVendorNumber, toMajorUnit, type VendorQuote } from "../../shared/vendor-quote.ts";
import { cnbc } from "./provider.ts";

const Figure = Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Null()]));
const Row = Type.Object({
  /** 0 when the symbol is known; a number or a text. */
  code: Type.Union([Type.Integer(), Type.String({ maxLength: 10 })]),
  name: Type.Optional(Type.String({ maxLength: 200 })),
  currencyCode: Type.Optional(Type.String({ maxLength: 5 })),
  ...{ last: Figure, open: Figure, high: Figure, low: Figure, previous_day_closing: Figure, volume: Figure },
  last_time: Type.Optional(Type.String({ maxLength: 60 })),
});
/** One symbol comes as an object, several as a list. */
const Answer = Type.Object({
  FormattedQuoteResult: Type.Object({
    FormattedQuote: Type.Union([Row, Whole("one", Row, { minItems: 1, maxItems: 1 })]),
  }),
});

/** The last price of a share, by CNBC's own spelling of its symbol. @throws UpstreamError */
export async function fetchCnbcQuote(context: Pick<FetchContext, "get">, symbol: string): Promise<VendorQuote> {
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
      // "2026-09-02T15:10:33.000-0400": the zone lacks its colon.
      const at_ms = Date.parse((row.last_time ?? "").replace(/([+-]\d{2})(\d{2})$/, "$1:$2"));
      if (price === null || price <= 0) return "no price";
      if (Number.isNaN(at_ms)) return "no time";
      if (row.currencyCode === undefined) return "no currency";
      const quote: VendorQuote = toMajorUnit({
        ...{ currency: row.currencyCode, price, name: row.name ?? null, at_ms },
        ...{ open: readVendorNumber(row.open), high: readVendorNumber(row.high), low: readVendorNumber(row.low) },
        ...{ prev_close: readVendorNumber(row.previous_day_closing), volume: readVendorNumber(row.volume) },
        delay_minutes: null,
      });
      return { quote };
    },
  });
  if (!quote) throw new UpstreamError("upstream_not_found", cnbc.id, `${symbol} is not known`);
  return quote;
}
