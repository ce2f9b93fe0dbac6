import { createNoSuchSubject, type FetchContext, outcomeOf } from "intel-node";
import { CHAINLINK_SHARES } from "intel-node/providers/evm-rpc/chainlink-feeds";
import { adjustCloses } from "intel-node/series/adjust-closes";
import { b3Closes } from "intel-node/series/b3-closes";
import { b3Settlements } from "intel-node/series/b3-settlements";
import type { DailyInstrument, DailyPoint } from "intel-node/series/daily-series";
import { closes, toClose } from "intel-node/series/share-closes";
import type { StoredMarket } from "./stored-market.ts";

/** An exchange whose closes this node keeps: every share is named with its suffix. */
interface ShareMarket {
  readonly suffix: string;
  /** The ticker without its suffix. */
  readonly ticker: RegExp;
  readonly currency: string;
  /** When the session ends, local time. */
  readonly observed: DailyInstrument["observed"];
}

const US: ShareMarket = {
  suffix: ".US",
  ticker: /^[A-Z]{1,6}(\.[A-Z]{1,2})?$/,
  currency: "USD",
  observed: { zone: "America/New_York", time: "16:00" },
};
const B3: ShareMarket = {
  suffix: ".SA",
  ticker: /^[A-Z][A-Z0-9]{3}\d{1,2}$/,
  currency: "BRL",
  observed: { zone: "America/Sao_Paulo", time: "17:55" },
};
const MARKETS = [US, B3];

/** The last 90 returns between days that two markets share, over their holidays. */
const CLOSES_MAX = 130;
const CLOSES_BACK = "200d";
/** A split of three for two, and nearly every other, moves a price by more than this from one day to the next. */
const JUMP_LOG = Math.log(1.45);

const parseShare = (id: string): { readonly market: ShareMarket; readonly ticker: string } | null => {
  const market = MARKETS.find(({ suffix }) => id.endsWith(suffix));
  const ticker = market ? id.slice(0, -market.suffix.length) : "";
  return market?.ticker.test(ticker) ? { market, ticker } : null;
};

/** Whether it is the name of a share, such as AAPL.US or PETR4.SA. */
export const isShare = (id: string): boolean => parseShare(id) !== null;

/** The currency a share is quoted in; null for other assets. */
export const currencyOf = (id: string): string | null => parseShare(id)?.market.currency ?? null;

/** The closes after the last jump that may be a split: from there on each is for the same number of shares. */
function cutAtJump(points: readonly DailyPoint[]): Pick<StoredMarket, "points" | "cut_before"> {
  const jump = points.findLastIndex(([, value], index) => {
    const before = points[index - 1]?.[1];
    return before !== undefined && Math.abs(Math.log(value / before)) > JUMP_LOG;
  });
  const [date = null] = points[jump] ?? [];
  return date === null ? { points } : { points: points.slice(jump), cut_before: date };
}

async function readUS(context: FetchContext, ticker: string): Promise<readonly DailyPoint[]> {
  const stored = await closes.read(context, { of: ticker, last: CLOSES_BACK });
  for (const source of stored.at(-1)?.sources ?? []) context.cite(source);
  return stored.map(toClose).map(({ date, price }): DailyPoint => [date, price]);
}

async function readB3(context: FetchContext, symbol: string): Promise<readonly DailyPoint[]> {
  const rows = await context.table(b3Closes).find({ where: { symbol }, order: ["-date"], limit: CLOSES_MAX });
  if (rows.length === 0) return [];
  const newest = await b3Settlements.newest(context);
  for (const source of newest?.sources ?? []) context.cite(source);
  return adjustCloses(rows.toReversed()).closes.map(({ date, close }): DailyPoint => [date, close]);
}

/** Tickers this node keeps closes of; empty where it keeps none of that exchange. */
async function listKept(context: FetchContext, market: ShareMarket): Promise<readonly string[]> {
  if (market === B3) {
    const last = await context.table(b3Closes).first({ order: ["-date"] });
    const rows = last ? await context.table(b3Closes).find({ where: { date: last.date } }) : [];
    return rows.map(({ symbol }) => symbol);
  }
  const names = Object.keys(CHAINLINK_SHARES);
  const stored = await Promise.all(names.map((of) => closes.newest(context, { of })));
  return names.filter((_, index) => stored[index]);
}

/**
 * The stored closes of a share, in its own currency; null where this node keeps none of that exchange.
 * @throws NodeError subject_not_found for a share it keeps none of, though it keeps those of others.
 */
export async function readShare(context: FetchContext, id: string): Promise<StoredMarket | null> {
  const share = parseShare(id);
  if (!share) return null;
  const { market, ticker } = share;
  // A node without Brazil's plugin has no table of its closes.
  const read = await outcomeOf(market === B3 ? readB3(context, ticker) : readUS(context, ticker));
  if (!read.ok) return null;
  if (read.value.length > 0) {
    return { instrument: { id, move: "log", observed: market.observed }, ...cutAtJump(read.value) };
  }
  const kept = await listKept(context, market);
  if (kept.length === 0) return null;
  const about = { param: "symbols", got: id, known: kept.map((one) => `${one}${market.suffix}`) };
  throw createNoSuchSubject(`This node keeps no closes of ${id}.`, about);
}
