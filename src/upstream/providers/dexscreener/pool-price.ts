import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Rows } from "../../../catalog/rows.ts";
import type { DexChain } from "../dex-tokens.ts";
import { isSameToken, type ListedPool, type PoolPrice, readDeepest } from "../pool-price.ts";
import { dexscreener } from "./provider.ts";

/** Prices come as numbers and as strings. */
const Price = Type.Union([Type.Number(), Type.String({ pattern: "^[0-9]{1,20}(\\.[0-9]{1,40})?$" })]);
const Token = Type.Object({ address: Type.String({ maxLength: 200 }) });

const Pair = Type.Object({
  chainId: Type.String({ maxLength: 40 }),
  dexId: Type.String(),
  baseToken: Token,
  quoteToken: Token,
  priceUsd: Type.Optional(Type.Union([Price, Type.Null()])),
  priceChange: Type.Optional(Type.Object({ h24: Type.Optional(Type.Number()) })),
  liquidity: Type.Optional(Type.Object({ usd: Type.Optional(Type.Number()) })),
});
const Answer = Rows(Pair, { maxItems: 500 });

const PRICE_TTL_MS = 15_000;
/** A pool in which the token is the base, not the quote. */
function readPair(pair: Static<typeof Pair>, chain: DexChain, token: string): ListedPool | null {
  if (pair.chainId !== chain || !isSameToken(chain, pair.baseToken.address, token)) return null;
  return {
    price: Number(pair.priceUsd ?? Number.NaN),
    liquidity_usd: pair.liquidity?.usd ?? 0,
    change_24h_pct: pair.priceChange?.h24 ?? 0,
  };
}

/**
 * The price of a token in its deepest pool. The table states no time: it is as new as the call.
 * @throws UpstreamError
 */
export function fetchPoolPrice(
  context: Pick<FetchContext, "get">,
  { chain, token }: { readonly chain: DexChain; readonly token: string },
): Promise<PoolPrice> {
  return context.get(dexscreener, {
    path: `/token-pairs/v1/${chain}/${token}`,
    schema: Answer,
    ttl_ms: PRICE_TTL_MS,
    read: (pairs) => readDeepest(pairs.flatMap((pair) => readPair(pair, chain, token) ?? [])),
  });
}
