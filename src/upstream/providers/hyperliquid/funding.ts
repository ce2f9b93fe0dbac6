import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { FetchContext } from "../../../catalog/context.ts";
import { isUnusable, type Unusable, unusable } from "../../../catalog/unusable.ts";
import { checkFunding, type FundingReading, RATE_PATTERN } from "../funding-reading.ts";
import { DecimalText } from "../quote.ts";
import { Listed, readListed } from "./listed.ts";
import { hyperliquid } from "./provider.ts";

const Entry = Type.Object({
  funding: Type.String({ pattern: RATE_PATTERN }),
  openInterest: DecimalText,
  markPx: DecimalText,
});

function readFunding(entry: unknown, symbol: string): FundingReading | Unusable {
  if (!Value.Check(Entry, entry)) return unusable(`no usable entry of ${symbol}`);
  const open_interest_usd = Number(entry.openInterest) * Number(entry.markPx);
  return checkFunding({ symbol, rate_1h_frac: Number(entry.funding), open_interest_usd });
}

/**
 * Current funding rate and open interest of the named coins, in their order. An answer that lacks one is refused.
 * @throws UpstreamError
 */
export function fetchFunding(
  context: Pick<FetchContext, "get">,
  symbols: readonly string[],
): Promise<FundingReading[]> {
  return context.get(hyperliquid, {
    path: "/info",
    body: { type: "metaAndAssetCtxs" },
    schema: Listed,
    ttl_ms: 10_000,
    read(answer, _, eachRow) {
      const coins = readListed(answer, eachRow);
      if (isUnusable(coins)) return coins;
      const found: FundingReading[] = [];
      for (const symbol of symbols) {
        const funding = readFunding(coins.find(({ name }) => name === symbol)?.entry, symbol);
        if (isUnusable(funding)) return funding;
        found.push(funding);
      }
      return found;
    },
  });
}

/**
 * The same of those of the named coins that are listed and have usable numbers. One that is not is no fault of the
 * answer: the others stand without it.
 * @throws UpstreamError
 */
export function fetchListedFunding(
  context: Pick<FetchContext, "get">,
  symbols: readonly string[],
): Promise<readonly FundingReading[]> {
  return context.get(hyperliquid, {
    path: "/info",
    body: { type: "metaAndAssetCtxs" },
    schema: Listed,
    ttl_ms: 10_000,
    read(answer, _, eachRow) {
      const coins = readListed(answer, eachRow);
      if (isUnusable(coins)) return coins;
      return symbols.flatMap((symbol) => {
        const funding = readFunding(coins.find(({ name }) => name === symbol)?.entry, symbol);
        return isUnusable(funding) ? [] : [funding];
      });
    },
  });
}
