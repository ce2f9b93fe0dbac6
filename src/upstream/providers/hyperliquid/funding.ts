import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { FetchContext } from "../../../catalog/context.ts";
import { checkFunding, type Funding, RATE_PATTERN } from "../funding-reading.ts";
import { DecimalText } from "../quote.ts";
import { hyperliquid } from "./provider.ts";

const COINS_MAX = 2_000;

const Answer = Type.Tuple([
  Type.Object({ universe: Type.Array(Type.Object({ name: Type.String() }), { minItems: 1, maxItems: COINS_MAX }) }),
  // Only the wanted coins' entries are looked into: those of delisted ones hold nulls.
  Type.Array(Type.Unknown(), { minItems: 1, maxItems: COINS_MAX }),
]);

const Entry = Type.Object({
  funding: Type.String({ pattern: RATE_PATTERN }),
  openInterest: DecimalText,
  markPx: DecimalText,
});

function readFunding(entry: unknown, symbol: string): Funding | string {
  if (!Value.Check(Entry, entry)) return `no usable entry of ${symbol}`;
  const open_interest_usd = Number(entry.openInterest) * Number(entry.markPx);
  return checkFunding({ symbol, rate_1h_frac: Number(entry.funding), open_interest_usd });
}

/**
 * Current funding rate and open interest of the named coins, in their order. An answer that lacks one is refused.
 * @throws UpstreamError
 */
export function fetchFunding(context: Pick<FetchContext, "get">, symbols: readonly string[]): Promise<Funding[]> {
  return context.get(hyperliquid, {
    path: "/info",
    body: { type: "metaAndAssetCtxs" },
    schema: Answer,
    ttl_ms: 10_000,
    read([{ universe }, entries]) {
      if (universe.length !== entries.length) return "names and entries do not match";
      const found: Funding[] = [];
      for (const symbol of symbols) {
        const index = universe.findIndex(({ name }) => name === symbol);
        const funding = readFunding(entries[index], symbol);
        if (typeof funding === "string") return funding;
        found.push(funding);
      }
      return found;
    },
  });
}
