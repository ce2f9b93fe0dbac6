import { Type } from "@sinclair/typebox";
import { type FetchContext, NodeError, outcomeOf } from "intel-node";
import { readTrades, type StoredTrades } from "../shared/trades/store.ts";
import { type TradeRow, trades } from "../shared/trades/tables.ts";
import { listTraders, rankTraders, type Trader } from "../shared/trades/traders.ts";
import { readVerdicts } from "../smart-money/fetch.ts";
import type { CopytradeData } from "./schema.ts";

const Screened = Type.Object({ verdict: Type.String() });
const SCREENED = ["hit", "possible", "clear", "incomplete"] as const;

export interface CopytradeInputs {
  readonly stored: StoredTrades;
  readonly trader: Trader;
  readonly is_default: boolean;
  /** Everybody's trades in its tokens, in the order of the chain. */
  readonly market: readonly TradeRow[];
  readonly verdicts: ReadonlyMap<string, string>;
  readonly sanctions: CopytradeData["sanctions"];
}

const MARKET_MAX = 10_000;
const TOKENS_MAX = 500;

/** @throws NodeError subject_not_found for a wallet that did not trade here, upstream_unavailable without trades. */
function chooseTrader(stored: StoredTrades, wallet: string | undefined): Trader {
  const traders = listTraders(stored.rows);
  if (wallet !== undefined) {
    const [most] = traders.toSorted((a, b) => b.trades.length - a.trades.length);
    if (most) return most;
    throw new NodeError("subject_not_found", "That wallet made no trade in the pools that were read in that window.");
  }
  const [best] = rankTraders(traders).ranked;
  if (best) return best.trader;
  throw new NodeError("upstream_unavailable", "No wallet stands out in what was read yet. Nothing was charged.");
}

async function screen(context: FetchContext, wallet: string): Promise<CopytradeData["sanctions"]> {
  const asked = await outcomeOf(context.ask("/sanctions", { name: wallet, type: "any", threshold: 0.82 }, Screened));
  return asked.ok ? (SCREENED.find((one) => one === asked.value.data.verdict) ?? null) : null;
}

/** @throws NodeError subject_not_found, upstream_unavailable */
export async function fetchCopytrade(
  context: FetchContext,
  { wallet, days }: { readonly wallet?: string; readonly days: number },
): Promise<CopytradeInputs> {
  const stored = await readTrades(context, wallet === undefined ? { days } : { days, wallet });
  const trader = chooseTrader(stored, wallet);
  const tokens = [...new Set(trader.trades.map(({ token }) => token))].slice(0, TOKENS_MAX);
  const [market, verdicts, sanctions] = await Promise.all([
    context.table(trades).find({
      where: { token: { in: tokens }, at_ms: { from: stored.from_ms } },
      order: ["-at_ms"],
      limit: MARKET_MAX,
    }),
    readVerdicts(context, trader.trades),
    screen(context, trader.address),
  ]);
  const own_chain = market.filter(({ chain }) => chain === trader.chain);
  return {
    ...{ stored, trader, is_default: wallet === undefined, verdicts, sanctions },
    market: own_chain.toSorted((a, b) => a.block - b.block || a.log_index - b.log_index),
  };
}
