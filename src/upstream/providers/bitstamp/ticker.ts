import { Type } from "@sinclair/typebox";
import { DecimalText, fetchQuote, type QuoteContext, type SpotQuote, TimeText } from "../quote.ts";
import { bitstamp } from "./provider.ts";

const Answer = Type.Object({ bid: DecimalText, ask: DecimalText, timestamp: TimeText });

/**
 * Best bid and ask of BASE/USD, in USD, with the time Bitstamp states (s).
 * @throws UpstreamError
 */
export function fetchBitstampQuote(context: QuoteContext, base: string, timeout_ms = 3_000): Promise<SpotQuote> {
  return fetchQuote(context, bitstamp, {
    path: `/api/v2/ticker/${base.toLowerCase()}usd/`,
    schema: Answer,
    timeout_ms,
    read: ({ bid, ask, timestamp }) => ({ bid: Number(bid), ask: Number(ask), at_ms: Number(timestamp) * 1000 }),
  });
}
