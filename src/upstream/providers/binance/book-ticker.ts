import { Type } from "@sinclair/typebox";
import { unusable } from "../../../catalog/unusable.ts";
import { DecimalText, fetchQuote, type QuoteContext, type SpotQuote } from "../quote.ts";
import { binance } from "./provider.ts";

const Answer = Type.Object({ symbol: Type.String(), bidPrice: DecimalText, askPrice: DecimalText });

/**
 * Best bid and ask of BASE/USDT, in USDT. The answer states no time.
 * @throws UpstreamError
 */
export function fetchBinanceQuote(context: QuoteContext, base: string, timeout_ms = 3_000): Promise<SpotQuote> {
  const symbol = `${base}USDT`;
  return fetchQuote(context, binance, {
    path: `/api/v3/ticker/bookTicker?symbol=${symbol}`,
    schema: Answer,
    timeout_ms,
    read: (ticker) =>
      ticker.symbol === symbol
        ? { bid: Number(ticker.bidPrice), ask: Number(ticker.askPrice), at_ms: null }
        : unusable("the answer is about another symbol"),
  });
}
