import { type FetchContext, NodeError } from "intel-node";
import { parseSubject } from "../facts/subject.ts";
import { assessments } from "../launches/tables.ts";
import { readTrades, type StoredTrades, tokenKey } from "../trades/store.ts";
import type { TradeRow } from "../trades/tables.ts";
import { listTraders, rankTraders, type Trader } from "../trades/traders.ts";
import { TRADE_CHAINS, type TradeChain } from "../whales/chains.ts";
import { type Screening, screenWallets } from "./screen.ts";

/** One of the best wallets, with its published figures. */
export interface FollowedWallet extends Omit<Trader, "trades" | "matched" | "one_block_share" | "max_drawdown_usd"> {
  readonly score: number;
  readonly factors: readonly { readonly id: string; readonly points: number }[];
  /** Part of the dollars it sold for that it was never seen to buy. */
  readonly unmatched_share: number;
  /** Of the last day. */
  readonly newest: readonly TradeRow[];
}

export interface SmartMoneyInputs extends StoredTrades {
  /** Verdicts of the last day, by chain and address in lower case. */
  readonly verdicts: ReadonlyMap<string, string>;
  /** The best `FOLLOWED` wallets, best first. */
  readonly best: readonly FollowedWallet[];
  readonly left_out: Ranking["left_out"];
  /** Of the best wallets; null where the lists could not be asked. */
  readonly screening: Screening | null;
}

type Ranking = ReturnType<typeof rankTraders>;

/** Listed are at most so many wallets, and flows are theirs; no other one is screened. */
export const FOLLOWED = 50;

const DAY_MS = 86_400_000;
const TRADES_MIN = 500;
const TOKENS_MAX = 500;

/** Verdicts of the last day on tokens that were traded. */
export async function readVerdicts(
  context: FetchContext,
  rows: readonly { readonly chain: string; readonly token: string }[],
): Promise<ReadonlyMap<string, string>> {
  const traded = new Map(rows.map((row) => [tokenKey(row.chain, row.token), row]));
  const wanted = new Map(
    [...traded].map(([key, { chain, token }]) => {
      const subject = parseSubject("token", token, TRADE_CHAINS.find((one) => one === chain) ?? "base");
      return [subject.address, key];
    }),
  );
  const found = await context.table(assessments).find({
    where: { token: { in: [...wanted.keys()].slice(0, TOKENS_MAX) }, at_ms: { from: context.now_ms - DAY_MS } },
    order: ["at_ms"],
  });
  return new Map(found.map(({ token, verdict }) => [wanted.get(token) ?? token, verdict]));
}

/** The published figures of a ranked wallet, and its trades of the last day. */
export function describeFollowed(
  { trader, score, factors }: Ranking["ranked"][number],
  now_ms: number,
): FollowedWallet {
  const { trades, matched, one_block_share, max_drawdown_usd, ...told } = trader;
  const unmatched_share = matched.sold_usd > 0 ? matched.unmatched_usd / matched.sold_usd : 0;
  return { ...told, score, factors, unmatched_share, newest: trades.filter(({ at_ms }) => at_ms >= now_ms - DAY_MS) };
}

/** @throws NodeError upstream_unavailable when nothing was read lately, or too little to rank anybody. */
export async function fetchSmartMoney(
  context: FetchContext,
  { min_closed, ...query }: { readonly days: number; readonly min_closed: number; readonly chain?: TradeChain },
): Promise<SmartMoneyInputs> {
  const { stored, rows } = await readTrades(context, query);
  if (rows.length < TRADES_MIN) {
    const why = `Only ${rows.length} trades of that window were read yet, of ${TRADES_MIN} that are needed.`;
    throw new NodeError("upstream_unavailable", `${why} Nothing was charged.`);
  }
  const traders = await listTraders(rows, context.inTurn);
  const { best, left_out } = await context.inTurn(() => {
    const { ranked, left_out } = rankTraders(traders, min_closed);
    return { left_out, best: ranked.slice(0, FOLLOWED).map((one) => describeFollowed(one, context.now_ms)) };
  });
  const [verdicts, screening] = await Promise.all([
    readVerdicts(
      context,
      best.flatMap(({ newest }) => newest),
    ),
    screenWallets(context, [...new Set(best.map(({ address }) => address))]),
  ]);
  return { ...stored, best, left_out, screening, verdicts };
}
