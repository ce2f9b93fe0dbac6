import { Type } from "@sinclair/typebox";
import { type FetchContext, unusable } from "intel-node";
import { goldapi } from "./provider.ts";

const Answer = Type.Object({
  currency: Type.Literal("USD"),
  price: Type.Number({ exclusiveMinimum: 0 }),
  symbol: Type.String({ maxLength: 8 }),
  updatedAt: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$" }),
});

/** A clock that is this far ahead is wrong. */
const AHEAD_MAX_MS = 60_000;

/** US dollars for a troy ounce, and when it was set. @throws UpstreamError */
export function fetchGoldapiPrice(
  context: Pick<FetchContext, "get" | "now_ms">,
  code: string,
  ttl_ms: number,
): Promise<{ readonly price: number; readonly at_ms: number }> {
  return context.get(goldapi, {
    path: `/price/${code}`,
    schema: Answer,
    ttl_ms,
    read({ price, symbol, updatedAt }) {
      if (symbol !== code) return unusable(`it is a price of ${symbol}`);
      const at_ms = Date.parse(updatedAt);
      return at_ms > context.now_ms + AHEAD_MAX_MS ? unusable("it is of a time to come") : { price, at_ms };
    },
  });
}
