import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addBankDays, bankHolidaysOf, countBankDays, isAshWednesday, isBankDay } from "./brazil.ts";
import { addDays, easterOf, japaneseEquinox, nthWeekday, weekdayOf } from "./dates.ts";
import { getFXWeek } from "./fx-week.ts";
import { nextInstant, toInstant, toLocal } from "./zone-time.ts";

const at = (text: string): number => Date.parse(`${text}:00Z`);
const show = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString().slice(0, 16));

test.each([
  "2000-04-23",
  "2008-03-23",
  "2011-04-24",
  "2024-03-31",
  "2025-04-20",
  "2026-04-05",
  "2027-03-28",
  "2038-04-25",
])("Easter is on %s", (date) => expect(easterOf(Number(date.slice(0, 4)))).toBe(date));

test("weekdays of a month, and the equinoxes of Japan", () => {
  expect(nthWeekday(2026, 5, { weekday: 1, n: -1 })).toBe("2026-05-25");
  expect(nthWeekday(2026, 11, { weekday: 4, n: 4 })).toBe("2026-11-26");
  expect([2024, 2025, 2026].map((year) => japaneseEquinox(year, "vernal"))).toEqual([
    "2024-03-20",
    "2025-03-20",
    "2026-03-20",
  ]);
  expect([2024, 2026].map((year) => japaneseEquinox(year, "autumnal"))).toEqual(["2024-09-22", "2026-09-23"]);
});

describe("Brazil", () => {
  test.each<[year: number, days: string]>([
    [2026, "01-01 02-16 02-17 04-03 04-21 05-01 06-04 09-07 10-12 11-02 11-15 11-20 12-25"],
    [2027, "01-01 02-08 02-09 03-26 04-21 05-01 05-27 09-07 10-12 11-02 11-15 11-20 12-25"],
  ])("bank holidays of %p", (year, days) => {
    expect([...bankHolidaysOf(year)].sort()).toEqual(days.split(" ").map((day) => `${year}-${day}`));
  });

  test("20 November is one from 2024 on", () => {
    expect([2023, 2024].map((year) => bankHolidaysOf(year).has(`${year}-11-20`))).toEqual([false, true]);
  });

  test.each([
    ["2026-11-20", "2026-11-23", 0],
    ["2026-01-12", "2027-01-04", 243],
    ["2025-12-24", "2026-01-02", 5],
    ["2026-02-13", "2026-02-19", 2],
    ["2026-02-19", "2026-02-13", -2],
  ])("business days from %s to %s: %p", (from, to, count) => expect(countBankDays(from, to)).toBe(count));

  test("an exceptional holiday is not counted, and Ash Wednesday is one day", () => {
    expect(countBankDays("2026-11-23", "2026-11-25", new Set(["2026-11-24"]))).toBe(1);
    expect(isAshWednesday("2026-02-18")).toBe(true);
    expect(isAshWednesday("2026-02-25")).toBe(false);
  });

  test("counting over decades is the same as walking, whatever the operator adds", () => {
    const extra = new Set(["2026-11-24", "2026-11-21", "2030-05-13"]);
    for (const [from, days] of [
      ["1999-12-20", 40],
      ["2026-01-12", 5_000],
      ["2099-12-01", 60],
    ] as const) {
      let walked = 0;
      let date: string = from;
      for (let n = 0; n < days; n++) {
        expect(countBankDays(from, date, extra)).toBe(walked);
        if (isBankDay(date, extra)) walked++;
        date = addDays(date, 1);
      }
    }
  });

  test("a bank day so many away; none away is the day itself or the next", () => {
    expect(addBankDays("2026-11-20", 0)).toBe("2026-11-23");
    expect(addBankDays("2026-11-19", 1)).toBe("2026-11-23");
    expect(addBankDays("2026-11-23", -1)).toBe("2026-11-19");
    expect(addBankDays("2023-11-17", 1)).toBe("2023-11-20");
    // Looked up and walked (a holiday that no list knows turns looking up off) are the same.
    const far = new Set(["1990-01-02"]);
    for (const from of ["2000-01-01", "2026-02-14", "2026-11-20", "2099-12-20"]) {
      for (const days of [1, 2, 3, 21, 500, -1, -2, -21, -300]) {
        expect([from, days, addBankDays(from, days)]).toEqual([from, days, addBankDays(from, days, far)]);
      }
    }
  });
});

describe("zones", () => {
  test("a local time in the gap of summer time is as far after it; one that comes twice is the first", () => {
    expect(show(toInstant("America/New_York", "2026-03-08", "02:30"))).toBe("2026-03-08T07:30");
    expect(show(toInstant("America/New_York", "2026-11-01", "01:30"))).toBe("2026-11-01T05:30");
    expect(show(toInstant("Australia/Lord_Howe", "2026-04-05", "01:45"))).toBe("2026-04-04T14:45");
    expect(show(toInstant("Asia/Kolkata", "2026-06-01", "09:15"))).toBe("2026-06-01T03:45");
  });

  test("São Paulo had summer time until February 2019, and not since", () => {
    const noon = (date: string) => show(toInstant("America/Sao_Paulo", date, "12:00"));
    expect(["2018-11-03", "2018-11-04", "2019-02-16", "2019-02-17"].map(noon)).toEqual([
      ...["2018-11-03T15:00", "2018-11-04T14:00", "2019-02-16T14:00", "2019-02-17T15:00"],
    ]);
    expect(["2019-12-15", "2026-01-15", "2026-07-15"].map((date) => noon(date)?.slice(11))).toEqual([
      ...["15:00", "15:00", "15:00"],
    ]);
  });

  test("what clocks show at an instant is what it was made of", () => {
    const zones = ["America/New_York", "Europe/London", "Asia/Kolkata", "Australia/Sydney", "America/Sao_Paulo"];
    const days = fc.integer({ min: 0, max: 13_000 }).map((days) => addDays("2000-01-01", days));
    fc.assert(
      fc.property(fc.constantFrom(...zones), days, fc.integer({ min: 4 * 60, max: 1_439 }), (zone, date, minutes) => {
        const time = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
        expect(toLocal(zone, toInstant(zone, date, time))).toEqual({ date, time, minutes });
      }),
    );
  });

  test("the next start of a daily job, in UTC", () => {
    const weekday = { zone: "America/New_York", time: "16:00", isDay: (date: string) => weekdayOf(date) % 6 !== 0 };
    expect(show(nextInstant(weekday, at("2026-10-30T20:00")))).toBe("2026-11-02T21:00");
    expect(show(nextInstant(weekday, at("2026-10-30T19:59")))).toBe("2026-10-30T20:00");
    expect(nextInstant({ ...weekday, isDay: () => false }, at("2026-10-30T19:59"))).toBeNull();
    expect(() => toLocal("Mars/Olympus", 0)).toThrow(RangeError);
  });
});

test.each([
  ["2026-11-20T21:59", true, "2026-11-20T22:00"],
  ["2026-11-20T22:00", false, "2026-11-22T22:00"],
  ["2026-11-22T21:59", false, "2026-11-22T22:00"],
  ["2026-11-22T22:00", true, "2026-11-27T22:00"],
  ["2026-10-31T12:00", false, "2026-11-01T22:00"],
  ["2026-03-06T21:00", true, "2026-03-06T22:00"],
  ["2026-03-07T12:00", false, "2026-03-08T21:00"],
])("currencies at %s: %p until %s", (moment, is_open, changes) => {
  const week = getFXWeek(at(moment));
  expect({ is_open: week.is_open, changes: show(week.changes_ms) }).toEqual({ is_open, changes });
});
