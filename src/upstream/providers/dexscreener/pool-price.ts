import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import type { DexChain } from "../dex-tokens.ts";
import { fetchReading } from "../fetch-reading.ts";
import { dexscreener } from "./provider.ts";

/** Prices come as numbers and as strings. */
const Price = Type.Union([Type.Number(), Type.String({ pattern: "^[0-9]{1,20}(\\.[0-9]{1,40})?$" })]);
const Token = Type.Object({ address: Type.String({ maxLength: 80 }), symbol: Type.String({ maxLength: 80 }) });

const Pair = Type.Object({
  chainId: Type.String({ maxLength: 40 }),
  dexId: Type.String({ maxLength: 80 }),
  baseToken: Token,
  quoteToken: Token,
  priceUsd: Type.Optional(Type.Union([Price, Type.Null()])),
  priceChange: Type.Optional(Type.Object({ h24: Type.Optional(Type.Number()) })),
  liquidity: Type.Optional(Type.Object({ usd: Type.Optional(Type.Number()) })),
});
const Answer = Type.Array(Pair, { maxItems: 500 });

const PRICE_TTL_MS = 15_000;
const LIQUIDITY_USD_MIN = 250_000;
const CHANGE_PCT_MAX = 1_000;

export interface PoolPrice {
  /** US dollars. */
  readonly price: number;
  readonly liquidity_usd: number;
}

/** A price of the token itself in a pool deep enough to mean something; thin pools show absurd ones. */
function readPair(pair: Static<typeof Pair>, chain: DexChain, token: string): PoolPrice | null {
  const price = Number(pair.priceUsd ?? Number.NaN);
  const liquidity_usd = pair.liquidity?.usd ?? 0;
  const change_pct = Math.abs(pair.priceChange?.h24 ?? 0);
  // Hex addresses are written in either case; Solana's are not.
  const isSame = chain === "solana" ? pair.baseToken.address === token : isSameHex(pair.baseToken.address, token);
  if (pair.chainId !== chain || !isSame) return null;
  if (!(price > 0 && Number.isFinite(price)) || liquidity_usd < LIQUIDITY_USD_MIN) return null;
  return change_pct <= CHANGE_PCT_MAX ? { price, liquidity_usd } : null;
}

const isSameHex = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * The price of a token in its deepest pool. The table states no time: it is as new as the call.
 * @throws UpstreamError
 */
export function fetchPoolPrice(
  context: Pick<FetchContext, "get">,
  { chain, token }: { readonly chain: DexChain; readonly token: string },
): Promise<PoolPrice> {
  return fetchReading(context, dexscreener, {
    path: `/token-pairs/v1/${chain}/${token}`,
    schema: Answer,
    ttl_ms: PRICE_TTL_MS,
    read(pairs) {
      const found = pairs.flatMap((pair) => readPair(pair, chain, token) ?? []);
      const deepest = found.sort((a, b) => b.liquidity_usd - a.liquidity_usd)[0];
      return deepest ?? `no pool of ${LIQUIDITY_USD_MIN} US dollars or more`;
    },
  });
}
