import { Type } from "@sinclair/typebox";
import type { FetchContext } from "intel-node";
import { type FXQuote, isUsable, type Pair } from "../../shared/quotes.ts";
import { swissquote } from "./provider.ts";

/** Pairs it quotes. */
export const SWISSQUOTE_PAIRS = [
  ...["EUR/USD", "GBP/USD", "USD/JPY", "USD/CHF", "AUD/USD", "USD/CAD"],
  ...["EUR/GBP", "EUR/JPY", "EUR/CHF", "GBP/JPY"],
] as const satisfies readonly Pair[];

const Price = Type.Number({ exclusiveMinimum: 0 });
const Answer = Type.Array(
  Type.Object({
    spreadProfilePrices: Type.Array(Type.Object({ bid: Price, ask: Price }), { minItems: 1 }),
    ts: Type.Integer({ minimum: 1_500_000_000_000 }),
  }),
  { minItems: 1 },
);

/** A clock that is this far ahead is wrong. */
const AHEAD_MAX_MS = 60_000;

/**
 * Its narrowest quote of a pair, with the time it states.
 * @throws UpstreamError
 */
export function fetchSwissquote(
  context: Pick<FetchContext, "get" | "now_ms">,
  pair: Pair,
  ttl_ms: number,
): Promise<FXQuote> {
  return context.get(swissquote, {
    path: `/public-quotes/bboquotes/instrument/${pair}`,
    schema: Answer,
    ttl_ms,
    read(feeds) {
      const quotes = feeds
        .flatMap(({ spreadProfilePrices, ts }) => spreadProfilePrices.map(({ bid, ask }) => ({ bid, ask, at_ms: ts })))
        .filter(isUsable)
        .sort((a, b) => b.at_ms - a.at_ms || a.ask / a.bid - b.ask / b.bid);
      const [best] = quotes;
      if (!best) return "every quote is crossed";
      if (best.at_ms > context.now_ms + AHEAD_MAX_MS) return "it is of a time to come";
      return { provider: swissquote.id, pair, ...best, size: null };
    },
  });
}
