import { Type } from "@sinclair/typebox";
import { type FetchContext, toInstant, UpstreamError } from "intel-node";
import { readVendorNumber, type VendorQuote } from "../../shared/vendor-quote.ts";
import { nasdaq } from "./provider.ts";

const Figure = Type.Union([Type.String({ maxLength: 40 }), Type.Null()]);
const Answer = Type.Object({
  data: Type.Union([
    Type.Object({
      companyName: Type.String({ maxLength: 200 }),
      primaryData: Type.Object({
        ...{ lastSalePrice: Figure, netChange: Figure, volume: Type.Optional(Figure) },
        lastTradeTimestamp: Type.String({ maxLength: 60 }),
      }),
    }),
    Type.Null(),
  ]),
});
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const CLOSE = "16:00";

/** "Sep 2, 2026 3:10 PM ET", or a day alone, which means its close. Null when it is neither. */
export function readTradeTime(text: string): number | null {
  const [, month = "", day = "", year = "", hour, minute, half] =
    /^([A-Z][a-z]{2}) (\d{1,2}), (\d{4})(?: (\d{1,2}):(\d{2}) (AM|PM) ET)?/.exec(text) ?? [];
  const place = MONTHS.indexOf(month) + 1;
  if (place === 0) return null;
  const date = `${year}-${String(place).padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (hour === undefined) return toInstant("America/New_York", date, CLOSE);
  const hours = (Number(hour) % 12) + (half === "PM" ? 12 : 0);
  return toInstant("America/New_York", date, `${String(hours).padStart(2, "0")}:${minute}` as `${number}:${number}`);
}

const ask = (context: Pick<FetchContext, "get">, symbol: string, asset: "stocks" | "etf") =>
  context.get(nasdaq, {
    path: `/quote/${encodeURIComponent(symbol)}/info?assetclass=${asset}`,
    headers: { accept: "application/json", "accept-language": "en-US,en" },
    schema: Answer,
    ttl_ms: 30_000,
    read({ data }) {
      if (data === null) return { quote: null };
      const { lastSalePrice, netChange, volume, lastTradeTimestamp } = data.primaryData;
      const [price, change, at_ms] = [
        readVendorNumber(lastSalePrice),
        readVendorNumber(netChange),
        readTradeTime(lastTradeTimestamp),
      ];
      if (price === null || price <= 0) return "no price";
      if (at_ms === null) return `"${lastTradeTimestamp.slice(0, 40)}" is no time`;
      const quote: VendorQuote = {
        ...{ currency: "USD", price, name: data.companyName, at_ms, open: null, high: null, low: null },
        ...{ prev_close: change === null ? null : Math.round((price - change) * 1e4) / 1e4 },
        ...{ volume: readVendorNumber(volume), delay_minutes: null },
      };
      return { quote };
    },
  });

/** The last price of a US share, else a fund; the close before is the price less its change. @throws UpstreamError */
export async function fetchNasdaqQuote(context: Pick<FetchContext, "get">, symbol: string): Promise<VendorQuote> {
  for (const asset of ["stocks", "etf"] as const) {
    const { quote } = await ask(context, symbol, asset);
    if (quote) return quote;
  }
  throw new UpstreamError("upstream_not_found", nasdaq.id, `${symbol} is not known`);
}
