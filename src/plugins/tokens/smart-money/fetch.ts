import { type FetchContext, NodeError } from "intel-node";
import { parseSubject } from "../shared/facts/subject.ts";
import { assessments } from "../shared/launches/tables.ts";
import { readTrades, type StoredTrades, tokenKey } from "../shared/trades/store.ts";
import { listTraders, rankTraders } from "../shared/trades/traders.ts";
import { TRADE_CHAINS, type TradeChain } from "../shared/whales/chains.ts";
import { type Screening, screenWallets } from "./screen.ts";

export interface SmartMoneyInputs extends StoredTrades {
  /** Verdicts of the last day, by chain and address in lower case. */
  readonly verdicts: ReadonlyMap<string, string>;
  readonly ranking: ReturnType<typeof rankTraders>;
  /** Of the best `FOLLOWED` wallets; null where the lists could not be asked. */
  readonly screening: Screening | null;
}

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
  const wanted = new Map(
    rows.map(({ chain, token }) => {
      const subject = parseSubject("token", token, TRADE_CHAINS.find((one) => one === chain) ?? "base");
      return [subject.address, tokenKey(chain, token)];
    }),
  );
  const found = await context.table(assessments).find({
    where: { token: { in: [...wanted.keys()].slice(0, TOKENS_MAX) }, at_ms: { from: context.now_ms - DAY_MS } },
    order: ["at_ms"],
  });
  return new Map(found.map(({ token, verdict }) => [wanted.get(token) ?? token, verdict]));
}

/** @throws NodeError upstream_unavailable when nothing was read lately, or too little to rank anybody. */
export async function fetchSmartMoney(
  context: FetchContext,
  { min_closed, ...query }: { readonly days: number; readonly min_closed: number; readonly chain?: TradeChain },
): Promise<SmartMoneyInputs> {
  const stored = await readTrades(context, query);
  if (stored.rows.length < TRADES_MIN) {
    const why = `Only ${stored.rows.length} trades of that window were read yet, of ${TRADES_MIN} that are needed.`;
    throw new NodeError("upstream_unavailable", `${why} Nothing was charged.`);
  }
  const ranking = rankTraders(listTraders(stored.rows), min_closed);
  const best = ranking.ranked.slice(0, FOLLOWED).map(({ trader }) => trader.address);
  const [verdicts, screening] = await Promise.all([
    readVerdicts(context, stored.rows),
    screenWallets(context, [...new Set(best)]),
  ]);
  return { ...stored, ranking, screening, verdicts };
}
