import type { EvmLog } from "intel-node/providers/evm-rpc/logs";
import type { TradePoolRow } from "./tables.ts";

/**
 * Swap events by topic: Uniswap v2, Aerodrome and Velodrome v1 (amounts in and out, each token its own word); Uniswap
 * v3 and Slipstream, PancakeSwap v3 (signed, positive into the pool). Sources: the contracts' own interfaces.
 */
export const SWAP_TOPICS = {
  in_out: [
    "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
    "0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b",
  ],
  signed: [
    "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
    "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83",
  ],
} as const;
/** Least that counts as a trade, US dollars. */
const TRADE_MIN_USD = 1_000;

export interface Swap {
  readonly is_buy: boolean;
  /** Whole tokens. */
  readonly qty: number;
  readonly usd: number;
}

const STABLES: readonly string[] = ["USDC", "USDT", "DAI"];
const wordsOf = (data: string): readonly bigint[] =>
  (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));

/** What each token of the pool did, positive into the pool; null for a log of another shape. */
function readAmounts({ topics: [topic = ""], data }: EvmLog): readonly [bigint, bigint] | null {
  const words = wordsOf(data);
  const [a = 0n, b = 0n, c = 0n, d = 0n] = words;
  if (SWAP_TOPICS.in_out.some((one) => one === topic)) return words.length === 4 ? [a - c, b - d] : null;
  if (!SWAP_TOPICS.signed.some((one) => one === topic) || words.length < 5) return null;
  return [BigInt.asIntN(256, a), BigInt.asIntN(256, b)];
}

/** A log as a buy or a sale of the pool's token; null for one of another shape. */
export function readSwap(log: EvmLog, pool: TradePoolRow, native_usd: number | null): Swap | null {
  const amounts = readAmounts(log);
  if (!amounts) return null;
  const [token, quote] = pool.is_token_0 ? amounts : [amounts[1], amounts[0]];
  return valueSwap({ token, quote }, pool, native_usd);
}

/**
 * What a pool's two tokens did, positive into the pool, as a buy or a sale of its token, valued by what was paid or
 * got.
 * @param native_usd US dollars per wrapped coin; null without a price.
 */
export function valueSwap(
  { token, quote }: { readonly token: bigint; readonly quote: bigint },
  pool: Pick<TradePoolRow, "quote" | "quote_decimals" | "decimals">,
  native_usd: number | null,
): Swap | null {
  // One goes in and the other out; anything else (a flash loan paid back) is not a trade.
  if (token === 0n || quote === 0n || token > 0n === quote > 0n) return null;
  const price = STABLES.includes(pool.quote) ? 1 : native_usd;
  if (price === null) return null;
  const usd = (Math.abs(Number(quote)) / 10 ** pool.quote_decimals) * price;
  const qty = Math.abs(Number(token)) / 10 ** pool.decimals;
  return usd >= TRADE_MIN_USD && qty > 0 ? { is_buy: token < 0n, qty, usd } : null;
}
