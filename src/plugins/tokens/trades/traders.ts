import { compareText } from "intel-node";
import { getWilsonInterval } from "intel-node/quant/intervals";
import { median } from "intel-node/quant/stats";
import { BLOCK_S, TRADE_CHAINS, type TradeChain } from "../whales/chains.ts";
import { type ClosedSale, createMatcher, getPerformance, type Matched, type WalletPerformance } from "./fifo.ts";
import { eachInPieces, gatherPieces, type InTurn, PIECE_ROWS } from "./pieces.ts";
import type { TradeRow } from "./tables.ts";

/** A wallet by what it did in the watched pools. */
export interface Trader extends WalletPerformance {
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

/** Counts trades in blocks in which the same token was both bought and sold; they come in the order of the chain. */
function createOneBlockCount() {
  let block = Number.NaN;
  let [all, both] = [0, 0];
  const of_block = new Map<string, { readonly is_buy: boolean; count: number; is_both: boolean }>();
  const closeBlock = (): void => {
    for (const { count, is_both } of of_block.values()) both += is_both ? count : 0;
    of_block.clear();
  };
  return {
    add(row: TradeRow): void {
      if (row.block !== block) closeBlock();
      block = row.block;
      all += 1;
      const known = of_block.get(row.token) ?? { is_buy: row.is_buy, count: 0, is_both: false };
      known.count += 1;
      known.is_both ||= known.is_buy !== row.is_buy;
      of_block.set(row.token, known);
    },
    share(): number {
      closeBlock();
      return both / all;
    },
  };
}

/** Minutes from buy to sale by the distance of blocks; missed blocks make it longer than shown. */
const getHoldMinutes = (closed: readonly ClosedSale[], chain: TradeChain): number | null =>
  median(closed.map(({ held_blocks }) => (held_blocks * BLOCK_S[chain]) / 60));

/** One wallet's trades of one chain, one by one in its order. Null for a chain that is not read. */
function createDescription(trades: readonly TradeRow[]) {
  const [first] = trades;
  if (!first || !isTraded(first.chain)) return null;
  const { chain, wallet: address } = first;
  const [matcher, one_block, tokens] = [createMatcher(), createOneBlockCount(), new Set<string>()];
  let last_trade_at_ms = 0;
  return {
    add(row: TradeRow): void {
      matcher.add(row);
      one_block.add(row);
      tokens.add(row.token);
      last_trade_at_ms = Math.max(last_trade_at_ms, row.at_ms);
    },
    end(): Trader {
      const matched = matcher.end();
      const performance = getPerformance(matched.closed);
      return {
        ...performance,
        chain,
        address,
        trades,
        matched,
        last_trade_at_ms,
        win_rate_lower95: getWilsonInterval(performance.wins, performance.closed)?.low ?? null,
        tokens: tokens.size,
        median_hold_min: getHoldMinutes(matched.closed, chain),
        one_block_share: one_block.share(),
      };
    },
  };
}

/** One wallet's trades of one chain, in its order; null without trades. */
export function describeTrader(trades: readonly TradeRow[]): Trader | null {
  const description = createDescription(trades);
  for (const row of trades) description?.add(row);
  return description?.end() ?? null;
}

/** Like `describeTrader`, for a wallet whose trades are more than a piece. */
async function describeBusyTrader(trades: readonly TradeRow[], inTurn: InTurn): Promise<Trader | null> {
  const description = createDescription(trades);
  if (!description) return null;
  await eachInPieces(trades, inTurn, description.add);
  return inTurn(description.end);
}

/** All wallets of some trades, each with its own in the order they came, gone through a few at a time. */
export async function listTraders(
  rows: readonly TradeRow[],
  inTurn: InTurn = async (piece) => piece(),
): Promise<readonly Trader[]> {
  const by_wallet = new Map<string, TradeRow[]>();
  await eachInPieces(rows, inTurn, (row) => {
    const key = `${row.chain} ${row.wallet}`;
    const own = by_wallet.get(key);
    if (own) own.push(row);
    else by_wallet.set(key, [row]);
  });
  const traders: Trader[] = [];
  const wallets = [...by_wallet.values()];
  for (const piece of gatherPieces(wallets.filter(({ length }) => length <= PIECE_ROWS))) {
    traders.push(...(await inTurn(() => piece.flatMap((trades) => describeTrader(trades) ?? []))));
  }
  for (const trades of wallets.filter(({ length }) => length > PIECE_ROWS)) {
    const trader = await describeBusyTrader(trades, inTurn);
    if (trader) traders.push(trader);
  }
  return traders;
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
