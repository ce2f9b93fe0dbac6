import type { FetchContext } from "../../../catalog/context.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { scaleInteger } from "../fixed-point.ts";
import { CHAINLINK_FEEDS, type ChainlinkChain, DECIMALS, DESCRIPTION, LATEST_ROUND_DATA } from "./chainlink-feeds.ts";
import { fetchContract, toInt, toUint } from "./eth-call.ts";
import { evmRpc } from "./provider.ts";

export interface ChainlinkPrice {
  readonly chain: ChainlinkChain;
  /** USD. */
  readonly price: number;
  readonly updated_at_ms: number;
  readonly feed: string;
}

/** A feed's number of decimals is part of its code. */
const DECIMALS_TTL_MS = 86_400_000;
const ROUND_TTL_MS = 5_000;
const ROUND_WORDS = 5;
const DECIMALS_MAX = 18n;

type Context = Pick<FetchContext, "get" | "now_ms">;

/** The newest answer of the feed of a coin. @throws UpstreamError */
export const fetchChainlinkPrice = async (
  context: Context,
  { chain, symbol, timeout_ms }: { chain: ChainlinkChain; symbol: "BTC" | "ETH" | "SOL"; timeout_ms?: number },
): Promise<ChainlinkPrice> => {
  const limits = timeout_ms === undefined ? {} : { timeout_ms };
  return { chain, ...(await fetchChainlinkFeed(context, { chain, to: CHAINLINK_FEEDS[chain][symbol], ...limits })) };
};

/** A short ABI string: where it lies, how long it is, up to 32 bytes. */
const DESCRIPTION_WORDS = 3;

/** What a feed says it prices, such as "EUR / USD". @throws UpstreamError */
async function fetchDescription(context: Context, call: { chain: string; to: string; timeout_ms: number }) {
  const { text } = await fetchContract(context, {
    ...call,
    data: DESCRIPTION,
    words: DESCRIPTION_WORDS,
    ttl_ms: DECIMALS_TTL_MS,
    read([, length_word = "", bytes = ""]) {
      const length = toUint(length_word);
      if (length > 32n) return unusable("its description is no short text");
      return { text: Buffer.from(bytes.slice(0, 2 * Number(length)), "hex").toString("latin1") };
    },
  });
  return text;
}

/**
 * The newest answer of the feed that prices one unit of a currency in US dollars, whose description says so.
 * @throws UpstreamError
 */
export async function fetchChainlinkCurrency(
  context: Context,
  { code, to, timeout_ms = 1_500 }: { readonly code: string; readonly to: string; readonly timeout_ms?: number },
): Promise<ChainlinkPrice> {
  const chain = "ethereum";
  const [said, price] = await Promise.all([
    fetchDescription(context, { chain, to, timeout_ms }),
    fetchChainlinkFeed(context, { chain, to, timeout_ms }),
  ]);
  if (said === `${code} / USD`) return { chain, ...price };
  throw new UpstreamError("upstream_bad_response", evmRpc.id, `${evmRpc.id}: the feed of ${code} is of "${said}"`);
}

/**
 * The newest answer of a Chainlink feed, with the time it was written. An answer that is not above 0 or dated in the
 * future is refused; how old is too old is for the caller to say.
 * @throws UpstreamError
 */
export async function fetchChainlinkFeed(
  context: Context,
  { chain, to, timeout_ms = 1_500 }: { readonly chain: string; readonly to: string; readonly timeout_ms?: number },
): Promise<Omit<ChainlinkPrice, "chain">> {
  const [{ decimals }, { answer, updated_at_ms }] = await Promise.all([
    fetchContract(context, {
      chain,
      to,
      data: DECIMALS,
      words: 1,
      ttl_ms: DECIMALS_TTL_MS,
      timeout_ms,
      read([word = ""]) {
        const decimals = toUint(word);
        return decimals <= DECIMALS_MAX ? { decimals: Number(decimals) } : unusable(`${decimals} decimals`);
      },
    }),
    fetchContract(context, {
      chain,
      to,
      data: LATEST_ROUND_DATA,
      words: ROUND_WORDS,
      ttl_ms: ROUND_TTL_MS,
      timeout_ms,
      read([, answer_word = "", , updated_word = ""]) {
        const answer = toInt(answer_word);
        const updated_at_ms = Number(toUint(updated_word)) * 1000;
        if (answer <= 0n) return unusable("the answer is not above 0");
        if (!Number.isSafeInteger(updated_at_ms) || updated_at_ms <= 0) return unusable("the round is not complete");
        if (updated_at_ms > context.now_ms + CLOCK_SKEW_MAX_MS) return unusable("the update time lies in the future");
        return { answer, updated_at_ms };
      },
    }),
  ]);
  return { price: scaleInteger(answer, -decimals), updated_at_ms, feed: to };
}
