import { addBankDays, type FetchContext, type ISODate, NodeError } from "intel-node";
import { getDueDay, readSettlements } from "../b3/stored-days.ts";
import { config, readHolidays } from "../config.ts";
import { indexLevels, indexMembers } from "../documents/stored.ts";
import { table as closes } from "../tables/closes.ts";
import { table as lastCloses } from "../tables/last-closes.ts";
import { findNear } from "./normalise-symbol.ts";

/** The greatest age of the newest file in bank days. */
const AGE_DU_MAX = 5;
const HISTORY_MAX = 400;
/** Days of all members, for the share of them above their mean of 50 closes. */
const MEMBER_DAYS = 75;

export interface StoredClose {
  readonly date: ISODate;
  readonly close: number;
  /** B3's own change, percent; null when it states none. */
  readonly change_pct: number | null;
}

export interface LastClose extends StoredClose {
  readonly isin: string | null;
  readonly average: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly trades: number | null;
  readonly shares: number | null;
  readonly turnover: number | null;
}

export interface MemberDay {
  readonly symbol: string;
  readonly weight_pct: number;
  /** Newest last. */
  readonly closes: readonly StoredClose[];
}

export interface EquityInputs {
  readonly symbol: string;
  readonly last: LastClose;
  /** Closes before and with the last one, oldest first. */
  readonly history: readonly StoredClose[];
  /** The Ibovespa, oldest first. */
  readonly index: readonly StoredClose[];
  readonly weight_pct: number | null;
  /** Only of IBOV. */
  readonly members: readonly MemberDay[] | null;
  readonly session: { readonly open: string; readonly close: string };
  readonly warnings: readonly string[];
}

const toStored = (levels: readonly (readonly [string, number])[]): readonly StoredClose[] =>
  levels.map(([date, close], index) => {
    const before = levels[index - 1]?.[1];
    return { date, close, change_pct: before === undefined ? null : (close / before - 1) * 100 };
  });

async function readHistory(context: FetchContext, symbol: string): Promise<readonly StoredClose[]> {
  const rows = await context.table(closes).find({ where: { symbol }, order: ["-date"], limit: HISTORY_MAX });
  return rows.toReversed();
}

async function readMembers(context: FetchContext, weights: readonly (readonly [string, number])[]) {
  const since = addBankDays(getDueDay(context.now_ms), -MEMBER_DAYS);
  const rows = await context.table(closes).find({
    where: { symbol: { in: weights.map(([symbol]) => symbol) }, date: { from: since } },
    order: ["symbol", "date"],
    limit: 10_000,
  });
  const by_symbol = Map.groupBy(rows, ({ symbol }) => symbol);
  return weights.map(
    ([symbol, weight_pct]): MemberDay => ({ symbol, weight_pct, closes: by_symbol.get(symbol) ?? [] }),
  );
}

/** @throws NodeError subject_not_found for a ticker that B3's files do not hold. */
async function readLast(context: FetchContext, symbol: string): Promise<LastClose> {
  const found = await context.table(lastCloses).first({ where: { symbol } });
  if (found) return found;
  const all = await context.table(lastCloses).find({ limit: 10_000 });
  if (all.length === 0) throw new NodeError("upstream_unavailable", "B3's file of trades could not be had yet");
  const near = findNear(
    symbol,
    all.map((row) => row.symbol),
  );
  const hint = near.length > 0 ? `; near: ${near.join(", ")}` : "";
  const about = { param: "symbol", details: { parameter: "symbol", got: symbol, near } };
  throw new NodeError("subject_not_found", `${symbol} is not in B3's newest files${hint}`, about);
}

/** BOVA11, the largest fund on the index, where the index itself is unavailable. */
const PROXY = "BOVA11";

/**
 * Everything is read from the jobs' data; no calls.
 * @throws NodeError when there is no close of the last 5 bank days, or no such ticker.
 */
export async function fetchEquity(
  context: FetchContext,
  { symbol = "IBOV" }: { symbol?: string },
): Promise<EquityInputs> {
  const oldest = addBankDays(getDueDay(context.now_ms), -AGE_DU_MAX, readHolidays(context));
  const [levels, weights, days] = await Promise.all([
    indexLevels.read(context),
    indexMembers.read(context),
    // Cites the file the closes came from.
    readSettlements(context, "12d"),
  ]);
  const index = toStored(levels?.value ?? []);
  const members = weights?.value ?? [];
  const newest = days.at(-1)?.date ?? "";
  if (newest < oldest) throw new NodeError("upstream_unavailable", `there is no file of trades of ${oldest} or later`);
  const shared = { symbol, index, session: context.config(config).equity_session };
  if (symbol !== "IBOV") {
    const [last, history] = await Promise.all([readLast(context, symbol), readHistory(context, symbol)]);
    const warnings = last.date < newest ? [`trade_date: ${symbol} was not traded since ${last.date}`] : [];
    const weight_pct = members.find(([member]) => member === symbol)?.[1] ?? null;
    // A ticker that keeps no history has its last close alone.
    return { ...shared, last, history: history.length > 0 ? history : [last], weight_pct, members: null, warnings };
  }
  const is_fresh = (index.at(-1)?.date ?? "") >= oldest;
  const stands = is_fresh ? index : await readHistory(context, PROXY);
  const close = stands.at(-1);
  if (!close) throw new NodeError("upstream_unavailable", "the level of the Ibovespa could not be had");
  const nothing = { isin: null, average: null, low: null, high: null, trades: null, shares: null, turnover: null };
  return {
    ...shared,
    last: { ...nothing, ...close },
    history: stands,
    weight_pct: null,
    members: await readMembers(context, members),
    warnings: is_fresh ? [] : [`close: a proxy, the fund ${PROXY} in BRL; the index itself could not be had`],
  };
}
