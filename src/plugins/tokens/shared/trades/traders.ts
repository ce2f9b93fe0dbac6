import { compareText, type FetchContext } from "intel-node";
import { getWilsonInterval } from "intel-node/quant/intervals";
import { median } from "intel-node/quant/stats";
import { BLOCK_S, TRADE_CHAINS, type TradeChain } from "../whales/chains.ts";
import { type ClosedSale, getPerformance, type Matched, matchFills, type Performance } from "./fifo.ts";
import { PIECE_ROWS } from "./store.ts";
import type { TradeRow } from "./tables.ts";

/** A wallet by what it did in the watched pools. */
export interface Trader extends Performance {
  readonly chain: TradeChain;
  readonly address: string;
  readonly trades: readonly TradeRow[];
  readonly matched: Matched;
  /** Lower end of the 95 % interval of the share of won sales; null without a closed one. */
  readonly win_rate_lower95: number | null;
  readonly tokens: number;
  readonly median_hold_min: number | null;
  readonly last_trade_at_ms: number;
  /** Part of its trades in blocks in which it both bought and sold the same token. */
  readonly one_block_share: number;
}

const isTraded = (chain: string): chain is TradeChain => TRADE_CHAINS.some((one) => one === chain);

function getOneBlockShare(trades: readonly TradeRow[]): number {
  const sides = new Map<string, number>();
  const keyOf = ({ block, token }: TradeRow): string => `${block} ${token}`;
  for (const one of trades) sides.set(keyOf(one), (sides.get(keyOf(one)) ?? 0) | (one.is_buy ? 1 : 2));
  return trades.filter((one) => sides.get(keyOf(one)) === 3).length / trades.length;
}

/** Minutes from buy to sale by the distance of blocks; missed blocks make it longer than told. */
const getHoldMinutes = (closed: readonly ClosedSale[], chain: TradeChain): number | null =>
  median(closed.map(({ held_blocks }) => (held_blocks * BLOCK_S[chain]) / 60));

/** One wallet's trades of one chain, in its order; null when there are none. */
export function describeTrader(trades: readonly TradeRow[]): Trader | null {
  const [first] = trades;
  if (!first || !isTraded(first.chain)) return null;
  const matched = matchFills(trades);
  const performance = getPerformance(matched.closed);
  return {
    ...performance,
    ...{ chain: first.chain, address: first.wallet, trades, matched },
    win_rate_lower95: getWilsonInterval(performance.wins, performance.closed)?.low ?? null,
    tokens: new Set(trades.map(({ token }) => token)).size,
    median_hold_min: getHoldMinutes(matched.closed, first.chain),
    last_trade_at_ms: Math.max(...trades.map(({ at_ms }) => at_ms)),
    one_block_share: getOneBlockShare(trades),
  };
}

type InTurn = FetchContext["inTurn"];

/** All wallets of some trades, each with its own in the order they came, gone through a few at a time. */
export async function listTraders(
  rows: readonly TradeRow[],
  inTurn: InTurn = async (piece) => piece(),
): Promise<readonly Trader[]> {
  const by_wallet = new Map<string, TradeRow[]>();
  const sortOut = (row: TradeRow): void => {
    const key = `${row.chain} ${row.wallet}`;
    const own = by_wallet.get(key);
    if (own) own.push(row);
    else by_wallet.set(key, [row]);
  };
  for (let from = 0; from < rows.length; from += PIECE_ROWS) {
    await inTurn(() => {
      for (const row of rows.slice(from, from + PIECE_ROWS)) sortOut(row);
    });
  }
  const traders: Trader[] = [];
  for (const piece of inPieces([...by_wallet.values()])) {
    traders.push(...(await inTurn(() => piece.flatMap((trades) => describeTrader(trades) ?? []))));
  }
  return traders;
}

/** Wallets' trades in pieces of about as many rows. */
function* inPieces(wallets: readonly (readonly TradeRow[])[]): Generator<readonly (readonly TradeRow[])[]> {
  let piece: (readonly TradeRow[])[] = [];
  let held = 0;
  for (const trades of wallets) {
    piece.push(trades);
    held += trades.length;
    if (held < PIECE_ROWS) continue;
    yield piece;
    [piece, held] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}

const DAY_MS = 86_400_000;
const BOT = { trades_a_day: 500, hold_min: 0.5, one_block_share: 0.3 } as const;

/** Whether a wallet trades as programs do: too often, too fast, or both ways in one block. */
export function isBot({ trades, median_hold_min, one_block_share, last_trade_at_ms }: Trader): boolean {
  const last_day = trades.filter(({ at_ms }) => at_ms > last_trade_at_ms - DAY_MS).length;
  const is_fast = median_hold_min !== null && median_hold_min < BOT.hold_min;
  return last_day > BOT.trades_a_day || is_fast || one_block_share >= BOT.one_block_share;
}

const TOKENS_MIN = 3;
/** A closed sale is needed of at least this many, unless a buyer asks for more. */
export const CLOSED_MIN = 5;

/** From 0 to 100: 45 for the profit (logarithm, full at 100,000 US dollars), 40 for how sure it wins, 15 for tokens. */
export function scoreTrader(one: Pick<Trader, "realized_pnl_usd" | "win_rate_lower95" | "tokens">) {
  const profit = Math.min(1, Math.log10(1 + Math.max(0, one.realized_pnl_usd)) / 5);
  const factors = [
    { id: "profit", points: 45 * profit },
    { id: "win_rate_lower95", points: 40 * (one.win_rate_lower95 ?? 0) },
    { id: "tokens", points: 15 * Math.min(1, one.tokens / 10) },
  ];
  return { factors, score: factors.reduce((sum, { points }) => sum + points, 0) };
}

/** Wallets that made money by more than a few trades, best first, and why others are not among them. */
export function rankTraders(traders: readonly Trader[], closed_min = CLOSED_MIN) {
  const enough = traders.filter(({ closed, tokens }) => closed >= closed_min && tokens >= TOKENS_MIN);
  const winners = enough.filter(({ realized_pnl_usd }) => realized_pnl_usd > 0);
  const people = winners.filter((one) => !isBot(one));
  const ranked = people
    .map((trader) => ({ trader, ...scoreTrader(trader) }))
    .sort((a, b) => b.score - a.score || compareText(a.trader.address, b.trader.address));
  const left_out = {
    too_few: traders.length - enough.length,
    no_profit: enough.length - winners.length,
    bots: winners.length - people.length,
  };
  return { ranked, left_out };
}
