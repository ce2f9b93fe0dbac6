import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows } from "intel-node";
import { sec } from "./provider.ts";

/** A registrant's ticker. */
export interface TickerListing {
  readonly cik: number;
  readonly name: string;
  /** Classes after a dot, such as BRK.B. */
  readonly ticker: string;
  readonly exchange: string | null;
}

export interface Tickers {
  readonly by_ticker: ReadonlyMap<string, TickerListing>;
  /** The first ticker of each registrant: the SEC lists the most traded class first. */
  readonly by_cik: ReadonlyMap<number, TickerListing>;
}

const Answer = Type.Object({
  fields: Type.Tuple([Type.Literal("cik"), Type.Literal("name"), Type.Literal("ticker"), Type.Literal("exchange")]),
  data: Rows(
    Type.Tuple([
      Type.Integer({ minimum: 1 }),
      Type.String({ maxLength: 300 }),
      Type.String({ maxLength: 20 }),
      Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
    ]),
    { minItems: 10, maxItems: 50_000 },
  ),
});

const TTL_MS = 86_400_000;

/** How tickers are written here: upper case, classes after a dot. */
export const normaliseTicker = (text: string): string => text.trim().toUpperCase().replace(/[-/]/, ".");

/** Everybody who has a ticker. @throws UpstreamError */
export function fetchTickers(context: Pick<FetchContext, "get">): Promise<Tickers> {
  return context.get(sec, {
    path: "/files/company_tickers_exchange.json",
    schema: Answer,
    ttl_ms: TTL_MS,
    body_bytes_max: 8_000_000,
    read({ data }) {
      const by_ticker = new Map<string, TickerListing>();
      const by_cik = new Map<number, TickerListing>();
      for (const [cik, name, written, exchange] of data) {
        const listing = { cik, name, ticker: normaliseTicker(written), exchange };
        if (!by_ticker.has(listing.ticker)) by_ticker.set(listing.ticker, listing);
        if (!by_cik.has(cik)) by_cik.set(cik, listing);
      }
      return { by_ticker, by_cik };
    },
  });
}
