import { Type } from "@sinclair/typebox";
import { DecimalText, fetchQuote, type Quote, type QuoteContext } from "../quote.ts";
import { kraken } from "./provider.ts";

/** Price, whole lot volume, lot volume. */
const Level = Type.Array(DecimalText, { minItems: 1, maxItems: 10 });

const Answer = Type.Object({
  error: Type.Array(Type.String(), { maxItems: 20 }),
  result: Type.Optional(Type.Record(Type.String(), Type.Object({ a: Level, b: Level }))),
});

/** Kraken's own names of some assets. */
const NAMES: Readonly<Record<string, string>> = { BTC: "XBT", DOGE: "XDG" };

/** Kraken's name of the pair BASE/USD in requests, such as "XBTUSD". */
export const getKrakenPair = (base: string): string => `${NAMES[base] ?? base}USD`;

/**
 * Best bid and ask of BASE/USD, in USD. The answer's key is another name of the pair (XXBTZUSD), so it is read by
 * position; it states no time.
 * @throws UpstreamError
 */
export function fetchKrakenQuote(context: QuoteContext, base: string, timeout_ms = 3_000): Promise<Quote> {
  return fetchQuote(context, kraken, {
    path: `/0/public/Ticker?pair=${getKrakenPair(base)}`,
    schema: Answer,
    timeout_ms,
    read({ error, result }) {
      if (error.length > 0) return `error ${error.join(", ").slice(0, 100)}`;
      const [ticker, ...others] = Object.values(result ?? {});
      if (!ticker || others.length > 0) return "not exactly one pair";
      return { bid: Number(ticker.b[0]), ask: Number(ticker.a[0]), at_ms: null };
    },
  });
}
