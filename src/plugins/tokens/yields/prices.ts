import { Type } from "@sinclair/typebox";
import { defineSeries, getOwn, type JobContext, requireAsset } from "intel-node";
import { CHAINLINK_TOKENS, DECIMALS, LATEST_ROUND_DATA } from "intel-node/providers/evm-rpc/chainlink-feeds";
import { fetchViews } from "intel-node/providers/evm-rpc/multicall";
import { BLOCK_AGE_MAX_MS, toNumber, type ViewWords } from "./protocol.ts";

/** What Chainlink's feeds said, once an hour; `of` is the token's symbol. */
export const yieldPrices = defineSeries({
  name: "tokens/yield-prices",
  value: Type.Object({
    price_usd: Type.Number({ exclusiveMinimum: 0 }),
    updated_at_ms: Type.Integer({ minimum: 1 }),
    chain: Type.String(),
    feed: Type.String(),
  }),
  every: "1h",
  keep: "newest",
  storage: "disposable",
});

/** A token that is priced as another: its own promise to be worth as much. */
const PRICED_AS: Readonly<Record<string, string>> = { WETH: "ETH" };
/** Tokens that rewards are paid in, by chain and contract. */
const REWARD_TOKENS: Readonly<Record<string, { readonly symbol: string; readonly decimals: number }>> = {
  "ethereum 0xc00e94cb662c3520282e6f5717214004a7f26888": { symbol: "COMP", decimals: 18 },
  "base 0x9e1028f5f1d5ede59748ffcee5532509976840e0": { symbol: "COMP", decimals: 18 },
  "base 0xa88594d404727625a9437c3f886c7643872296ae": { symbol: "WELL", decimals: 18 },
  [`base ${requireAsset("base", "USDC").toLowerCase()}`]: { symbol: "USDC", decimals: 6 },
  "arbitrum 0x354a6da3fcde098f8389cad84b0182725c6c91de": { symbol: "COMP", decimals: 18 },
  "arbitrum 0x912ce59144191c1204e64559fe8253a0e49e6548": { symbol: "ARB", decimals: 18 },
  "optimism 0x4200000000000000000000000000000000000042": { symbol: "OP", decimals: 18 },
};
/**
 * A price that its feed wrote longer ago does not count: feeds write once an hour or once a day where nothing moves.
 */
const HOUR_MS = 3_600_000;
const [HOURLY, HOURLY_AGE_MAX_MS, AGE_MAX_MS] = [["ETH", "stETH"], 2 * HOUR_MS, 25 * HOUR_MS] as const;
const ageMaxOf = (symbol: string): number =>
  (HOURLY as readonly string[]).includes(symbol) ? HOURLY_AGE_MAX_MS : AGE_MAX_MS;

export const findRewardToken = (chain: string, token: string) =>
  getOwn(REWARD_TOKENS, `${chain} ${token.toLowerCase()}`) ?? null;
/** Whose price a token has. */
export const priceNameOf = (symbol: string): string => getOwn(PRICED_AS, symbol) ?? symbol;
/** Every token that a feed prices. */
export const PRICED_TOKENS: readonly string[] = Object.values(CHAINLINK_TOKENS).flatMap((feeds) => Object.keys(feeds));

type FeedWords = { readonly round: ViewWords | undefined; readonly decimals: ViewWords | undefined };

/** A feed's price, in US dollars; null where its words are not a current price. Layout: AggregatorV3Interface. */
export function readFeed(symbol: string, { round, decimals: decimals_words }: FeedWords, now_ms: number) {
  const [answer, updated_s] = [toNumber(round?.[1]), toNumber(round?.[3])];
  const decimals = toNumber(decimals_words?.[0]);
  if (answer === null || updated_s === null || decimals === null || decimals > 36n) return null;
  const signed = BigInt.asIntN(256, answer);
  const updated_at_ms = Number(updated_s) * 1000;
  const age_ms = now_ms - updated_at_ms;
  if (signed <= 0n || age_ms > ageMaxOf(symbol) || age_ms < -BLOCK_AGE_MAX_MS) return null;
  return { price_usd: Number(signed) / 10 ** Number(decimals), updated_at_ms };
}

/** Asks each feed of a chain, all in one call. @throws UpstreamError */
export async function samplePrices(context: JobContext, chain: string): Promise<void> {
  const feeds = Object.entries(getOwn(CHAINLINK_TOKENS, chain) ?? {});
  if (feeds.length === 0) return;
  const views = feeds.flatMap(([, to]) => [LATEST_ROUND_DATA, DECIMALS].map((data) => ({ to, data })));
  const { results } = await fetchViews(context, { chain, views, ttl_ms: 5_000, age_max_ms: BLOCK_AGE_MAX_MS });
  for (const [index, [symbol, feed]] of feeds.entries()) {
    const words = { round: results[2 * index], decimals: results[2 * index + 1] };
    const read = readFeed(symbol, words, context.now_ms);
    if (read) await yieldPrices.write(context, { ...read, chain, feed }, { of: symbol });
  }
}
