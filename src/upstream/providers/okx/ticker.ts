import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { DecimalText, fetchQuote, type QuoteContext, type SpotQuote, TimeText } from "../quote.ts";
import { okx } from "./provider.ts";

const Answer = Type.Object({
  code: Type.String(),
  data: Whole(
    "one",
    Type.Object({ instId: Type.Optional(Type.String()), bidPx: DecimalText, askPx: DecimalText, ts: TimeText }),
    { maxItems: 1 },
  ),
});

/**
 * Best bid and ask of BASE/USDT, in USDT, with the time OKX states (ms).
 * @throws UpstreamError
 */
export function fetchOkxQuote(context: QuoteContext, base: string, timeout_ms = 3_000): Promise<SpotQuote> {
  const pair = `${base}-USDT`;
  return fetchQuote(context, okx, {
    path: `/api/v5/market/ticker?instId=${pair}`,
    schema: Answer,
    timeout_ms,
    read({ code, data: [ticker] }) {
      if (code !== "0") return unusable(`error code ${code.slice(0, 20)}`);
      if (!ticker) return unusable("no ticker");
      if (ticker.instId !== undefined && ticker.instId !== pair) return unusable("the answer is about another pair");
      return { bid: Number(ticker.bidPx), ask: Number(ticker.askPx), at_ms: Number(ticker.ts) };
    },
  });
}
