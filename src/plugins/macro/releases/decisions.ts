import {
  BOE_DATES,
  BOE_PROVISIONAL_FROM,
  BOJ_DATES,
  COPOM_DATES,
  createCalendar,
  daysBetween,
  findExchange,
  type ISODate,
  toDate,
  yearOf,
} from "intel-node";
import { ECB_DATES, FOMC_DATES } from "./event-dates.ts";

/** Central banks whose days of decision are shipped, as their publishers print them a year or two at a time. */
export const BANKS = ["fomc", "ecb", "boe", "boj", "copom"] as const;
export type CentralBank = (typeof BANKS)[number];

const SHIPPED: Readonly<Record<CentralBank, readonly ISODate[]>> = {
  fomc: FOMC_DATES,
  ecb: ECB_DATES,
  boe: BOE_DATES,
  boj: BOJ_DATES,
  copom: COPOM_DATES,
};
const NAMES: Readonly<Record<CentralBank, string>> = {
  fomc: "meetings of the FOMC",
  ecb: "meetings of the ECB",
  boe: "decisions of the Bank of England",
  boj: "meetings of the Bank of Japan",
  copom: "meetings of the Copom",
};
const WARN_DAYS = 120;

/** All known days of a bank, in order. `added`: "bank day", as the operator writes them. */
export function listDecisions(bank: CentralBank, added: readonly string[]): readonly ISODate[] {
  const own = added.flatMap((line) => (line.startsWith(`${bank} `) ? [line.slice(bank.length + 1)] : []));
  return [...new Set([...SHIPPED[bank], ...own])].sort();
}

/** Whether the publisher calls a day provisional. */
export const isProvisional = (bank: CentralBank, date: ISODate): boolean =>
  bank === "boe" && date >= BOE_PROVISIONAL_FROM;

/** The tables that end, for the operator. The domain of Brazil reports those of the Copom. */
export const listDecisionTables = (added: readonly string[]) =>
  BANKS.filter((bank) => bank !== "copom").map((bank) => ({
    what: NAMES[bank],
    last_day: listDecisions(bank, added).at(-1) ?? "",
    extend: "[plugins.macro] decision_dates",
  }));

/** A warning for each table that ends within 120 days, or has ended. */
export const warnOfDecisionEnds = (added: readonly string[], today: ISODate): readonly string[] =>
  BANKS.flatMap((bank) => {
    const last = listDecisions(bank, added).at(-1) ?? today;
    const left = daysBetween(today, last);
    if (left > WARN_DAYS) return [];
    return [`events: the table of ${NAMES[bank]} ${left < 0 ? "ended" : "ends"} on ${last}`];
  });

const shanghai = findExchange("XSHG");
if (!shanghai) throw new Error("the Shanghai exchange has no calendar");
const CHINA = createCalendar(shanghai);
const LPR_DAY = 20;
/** Where the year's holidays are not published yet: the longest ones of China last about as long. */
const LPR_WINDOW_DAYS = 9;

/**
 * When the People's Bank of China has the loan prime rate of a month published: on the 20th, or the next working day
 * after holidays (its announcement 15 of 2019).
 * @returns with it the days within which it can lie: none where China's holidays of the year are published.
 */
export function findLoanPrimeRateDay(year: number, month: number): { date: ISODate; window_days: number } {
  const date = CHINA.nextTradingDay(toDate(year, month, LPR_DAY - 1)) ?? toDate(year, month, LPR_DAY);
  return { date, window_days: CHINA.confidenceOf(date) === "published" && yearOf(date) === year ? 0 : LPR_WINDOW_DAYS };
}
