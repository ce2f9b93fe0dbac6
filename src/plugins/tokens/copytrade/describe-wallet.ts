import { getCopyProfit } from "../trades/fifo.ts";
import { eachInPieces, type InTurn } from "../trades/pieces.ts";
import type { StoredTrades } from "../trades/store.ts";
import { tokenKey } from "../trades/store.ts";
import type { TradeRow } from "../trades/tables.ts";
import type { Trader } from "../trades/traders.ts";
import { BLOCK_S } from "../whales/chains.ts";

/** A wallet to copy, with the figures of its trades and only the newest of them. */
export interface CopiedWallet extends Omit<Trader, "trades" | "matched" | "tokens"> {
  readonly trades_seen: number;
  /** The last ones, newest first. */
  readonly recent: readonly TradeRow[];
  /** Its largest open positions by cost; `price_usd` of the newest trade of the token by anybody, null without one. */
  readonly open: readonly OpenPosition[];
  readonly unmatched_sell_share: number;
  /** What a copier would have made. */
  readonly copy_pnl_usd: number;
  /** All it traded, as its chain writes them. */
  readonly traded: readonly string[];
  readonly fresh_token_share: number | null;
  readonly followed_share: number | null;
}

interface OpenPosition {
  readonly token: string;
  readonly qty: number;
  readonly cost_usd: number;
  readonly price_usd: number | null;
}

const DAY_MS = 86_400_000;
const FOLLOWED_S = 60;
const FOLLOWED_FACTOR = 5;
const ROWS_MAX = 10;

export const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** Buys of a token in the order of the chain, with what they sum up to before each. */
interface Buys {
  readonly blocks: number[];
  readonly before_usd: number[];
  sum_usd: number;
}

/** Index of the first buy of a block or a later one, by bisection. */
function findBlock(blocks: readonly number[], block: number): number {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((blocks[middle] ?? block) < block) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** US dollars that were bought from a block on and before another one. */
const sumBetween = ({ blocks, before_usd, sum_usd }: Buys, from: number, before: number): number => {
  const sumBefore = (block: number): number => before_usd[findBlock(blocks, block)] ?? sum_usd;
  return sumBefore(before) - sumBefore(from);
};

/** Buys of others by token. */
async function groupBuys(wallet: string, market: readonly TradeRow[], inTurn: InTurn) {
  const by_token = new Map<string, Buys>();
  await eachInPieces(market, inTurn, (row) => {
    if (!row.is_buy || row.wallet === wallet) return;
    const own = by_token.get(row.token) ?? { blocks: [], before_usd: [], sum_usd: 0 };
    own.blocks.push(row.block);
    own.before_usd.push(own.sum_usd);
    own.sum_usd += row.usd;
    by_token.set(row.token, own);
  });
  return by_token;
}

const RUN_AT_ONCE: InTurn = async (piece) => piece();

/**
 * Part of its buys after which others bought five times as much of the token within a minute: it can be a lure.
 * @param market everybody's trades in its tokens, in the order of the chain.
 */
export async function getFollowedShare(
  { trades, address, chain }: Pick<Trader, "trades" | "address" | "chain">,
  market: readonly TradeRow[],
  inTurn: InTurn = RUN_AT_ONCE,
): Promise<number | null> {
  const blocks = FOLLOWED_S / BLOCK_S[chain];
  const others = await groupBuys(address, market, inTurn);
  let [buys, followed] = [0, 0];
  await eachInPieces(trades, inTurn, ({ is_buy, token, block, usd }) => {
    if (!is_buy) return;
    buys += 1;
    const of_token = others.get(token);
    // Blocks are whole numbers: those up to `block + blocks` are the ones before the next after it.
    const bought = of_token ? sumBetween(of_token, block, Math.floor(block + blocks) + 1) : 0;
    if (bought > FOLLOWED_FACTOR * usd) followed += 1;
  });
  return shareOf(followed, buys);
}

/** The figures of a wallet, computed a few trades at a time. */
export async function describeWallet(
  { trades, matched, tokens: _, ...told }: Trader,
  of: {
    readonly market: readonly TradeRow[];
    readonly tokens: StoredTrades["tokens"];
    readonly haircut_bps: number;
  },
  inTurn: InTurn = RUN_AT_ONCE,
): Promise<CopiedWallet> {
  const traded = new Set<string>();
  let [fresh, aged] = [0, 0];
  await eachInPieces(trades, inTurn, ({ token, at_ms }) => {
    traded.add(token);
    const created_ms = of.tokens.get(tokenKey(told.chain, token))?.pool_created_at_ms ?? null;
    if (created_ms === null) return;
    aged += 1;
    if (at_ms - created_ms < DAY_MS) fresh += 1;
  });
  const prices = new Map<string, number>();
  await eachInPieces(of.market, inTurn, ({ token, usd, qty }) => prices.set(token, usd / qty));
  const open = [...matched.open].map(([token, left]) => ({ token, ...left, price_usd: prices.get(token) ?? null }));
  return {
    ...told,
    trades_seen: trades.length,
    recent: trades.slice(-ROWS_MAX).reverse(),
    open: open.sort((a, b) => b.cost_usd - a.cost_usd).slice(0, ROWS_MAX),
    unmatched_sell_share: shareOf(matched.unmatched_usd, matched.sold_usd) ?? 0,
    copy_pnl_usd: await inTurn(() => getCopyProfit(matched.closed, of.haircut_bps)),
    traded: [...traded],
    fresh_token_share: shareOf(fresh, aged),
    followed_share: await getFollowedShare({ trades, ...told }, of.market, inTurn),
  };
}
