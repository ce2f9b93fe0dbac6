import {
  citeSample,
  createCalendar,
  type FetchContext,
  findExchange,
  type ISODate,
  type JobContext,
  type SeriesSample,
  toInstant,
  toLocal,
} from "intel-node";
import { b3Settlements, type StoredDay } from "intel-node/series/b3-settlements";
import { readHolidays } from "../config.ts";
import { fitNSS } from "../curve/nss.ts";
import { getVertices, REAL_DU_MIN } from "../curve/vertices.ts";
import type { JudgedSettlements, Settlement } from "./settlement.ts";

export const ZONE = "America/Sao_Paulo";
/** When B3's file of a day begins to be final, local time. */
const FINAL_TIME = "18:30";

const exchange = findExchange("BVMF");
if (!exchange) throw new Error("B3 has no calendar");
/** Trading days and sessions of B3. */
export const B3_CALENDAR = createCalendar(exchange);

/** Settlements of one day, as they are read back. */
export interface SettlementDay extends Pick<StoredDay, "date" | "source" | "dropped" | "nss"> {
  readonly settlements: readonly Settlement[];
}

/** The newest trading day whose file should be final. */
export function getDueDay(now_ms: number): ISODate {
  const { date } = toLocal(ZONE, now_ms);
  const is_due = B3_CALENDAR.isTradingDay(date) && now_ms >= toInstant(ZONE, date, FINAL_TIME);
  return is_due ? date : (B3_CALENDAR.previousTradingDay(date) ?? date);
}

/**
 * The session that many sessions before a day: B3 is closed on some days on which banks work.
 * @param extra exceptional holidays that the operator knows of.
 */
export function getSessionBefore(date: ISODate, sessions: number, extra: ReadonlySet<ISODate>): ISODate {
  let day = date;
  for (let left = sessions; left > 0; ) {
    const before = B3_CALENDAR.previousTradingDay(day);
    if (before === null) return day;
    day = before;
    if (!extra.has(day)) left--;
  }
  return day;
}

/** The moment of a day's settlements. */
export const momentOf = (date: ISODate): number => toInstant(ZONE, date, FINAL_TIME);

/** Stores a day's settlements, and with the newest day's the parameters of its curves. */
export async function storeSettlements(
  context: JobContext,
  day: JudgedSettlements & Pick<StoredDay, "date" | "source">,
  is_newest: boolean,
): Promise<void> {
  const { nominal, real } = getVertices(day.settlements, { date: day.date, extra: readHolidays(context) });
  const value: StoredDay = {
    date: day.date,
    source: day.source,
    dropped: [...day.dropped],
    rows: day.settlements.map((row) => [row.symbol, row.settle, row.rate, row.contracts, row.open_interest]),
    nss: is_newest
      ? { nominal: fitNSS(nominal), real: fitNSS(real.filter(({ du }) => du >= REAL_DU_MIN)) }
      : { nominal: null, real: null },
  } as StoredDay;
  await b3Settlements.write(context, value, { at_ms: momentOf(day.date) });
}

function toDay({ value: { rows, ...value } }: SeriesSample<StoredDay>): SettlementDay {
  const settlements = rows.map(([symbol, settle, rate, contracts, open_interest]) => ({
    symbol,
    settle,
    rate,
    contracts,
    open_interest,
  }));
  return { ...value, settlements };
}

/** Settlements of the last so many calendar days, oldest first; the newest one is cited. */
export async function readSettlements(context: FetchContext, last: `${number}d`): Promise<readonly SettlementDay[]> {
  const samples = await b3Settlements.read(context, { last });
  const newest = samples.at(-1);
  if (newest) citeSample(context, newest);
  return samples.map(toDay);
}
