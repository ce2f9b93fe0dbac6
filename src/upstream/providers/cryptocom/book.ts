import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { DecimalText, fetchQuote, type QuoteContext, type SpotQuote } from "../quote.ts";
import { cryptocom } from "./provider.ts";

/** Price, quantity, number of orders. */
const Level = Whole("parts", DecimalText, { minItems: 3, maxItems: 3 });
const Side = Whole("book", Level, { minItems: 1, maxItems: 150 });
const Answer = Type.Object({
  code: Type.Integer(),
  result: Type.Optional(
    Type.Object({
      data: Whole("one", Type.Object({ bids: Side, asks: Side, t: Type.Optional(Type.Integer({ minimum: 1 })) }), {
        minItems: 1,
        maxItems: 1,
      }),
    }),
  ),
});

/**
 * Best bid and ask of BASE/USD, in USD (a bundle of dollars and stablecoins there), with the time of the book (ms)
 * where it is stated.
 * @throws UpstreamError
 */
export function fetchCryptocomQuote(context: QuoteContext, base: string, timeout_ms = 3_000): Promise<SpotQuote> {
  return fetchQuote(context, cryptocom, {
    path: `/public/get-book?instrument_name=${base}_USD&depth=1`,
    schema: Answer,
    timeout_ms,
    read({ code, result }) {
      if (code !== 0) return unusable(`error code ${code}`);
      const book = result?.data[0];
      if (!book) return unusable("no book");
      return { bid: Number(book.bids[0]?.[0]), ask: Number(book.asks[0]?.[0]), at_ms: book.t ?? null };
    },
  });
}
