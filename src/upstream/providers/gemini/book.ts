import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { DecimalText, fetchQuote, type QuoteContext, type SpotQuote } from "../quote.ts";
import { gemini } from "./provider.ts";

const Level = Type.Object({ price: DecimalText, amount: DecimalText });
const Side = Whole("book", Level, { minItems: 1, maxItems: 100 });
const Answer = Type.Object({ bids: Side, asks: Side });

/**
 * Best bid and ask of BASE/USD, in USD. The time at each level is no time of the book, so none is read.
 * @throws UpstreamError
 */
export function fetchGeminiQuote(context: QuoteContext, base: string, timeout_ms = 3_000): Promise<SpotQuote> {
  return fetchQuote(context, gemini, {
    path: `/v1/book/${base.toLowerCase()}usd?limit_bids=1&limit_asks=1`,
    schema: Answer,
    timeout_ms,
    read: ({ bids, asks }) => ({ bid: Number(bids[0]?.price), ask: Number(asks[0]?.price), at_ms: null }),
  });
}
