import { Type } from "@sinclair/typebox";
import { type FetchContext, NodeError, outcomeOf } from "intel-node";
import { readVerdicts } from "../smart-money/fetch.ts";
import { type ReadTrades, readRows, readTrades, type StoredTrades } from "../trades/store.ts";
import { listTraders, rankTraders, type Trader } from "../trades/traders.ts";
import { type CopiedWallet, describeWallet } from "./describe-wallet.ts";
import type { CopytradeData } from "./schema.ts";

const Screened = Type.Object({ verdict: Type.String() });
const SCREENED = ["hit", "possible", "clear", "incomplete"] as const;

export interface CopytradeInputs {
  readonly stored: StoredTrades;
  readonly wallet: CopiedWallet;
  readonly is_default: boolean;
  /** Everybody's trades in its tokens: so many were looked at. */
  readonly market_trades: number;
  /** Whether there are more than can be read: then the oldest are missing. */
  readonly is_market_cut: boolean;
  readonly verdicts: ReadonlyMap<string, string>;
  readonly sanctions: CopytradeData["sanctions"];
}

const MARKET_MAX = 10_000;
const TOKENS_MAX = 500;

/** @throws NodeError subject_not_found for a wallet that did not trade here, upstream_unavailable without trades. */
async function chooseTrader(
  { inTurn }: FetchContext,
  { rows }: ReadTrades,
  wallet: string | undefined,
): Promise<Trader> {
  const traders = await listTraders(rows, inTurn);
  if (wallet !== undefined) {
    const [most] = traders.toSorted((a, b) => b.trades.length - a.trades.length);
    if (most) return most;
    throw new NodeError("subject_not_found", "That wallet made no trade in the pools that were read in that window.");
  }
  const [best] = (await inTurn(() => rankTraders(traders))).ranked;
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
  { wallet, days, haircut_bps }: { readonly wallet?: string; readonly days: number; readonly haircut_bps: number },
): Promise<CopytradeInputs> {
  const read = await readTrades(context, wallet === undefined ? { days } : { days, wallet });
  const { stored } = read;
  const trader = await chooseTrader(context, read, wallet);
  const all_tokens = await context.inTurn(() => [...new Set(trader.trades.map(({ token }) => token))]);
  const tokens = all_tokens.slice(0, TOKENS_MAX);
  const [market, verdicts, sanctions] = await Promise.all([
    readRows(context, { chain: trader.chain, from_ms: stored.from_ms, tokens }, MARKET_MAX),
    readVerdicts(
      context,
      tokens.map((token) => ({ chain: trader.chain, token })),
    ),
    screen(context, trader.address),
  ]);
  const of = { market: market.rows, tokens: stored.tokens, haircut_bps };
  return {
    stored,
    is_default: wallet === undefined,
    verdicts,
    sanctions,
    wallet: await describeWallet(trader, of, context.inTurn),
    market_trades: market.rows.length,
    is_market_cut: market.is_cut,
  };
}
