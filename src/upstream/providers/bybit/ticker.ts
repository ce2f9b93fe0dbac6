import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { DecimalText, fetchQuote, type QuoteContext, type SpotQuote } from "../quote.ts";
import { bybit } from "./provider.ts";

const Ticker = Type.Object({ symbol: Type.String(), bid1Price: DecimalText, ask1Price: DecimalText });
const Answer = Type.Object({
  retCode: Type.Integer(),
  result: Type.Object({ list: Type.Optional(Whole("one", Ticker, { maxItems: 1 })) }),
  time: Type.Optional(Type.Integer({ minimum: 1 })),
});

/**
 * Best bid and ask of BASE/USDT, in USDT, with the server's time (ms) where it is stated.
 * @throws UpstreamError
 */
export function fetchBybitQuote(context: QuoteContext, base: string, timeout_ms = 3_000): Promise<SpotQuote> {
  const symbol = `${base}USDT`;
  return fetchQuote(context, bybit, {
    path: `/v5/market/tickers?category=spot&symbol=${symbol}`,
    schema: Answer,
    timeout_ms,
    read({ retCode, result, time }) {
      if (retCode !== 0) return unusable(`error code ${retCode}`);
      const ticker = result.list?.[0];
      if (!ticker || ticker.symbol !== symbol) return unusable("no ticker of this symbol");
      return { bid: Number(ticker.bid1Price), ask: Number(ticker.ask1Price), at_ms: time ?? null };
    },
  });
}
