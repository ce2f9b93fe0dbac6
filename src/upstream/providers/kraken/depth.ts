import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { DecimalText, fetchQuote, type QuoteContext, type SpotQuote } from "../quote.ts";
import { getKrakenPair } from "./pair.ts";
import { kraken } from "./provider.ts";

/** Price, volume, time of the level's last change in s. */
const Level = Type.Tuple([DecimalText, DecimalText, Type.Number({ minimum: 1 })]);
const Side = Whole("book", Level, { minItems: 1, maxItems: 500 });

const Answer = Type.Object({
  error: Whole("one", Type.String(), { maxItems: 20 }),
  result: Type.Optional(Type.Record(Type.String(), Type.Object({ bids: Side, asks: Side }))),
});

/** Enough levels that one of them changed moments ago when the book is alive. */
const LEVELS = 10;

/**
 * Best bid and ask of BASE/USD, in USD, with the time of the newest change near the top of the book. The ticker states
 * no time at all, hence the book. The answer's key is another name of the pair (XXBTZUSD), so it is read by position.
 * @throws UpstreamError
 */
export function fetchKrakenQuote(context: QuoteContext, base: string, timeout_ms = 3_000): Promise<SpotQuote> {
  return fetchQuote(context, kraken, {
    path: `/0/public/Depth?pair=${getKrakenPair(base)}&count=${LEVELS}`,
    schema: Answer,
    timeout_ms,
    read({ error, result }) {
      if (error.length > 0) return unusable(`error ${error.join(", ").slice(0, 100)}`);
      const [book, ...others] = Object.values(result ?? {});
      if (!book || others.length > 0) return unusable("not exactly one pair");
      const { bids, asks } = book;
      const at_s = Math.max(...[...bids, ...asks].map(([, , changed_s]) => changed_s));
      const prices = (side: typeof bids) => side.map(([price]) => Number(price));
      // The best of each side, wherever it stands.
      return { bid: Math.max(...prices(bids)), ask: Math.min(...prices(asks)), at_ms: at_s * 1000 };
    },
  });
}
