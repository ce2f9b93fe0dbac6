import { Type } from "@sinclair/typebox";
import { Rows } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import type { QuoteContext } from "../quote.ts";
import { swissquote } from "./provider.ts";

/** Currency pairs it quotes; metals it quotes against the dollar: XAU/USD, XAG/USD, XPT/USD, XPD/USD. */
export const SWISSQUOTE_PAIRS = [
  ...["EUR/USD", "GBP/USD", "USD/JPY", "USD/CHF", "AUD/USD", "USD/CAD"],
  ...["EUR/GBP", "EUR/JPY", "EUR/CHF", "GBP/JPY"],
] as const satisfies readonly `${string}/${string}`[];

/** Its narrowest bid and ask, units of quote for 1 base, with the time it states. */
export interface DealerQuote {
  readonly bid: number;
  readonly ask: number;
  readonly at_ms: number;
}

const Price = Type.Number({ exclusiveMinimum: 0 });
/** One row a server, in it one a profile of customers: any of them is a quote by itself. */
const Answer = Rows(
  Type.Object({
    spreadProfilePrices: Rows(Type.Object({ bid: Price, ask: Price }), { floor: 0.5, minItems: 1 }),
    ts: Type.Integer({ minimum: 1_500_000_000_000 }),
  }),
  { floor: 0.5, minItems: 1 },
);

/** A clock that is this far ahead is wrong. */
const AHEAD_MAX_MS = 60_000;

/**
 * Its newest and then narrowest quote of a pair.
 * @throws UpstreamError
 */
export function fetchDealerQuote(context: QuoteContext, pair: string, ttl_ms: number): Promise<DealerQuote> {
  return context.get(swissquote, {
    path: `/public-quotes/bboquotes/instrument/${pair}`,
    schema: Answer,
    ttl_ms,
    read(feeds, _, eachRow) {
      const quotes = eachRow(feeds, ({ spreadProfilePrices, ts: at_ms }) =>
        at_ms > context.now_ms + AHEAD_MAX_MS
          ? unusable("it is of a time to come")
          : eachRow(spreadProfilePrices, ({ bid, ask }) =>
              ask >= bid ? { bid, ask, at_ms } : unusable("the quote is crossed"),
            ),
      )
        .flat()
        .sort((a, b) => b.at_ms - a.at_ms || a.ask / a.bid - b.ask / b.bid);
      const [best] = quotes;
      return best ?? unusable("no quote");
    },
  });
}
