import { describe, expect, test } from "bun:test";
import Holidays from "date-holidays";
import { getHolidays } from "nyse-holidays";
import { type Calendar, createCalendar, findExchange } from "./calendar.ts";
import { addDays, type ISODate, isWeekend } from "./dates.ts";
import { EXCHANGES } from "./exchanges.ts";
import type { CalendarChanges } from "./types.ts";

function calendarOf(mic: string, changes?: CalendarChanges): Calendar {
  const exchange = findExchange(mic);
  if (!exchange) throw new Error(mic);
  return createCalendar(exchange, changes);
}

const at = (text: string): number => Date.parse(`${text}:00Z`);
const show = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString().slice(0, 16));

/** Weekdays of a year without trading. */
function closedDays(calendar: Calendar, year: number): readonly ISODate[] {
  const days: ISODate[] = [];
  for (let date = `${year}-01-01`; date <= `${year}-12-31`; date = addDays(date, 1)) {
    if (!isWeekend(date) && !calendar.isTradingDay(date)) days.push(date);
  }
  return days;
}

describe("the state of an exchange at a moment", () => {
  test.each<[at: string, mic: string, status: string, next_open: string | null, next_close: string | null]>([
    ["2026-11-20T03:00", "XTKS", "lunch", null, "2026-11-20T06:30"],
    ["2026-11-20T06:45", "XTKS", "closed", "2026-11-24T00:00", null],
    ["2026-11-23T03:00", "XTKS", "holiday", "2026-11-24T00:00", "2026-11-24T06:30"],
    ["2026-11-20T04:30", "XHKG", "lunch", null, "2026-11-20T08:00"],
    ["2026-10-26T08:30", "XLON", "open", null, "2026-10-26T16:30"],
    ["2026-12-24T12:45", "XLON", "closed", "2026-12-29T08:00", null],
    ["2026-11-27T18:30", "XNYS", "post", "2026-11-30T14:30", null],
    ["2026-11-27T22:00", "XNYS", "closed", "2026-11-30T14:30", null],
    ["2026-11-20T10:00", "XNYS", "pre", "2026-11-20T14:30", "2026-11-20T21:00"],
    ["2026-11-20T08:00", "XNYS", "closed", "2026-11-20T14:30", "2026-11-20T21:00"],
    ["2026-11-20T04:00", "XASX", "open", "2026-11-22T23:00", "2026-11-20T05:00"],
    ["2026-12-30T13:30", "XETR", "closed", "2027-01-04T08:00", null],
    ["2026-11-19T00:30", "XKRX", "closed", "2026-11-19T01:00", "2026-11-19T07:30"],
    ["2026-02-18T15:00", "BVMF", "closed", "2026-02-18T16:00", "2026-02-18T20:55"],
    ["2026-11-21T15:00", "BVMF", "closed", "2026-11-23T13:00", null],
  ])("%s %s is %s", (moment, mic, status, next_open, next_close) => {
    const state = calendarOf(mic).stateAt(at(moment));
    expect(state.status).toBe(status as "open");
    if (next_open) expect(show(state.next_open_ms)).toBe(next_open);
    if (next_close) expect(show(state.next_close_ms)).toBe(next_close);
  });

  test("the first moment of a session is open, its last is not", () => {
    const london = calendarOf("XLON");
    expect(london.stateAt(at("2026-11-20T08:00")).status).toBe("open");
    expect(london.stateAt(at("2026-11-20T16:30") - 1).status).toBe("open");
    expect(london.stateAt(at("2026-11-20T16:30")).status).toBe("closed");
  });

  test("sessions keep local time over both edges of summer time", () => {
    const opens = (mic: string, date: string) => show(calendarOf(mic).sessionsOf(date)[0]?.open_ms ?? null);
    expect([opens("XNYS", "2026-03-06"), opens("XNYS", "2026-03-09")]).toEqual([
      "2026-03-06T14:30",
      "2026-03-09T13:30",
    ]);
    expect([opens("XNYS", "2026-10-30"), opens("XNYS", "2026-11-02")]).toEqual([
      "2026-10-30T13:30",
      "2026-11-02T14:30",
    ]);
    expect([opens("XLON", "2026-03-27"), opens("XLON", "2026-03-30")]).toEqual([
      "2026-03-27T08:00",
      "2026-03-30T07:00",
    ]);
    expect([opens("XLON", "2026-10-23"), opens("XLON", "2026-10-26")]).toEqual([
      "2026-10-23T07:00",
      "2026-10-26T08:00",
    ]);
    expect([opens("XASX", "2026-04-02"), opens("XASX", "2026-04-07")]).toEqual([
      "2026-04-01T23:00",
      "2026-04-07T00:00",
    ]);
    expect([opens("XASX", "2026-10-02"), opens("XASX", "2026-10-06")]).toEqual([
      "2026-10-02T00:00",
      "2026-10-05T23:00",
    ]);
  });

  test("Tokyo closes half an hour later since 5 November 2024", () => {
    const closes = (date: string) => show(calendarOf("XTKS").sessionsOf(date).at(-1)?.close_ms ?? null);
    expect([closes("2024-11-01"), closes("2024-11-05")]).toEqual(["2024-11-01T06:00", "2024-11-05T06:30"]);
  });
});

describe("rules and published lists are two sources that agree", () => {
  const ruled = EXCHANGES.filter(({ rule, published }) => rule && published.length > 0);
  test("for most exchanges there are both", () => expect(ruled.length).toBeGreaterThanOrEqual(12));

  test.each(ruled.map((exchange) => [exchange.mic, exchange] as const))("%s", (_, exchange) => {
    const by_rule = { ...exchange, published: [] };
    for (const { year } of exchange.published) {
      const [listed, ruled_days] = [createCalendar(exchange), createCalendar(by_rule)];
      expect(closedDays(ruled_days, year)).toEqual(closedDays(listed, year));
      for (let date = `${year}-01-01`; date <= `${year}-12-31`; date = addDays(date, 1)) {
        expect(ruled_days.sessionsOf(date)).toEqual(listed.sessionsOf(date));
      }
    }
  });
});

describe("independent lists agree", () => {
  test("New York, 2000 to 2035, but for the days it closed once", () => {
    const calendar = calendarOf("XNYS");
    const once = /2001-09-1[1-4]|2004-06-11|2007-01-02|2012-10-(29|30)|2018-12-05|2025-01-09/;
    for (let year = 2000; year <= 2035; year++) {
      const listed = getHolidays(year)
        .map(({ dateString }) => dateString)
        .filter((date) => !isWeekend(date) && date.startsWith(`${year}`))
        // The package makes up for a New Year's Day on a Saturday, and knows Juneteenth before it was one.
        .filter((date) => !date.endsWith("-12-31") && !(year < 2022 && /-06-(18|19|20)$/.test(date)));
      const ours = closedDays(calendar, year).filter((date) => !once.test(date));
      expect(ours).toEqual([...new Set(listed)].sort());
    }
  });

  test.each([
    ["XLON", "GB", "ENG", 2003, ["public", "bank"]],
    ["BVMF", "BR", undefined, 2022, ["public", "bank"]],
    ["XTKS", "JP", undefined, 2022, ["public"]],
  ] as const)(
    "%s: no public holiday of %s is missed, and no day is closed without reason",
    (mic, country, state, first, types) => {
      const holidays = state ? new Holidays(country, state) : new Holidays(country);
      const calendar = calendarOf(mic);
      for (let year = first; year <= 2035; year++) {
        const listed = new Set(
          holidays
            .getHolidays(year)
            .filter(({ type }) => (types as readonly string[]).includes(type))
            .map(({ date }) => date.slice(0, 10))
            .filter((date) => !isWeekend(date)),
        );
        const ours = closedDays(calendar, year);
        // What exchanges close besides public holidays: the turn of the year, and carnival in Brazil.
        // The package knows no days that a proclamation added or moved, nor one between two holidays in Japan.
        const missed = /2011-04-29|2012-0(5-28|6-0[45])|2020-05-0[48]|2022-0(5-30|6-0[23]|9-19)|2023-05-08|2032-09-21/;
        const own = ours.filter((date) => !/-12-(24|29|30|31)|-01-0[23]$/.test(date) && !missed.test(date));
        const carnival = (date: ISODate) => mic === "BVMF" && /-0[23]-/.test(date);
        expect(own.filter((date) => !listed.has(date) && !carnival(date))).toEqual([]);
        expect([...listed].filter((date) => !ours.includes(date) && !carnival(date) && !missed.test(date))).toEqual([]);
      }
    },
  );
});

test("London: days that a proclamation added, and those that it moved", () => {
  const london = calendarOf("XLON");
  const added = ["2002-06-03", "2002-06-04", "2011-04-29", "2012-06-04", "2012-06-05", "2020-05-08", "2022-06-02"];
  const more = ["2022-06-03", "2022-09-19", "2023-05-08"];
  const moved = ["2002-05-27", "2012-05-28", "2020-05-04", "2022-05-30"];
  expect([...added, ...more].filter((date) => london.isTradingDay(date))).toEqual([]);
  expect(moved.filter((date) => !london.isTradingDay(date))).toEqual([]);
});

describe("what an operator adds", () => {
  test("a day of mourning, a day that trades after all, a day that ends early", () => {
    const calendar = calendarOf("XLON", {
      closed: ["2026-11-20"],
      open: ["2026-12-28"],
      early: { "2026-11-19": "12:00" },
    });
    expect(calendar.stateAt(at("2026-11-20T10:00")).status).toBe("holiday");
    expect(calendar.isTradingDay("2026-12-28")).toBe(true);
    expect(show(calendar.sessionsOf("2026-11-19")[0]?.close_ms ?? null)).toBe("2026-11-19T12:00");
  });

  test("a year that was published since moves the end of the table", () => {
    const calendar = calendarOf("XSHG", { closed: ["2027-02-08"], last_day: "2027-12-31" });
    expect(calendar.last_day).toBe("2027-12-31");
    expect(calendar.confidenceOf("2027-03-01")).toBe("published");
    expect(calendar.findEnd(at("2026-11-22T00:00"))).toBeNull();
  });
});

describe("the end of a table", () => {
  test("is reported from 60 days before it on", () => {
    const calendar = calendarOf("XSHG");
    expect(calendar.last_day).toBe("2026-12-31");
    expect(calendar.findEnd(at("2026-10-31T12:00"))).toBeNull();
    expect(calendar.findEnd(at("2026-11-01T12:00"))).toEqual({ mic: "XSHG", last_day: "2026-12-31", days_left: 60 });
    expect(calendar.findEnd(at("2027-01-02T12:00"))?.days_left).toBe(-2);
  });

  test("every table has one, and every day says how sure it is", () => {
    for (const exchange of EXCHANGES) {
      const calendar = createCalendar(exchange);
      expect(calendar.last_day).toMatch(/^20\d\d-12-31$/);
      expect(calendar.confidenceOf("1999-01-04")).toBeNull();
      expect(calendar.confidenceOf("2050-01-04")).toBe("weekday_only");
      for (const { source } of exchange.published) expect(source).not.toBe("");
    }
    expect(calendarOf("XHKG").confidenceOf("2026-06-01")).toBe("published");
    expect(calendarOf("XHKG").confidenceOf("2028-06-01")).toBe("weekday_only");
    expect(calendarOf("XLON").confidenceOf("2010-06-01")).toBe("rule");
    expect(calendarOf("BVMF").stateAt(at("2030-06-03T15:00")).confidence).toBe("rule");
  });
});

test("trading days are counted and found", () => {
  const calendar = calendarOf("XNYS");
  expect(calendar.countTradingDays("2025-01-01", "2026-01-01")).toBe(250);
  expect(calendar.nextTradingDay("2026-11-25")).toBe("2026-11-27");
  expect(calendar.previousTradingDay("2026-01-02")).toBe("2025-12-31");
  expect(findExchange("xlon")?.name).toBe("London");
  expect(findExchange("XXXX")).toBeUndefined();
});
