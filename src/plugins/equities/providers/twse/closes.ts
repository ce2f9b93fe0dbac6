import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows, toInstant, unusable } from "intel-node";
import { readStatedPrice, readVendorNumber, type VendorQuote } from "../../vendors/vendor-quote.ts";
import { twse } from "./provider.ts";

const Cell = Type.String({ maxLength: 40 });
const Row = Type.Object({
  Date: Type.String({ pattern: "^\\d{7}$" }),
  Code: Cell,
  Name: Cell,
  TradeVolume: Cell,
  OpeningPrice: Cell,
  HighestPrice: Cell,
  LowestPrice: Cell,
  ClosingPrice: Cell,
  Change: Cell,
});
const TTL_MS = 900_000;

/** A date of the Republic of China's calendar, "1141120", as "2025-11-20". */
export function readROCDate(text: string): string | null {
  const [, year = "", month = "", day = ""] = /^(\d{2,3})(\d{2})(\d{2})$/.exec(text) ?? [];
  const date = `${Number(year) + 1911}-${month}-${day}`;
  return year !== "" && !Number.isNaN(Date.parse(date)) ? date : null;
}

/** Closes of every listed share, by code; those that did not trade have none. @throws UpstreamError */
export function fetchTaiwanCloses(context: Pick<FetchContext, "get">): Promise<ReadonlyMap<string, VendorQuote>> {
  return context.get(twse, {
    path: "/v1/exchangeReport/STOCK_DAY_ALL",
    schema: Rows(Row, { minItems: 20, maxItems: 20_000 }),
    ttl_ms: TTL_MS,
    read(rows, _, eachRow) {
      const closes = new Map<string, VendorQuote>();
      eachRow(rows, (row) => {
        const [price, change, date] = [
          readVendorNumber(row.ClosingPrice),
          readVendorNumber(row.Change),
          readROCDate(row.Date),
        ];
        if (date === null) return unusable("a date cannot be read");
        const others = [row.TradeVolume, row.OpeningPrice, row.HighestPrice, row.LowestPrice].map(readVendorNumber);
        if ([price, ...others].some((value) => value !== null && value < 0))
          return unusable("a price or volume below 0");
        if (price === null && /\w/.test(row.ClosingPrice)) return unusable("a close cannot be read");
        if (price === null || price <= 0) return null;
        closes.set(row.Code, {
          currency: "TWD",
          price,
          name: row.Name,
          open: readStatedPrice(readVendorNumber(row.OpeningPrice)),
          high: readStatedPrice(readVendorNumber(row.HighestPrice)),
          low: readStatedPrice(readVendorNumber(row.LowestPrice)),
          prev_close: change === null || change >= price ? null : Math.round((price - change) * 1e4) / 1e4,
          // A share with a close was traded: a volume of 0 beside it was not stated.
          volume: readVendorNumber(row.TradeVolume) || null,
          at_ms: toInstant("Asia/Taipei", date, "13:30"),
          delay_minutes: null,
        });
        return null;
      });
      return closes.size > 0 ? closes : unusable("nothing traded");
    },
  });
}
