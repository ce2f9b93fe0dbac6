import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { bankHolidaysOf } from "./brazil.ts";
import { createCalendar, findExchange } from "./calendar.ts";
import { addDays, isWeekend } from "./dates.ts";

/**
 * What two independent projects recorded, as digests of whole lists: a day, an opening, a lunch or a close that differs
 * changes one. Sessions: the recorded answers of exchange_calendars (gerrymanoim/exchange_calendars, tests/resources at
 * 5308ce2057, 2026-07-23), weekdays of the years that both sides cover whole. Hong Kong's end before our list begins.
 */
const RECORDED: readonly (readonly [mic: string, first: number, last: number, sessions: number, digest: string])[] = [
  ["XNYS", 2000, 2022, 5787, "9103b82e33827114"],
  ["XLON", 2000, 2022, 5811, "3c9d0530a6243598"],
  ["XETR", 2022, 2022, 257, "8f42b770228402b8"],
  ["XPAR", 2003, 2018, 4097, "cc855633fbcf7e78"],
  ["XAMS", 2003, 2018, 4097, "cc855633fbcf7e78"],
  ["XSWX", 2006, 2018, 3263, "e9ca963faaa632b9"],
  ["XMIL", 2006, 2018, 3298, "3556fd4922c17731"],
  ["XMAD", 2017, 2025, 2301, "7b880ee69f322f47"],
  ["XSTO", 2006, 2018, 3264, "7380142ac331941c"],
  ["XTKS", 2022, 2026, 1220, "7b240429067994bd"],
  ["XSHG", 2026, 2026, 242, "c3efbc4c2cb868e0"],
  // The same days and hours in Bombay, whose list it is.
  ["XNSE", 2026, 2026, 245, "99c357acf50d70a9"],
  ["XKRX", 2026, 2026, 245, "67a03e8e0129bbb7"],
  ["XTAI", 2026, 2026, 243, "44c820b1a6f7d8cb"],
  ["XASX", 2023, 2024, 506, "6d77b29c3340cde7"],
  ["XTSE", 2008, 2018, 2760, "5a54a6cb5231f4e3"],
  ["BVMF", 2022, 2025, 999, "978f05e29bd44583"],
];
const digest = (lines: readonly string[]): string =>
  createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16);
const minute = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

/** Only the days of B3, whose hours change with the season, and of two days of Korea: the exam, and their last one. */
const isDayAlone = (mic: string, date: string): boolean =>
  mic === "BVMF" || (mic === "XKRX" && ["2026-11-19", "2026-12-30"].includes(date));

test.each(RECORDED)(
  "%s, %d to %d: every session as an independent project recorded it",
  (mic, first, last, count, of) => {
    const exchange = findExchange(mic);
    if (!exchange) throw new Error(mic);
    const calendar = createCalendar(exchange);
    const lines: string[] = [];
    for (let date = `${first}-01-01`; date <= `${last}-12-31`; date = addDays(date, 1)) {
      if (isWeekend(date) || !calendar.isTradingDay(date)) continue;
      const edges = calendar.sessionsOf(date).flatMap(({ open_ms, close_ms }) => [open_ms, close_ms]);
      lines.push(isDayAlone(mic, date) ? date : [date, ...edges.map(minute)].join(" "));
    }
    expect([lines.length, digest(lines)]).toEqual([count, of]);
  },
);

test("B3's last session of a year is the weekday before its last one", () => {
  const exchange = findExchange("BVMF");
  const calendar = exchange && createCalendar(exchange);
  const last = [2022, 2023, 2024, 2025, 2028].map((year) => calendar?.previousTradingDay(`${year + 1}-01-01`));
  expect(last).toEqual(["2022-12-29", "2023-12-28", "2024-12-30", "2025-12-30", "2028-12-28"]);
});

/** ANBIMA.cal of python-bizdays (wilsonfreitas/python-bizdays at 3fd7cee413, 2025-01-05), its weekdays. */
test("ANBIMA's holidays of 2000 to 2099 are those that another project ships", () => {
  const days = Array.from({ length: 100 }, (_, index) => [...bankHolidaysOf(2000 + index)]).flat();
  const sorted = [...new Set(days)].filter((date) => !isWeekend(date)).sort();
  expect([sorted.length, digest(sorted)]).toEqual([1_023, "e77426014d3aa62b"]);
});
