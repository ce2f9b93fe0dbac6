import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { DecimalText, fetchQuote, type QuoteContext, type SpotQuote } from "../quote.ts";
import { kraken } from "./provider.ts";

/** Price first; the two volumes behind it are not needed. */
const Level = Whole("parts", DecimalText, { minItems: 1, maxItems: 3 });

const Answer = Type.Object({
  error: Whole("one", Type.String(), { maxItems: 20 }),
  result: Type.Optional(Type.Record(Type.String(), Type.Object({ a: Level, b: Level }))),
});

/**
 * Best bid and ask of a share's token (xStock), US dollars. The ticker states no time: it is as new as the call.
 * @throws UpstreamError
 */
export function fetchKrakenShareToken(context: QuoteContext, symbol: string): Promise<SpotQuote> {
  return fetchQuote(context, kraken, {
    path: `/0/public/Ticker?pair=${encodeURIComponent(symbol)}xUSD&asset_class=tokenized_asset`,
    schema: Answer,
    timeout_ms: 3_000,
    read({ error, result }) {
      if (error.length > 0) return unusable(`error ${error.join(", ").slice(0, 100)}`);
      const [ticker, ...others] = Object.values(result ?? {});
      if (!ticker || others.length > 0) return unusable("not exactly one pair");
      return { bid: Number(ticker.b[0]), ask: Number(ticker.a[0]), at_ms: null };
    },
  });
}
