import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { type EachRow, Rows, Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { cleanForeign, cutForeign } from "../../../core/foreign-text.ts";
import { dexscreener } from "./provider.ts";

const Price = Type.Union([Type.Number(), Type.String({ maxLength: 80 })]);
const maybe = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
const Num = maybe(Type.Number());
const Token = Type.Object({
  address: Type.String({ minLength: 1, maxLength: 200 }),
  name: maybe(Type.String()),
  symbol: Type.String(),
});
const Counts = maybe(Type.Object({ buys: Num, sells: Num }));

const Pair = Type.Object({
  chainId: Type.String({ maxLength: 40 }),
  dexId: Type.String(),
  pairAddress: Type.String({ minLength: 1, maxLength: 200 }),
  labels: maybe(Whole("parts", Type.String())),
  baseToken: Token,
  quoteToken: Token,
  priceNative: maybe(Price),
  priceUsd: maybe(Price),
  txns: maybe(Type.Object({ h1: Counts, h24: Counts })),
  volume: maybe(Type.Object({ h1: Num, h24: Num })),
  priceChange: maybe(Type.Object({ h1: Num, h24: Num })),
  liquidity: maybe(Type.Object({ usd: Num, base: Num, quote: Num })),
  fdv: Num,
  marketCap: Num,
  pairCreatedAt: Num,
  info: maybe(
    Type.Object({ websites: maybe(Whole("parts", Type.Unknown())), socials: maybe(Whole("parts", Type.Unknown())) }),
  ),
  boosts: maybe(Type.Object({ active: Num })),
});
const List = Rows(Pair, { maxItems: 1_000 });
const Search = Type.Object({ pairs: Type.Union([List, Type.Null()]) });

interface SideToken {
  readonly address: string;
  /** Attacker's texts. */
  readonly name: string;
  readonly symbol: string;
}

/** A pool as DEX Screener lists it; null where it does not say. Prices and volumes are of the base token. */
export interface DexPair {
  readonly chain: string;
  readonly dex: string;
  readonly pair_address: string;
  readonly labels: readonly string[];
  readonly base: SideToken;
  readonly quote: SideToken;
  readonly price_usd: number | null;
  /** Base in quote. */
  readonly price_native: number | null;
  /** Null on curves. */
  readonly liquidity_usd: number | null;
  readonly liquidity_base: number | null;
  readonly liquidity_quote: number | null;
  readonly volume_h1_usd: number | null;
  readonly volume_h24_usd: number | null;
  readonly change_h1_pct: number | null;
  readonly change_h24_pct: number | null;
  readonly buys_h1: number | null;
  readonly sells_h1: number | null;
  readonly buys_h24: number | null;
  readonly sells_h24: number | null;
  readonly fdv_usd: number | null;
  readonly market_cap_usd: number | null;
  readonly created_at_ms: number | null;
  readonly has_link: boolean;
  /** Whether somebody pays for its place in lists. */
  readonly is_promoted: boolean;
}

/** Names of venues and labels are only shown: they are cut, and cost no pair. */
const [NAME_CHARS_MAX, LABELS_MAX] = [80, 20];
/** Prices are texts of any length; above this they are none. */
const NUMBER_MAX = 1e30;
const finite = (value: unknown): number | null => {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Math.abs(number) <= NUMBER_MAX ? number : null;
};
const positive = (value: unknown): number | null => {
  const number = finite(value);
  return number !== null && number > 0 ? number : null;
};
const atLeast0 = (value: unknown): number | null => {
  const number = finite(value);
  return number !== null && number >= 0 ? number : null;
};

function toPair(pair: Static<typeof Pair>): DexPair {
  const { volume, priceChange, liquidity, txns, info } = pair;
  const side = ({ address, name, symbol }: Static<typeof Token>): SideToken => ({
    address,
    symbol: cutForeign(symbol),
    name: cutForeign(name ?? symbol),
  });
  return {
    chain: pair.chainId,
    dex: cleanForeign(pair.dexId, NAME_CHARS_MAX),
    pair_address: pair.pairAddress,
    labels: (pair.labels ?? []).slice(0, LABELS_MAX).map((label) => cleanForeign(label, NAME_CHARS_MAX)),
    base: side(pair.baseToken),
    quote: side(pair.quoteToken),
    price_usd: positive(pair.priceUsd),
    price_native: positive(pair.priceNative),
    liquidity_usd: atLeast0(liquidity?.usd),
    liquidity_base: atLeast0(liquidity?.base),
    liquidity_quote: atLeast0(liquidity?.quote),
    volume_h1_usd: atLeast0(volume?.h1),
    volume_h24_usd: atLeast0(volume?.h24),
    change_h1_pct: finite(priceChange?.h1),
    change_h24_pct: finite(priceChange?.h24),
    buys_h1: atLeast0(txns?.h1?.buys),
    sells_h1: atLeast0(txns?.h1?.sells),
    buys_h24: atLeast0(txns?.h24?.buys),
    sells_h24: atLeast0(txns?.h24?.sells),
    fdv_usd: positive(pair.fdv),
    market_cap_usd: positive(pair.marketCap),
    created_at_ms: positive(pair.pairCreatedAt),
    has_link: (info?.websites ?? []).length + (info?.socials ?? []).length > 0,
    is_promoted: (pair.boosts?.active ?? 0) > 0,
  };
}

/** Chains name accounts in letters, digits and these marks; what a row calls one otherwise is none. */
const ID = /^[\w:.+/=-]{1,200}$/;
const readPairs = (pairs: readonly Static<typeof Pair>[], eachRow: EachRow): readonly DexPair[] =>
  eachRow(pairs, (pair) => {
    const { chainId, pairAddress, baseToken, quoteToken } = pair;
    const ids = [chainId, pairAddress, baseToken.address, quoteToken.address];
    return ids.every((id) => ID.test(id)) ? toPair(pair) : unusable("what it calls an account is none");
  });

const TTL_MS = 15_000;
export const TOKENS_PER_CALL = 30;

/**
 * The pools of up to 30 tokens of a chain; none is an answer. The table states no time: it is as new as the call.
 * @throws UpstreamError
 */
export function fetchTokenPairs(
  context: Pick<FetchContext, "get">,
  { chain, tokens }: { readonly chain: string; readonly tokens: readonly string[] },
): Promise<readonly DexPair[]> {
  return context.get(dexscreener, {
    path: `/tokens/v1/${chain}/${tokens.join(",")}`,
    schema: List,
    ttl_ms: TTL_MS,
    read: (pairs, _, eachRow) => readPairs(pairs, eachRow),
  });
}

/** Up to 30 pools in which a token is either side. @throws UpstreamError */
export function fetchPairsWith(
  context: Pick<FetchContext, "get">,
  { chain, token }: { readonly chain: string; readonly token: string },
): Promise<readonly DexPair[]> {
  return context.get(dexscreener, {
    path: `/token-pairs/v1/${chain}/${token}`,
    schema: List,
    ttl_ms: TTL_MS,
    read: (pairs, _, eachRow) => readPairs(pairs, eachRow),
  });
}

/** About 30 pools of any chain that go with a text. @throws UpstreamError */
export function searchPairs(context: Pick<FetchContext, "get">, query: string): Promise<readonly DexPair[]> {
  return context.get(dexscreener, {
    path: `/latest/dex/search?q=${encodeURIComponent(query)}`,
    schema: Search,
    ttl_ms: TTL_MS,
    read: ({ pairs }, _, eachRow) => readPairs(pairs ?? [], eachRow),
  });
}
