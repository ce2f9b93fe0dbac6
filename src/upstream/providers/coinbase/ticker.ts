import { Type } from "@sinclair/typebox";
import { DecimalText, fetchQuote, type QuoteContext, type SpotQuote } from "../quote.ts";
import { coinbase } from "./provider.ts";

const TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z$";
const Answer = Type.Object({ bid: DecimalText, ask: DecimalText, time: Type.String({ pattern: TIME }) });

/**
 * Best bid and ask of BASE/USD, in USD, with the time of the ticker.
 * @throws UpstreamError
 */
export function fetchCoinbaseQuote(context: QuoteContext, base: string, timeout_ms = 3_000): Promise<SpotQuote> {
  return fetchQuote(context, coinbase, {
    path: `/products/${base}-USD/ticker`,
    schema: Answer,
    timeout_ms,
    read: ({ bid, ask, time }) => ({ bid: Number(bid), ask: Number(ask), at_ms: Date.parse(time) }),
  });
}
