import { describe, expect, test } from "bun:test";
import { addDays, daysBetween } from "../../../calendars/dates.ts";
import { readPolicyMeetings } from "../../../upstream/providers/ecb/meetings.ts";
import { createRowTally } from "../../../upstream/sift-rows.ts";
import { readBeaDates } from "../providers/bea/calendar.ts";
import { readBlsCalendar } from "../providers/bls/calendar.ts";
import { readClock, readFedRow } from "../providers/fed/calendar.ts";
import { CPI_DATES, FOMC_DATES, JOBS_DATES } from "../shared/event-dates.ts";
import { getKind, type ScheduledEvent } from "../shared/kinds.ts";
import { estimateCpiRelease, estimateJobsRelease } from "../shared/release-rules.ts";
import { computeMacroCalendar, mergeEvents } from "./compute.ts";
import { findPeriod, measureRelease } from "./measure.ts";

const iso = (ms: number): string => new Date(ms).toISOString();
const fedTimes = (month: string, days: string, time: string) =>
  readFedRow({ title: "FOMC Meeting", month, days, time }).map(({ at_ms, all_day }) => [iso(at_ms), all_day]);

describe("calendars as their publishers write them", () => {
  test("the Fed's New York times on both sides of the end of summer time, several days, no time", () => {
    expect(fedTimes("2026-10", "28", "2:00 p.m.")).toEqual([["2026-10-28T18:00:00.000Z", false]]);
    expect(fedTimes("2026-12", "9", "2:00 p.m.")).toEqual([["2026-12-09T19:00:00.000Z", false]]);
    expect(fedTimes("2026-10", "1, 8, 15", "")).toHaveLength(3);
    expect(fedTimes("2026-10", "1", "")).toEqual([["2026-10-01T00:00:00.000Z", true]]);
    expect(["12:00 p.m.", "12:30 a.m.", "noon"].map(readClock)).toEqual(["12:00", "00:30", null]);
    expect(readFedRow({ title: "Speech", month: "2026-10", days: "1", time: "" })).toEqual([]);
  });

  test("the BEA's UTC times stay, duplicates fall together, members of other kinds are left out", () => {
    const dates = ["2026-09-30T12:30:00+00:00", "2026-09-30T12:30:00+00:00", "soon"];
    const events = readBeaDates(
      {
        "Gross Domestic Product": { release_dates: dates },
        "Personal Income and Outlays": "x",
      },
      createRowTally().eachRow,
    );
    expect(events.map(({ kind, at_ms }) => [kind, iso(at_ms)])).toEqual([["gdp", "2026-09-30T12:30:00.000Z"]]);
  });

  test("08:30 in New York is 13:30 UTC in November and 12:30 in the week Frankfurt has not changed its clocks", () => {
    const event = (day: string) =>
      `BEGIN:VEVENT\r\nDTSTART;TZID=US-Eastern:${day}T083000\r\nSUMMARY:Consumer\r\n  Price Index\r\nEND:VEVENT\r\n`;
    const text = `BEGIN:VCALENDAR\r\n${event("20261110")}${event("20260311")}`;
    expect(readBlsCalendar(text, createRowTally().eachRow).map(({ at_ms }) => iso(at_ms))).toEqual([
      "2026-11-10T13:30:00.000Z",
      "2026-03-11T12:30:00.000Z",
    ]);
    expect(
      readBlsCalendar(
        "BEGIN:VEVENT\nDTSTART:20261110T133000Z\nSUMMARY:Producer Price Index\n",
        createRowTally().eachRow,
      )[0]?.at_ms,
    ).toBe(Date.parse("2026-11-10T13:30:00Z"));
  });

  test("only second days of monetary policy meetings are decisions", () => {
    const html =
      "<dt>04/02/2026</dt><dd>Governing Council of the ECB: monetary policy meeting in Frankfurt (Day 1)</dd>" +
      "<dt>05/02/2026</dt><dd>Governing Council of the ECB: monetary policy meeting in Rome (Day 2), then</dd>" +
      "<dt>25/02/2026</dt><dd>Governing Council of the ECB: non-monetary policy meeting in Frankfurt</dd>";
    expect(readPolicyMeetings(html)).toEqual(["2026-02-05"]);
  });
});

describe("rules for dates", () => {
  test("the rule of the jobs report was right for 60 of 68 releases, and never far off", () => {
    const by_rule = new Set<string>();
    for (let year = 2020; year <= 2026; year += 1) {
      for (let month = 1; month <= 12; month += 1) by_rule.add(estimateJobsRelease(year, month));
    }
    expect(JOBS_DATES).toHaveLength(68);
    expect(JOBS_DATES.filter((date) => by_rule.has(date))).toHaveLength(60);
  });

  test("the rule of consumer prices is within 8 days, but for the shutdown of 2025", () => {
    const off = CPI_DATES.map((date) =>
      Math.abs(daysBetween(estimateCpiRelease(Number(date.slice(0, 4)), Number(date.slice(5, 7))), date)),
    );
    expect(off.filter((days) => days > 8)).toHaveLength(1);
    expect(FOMC_DATES.every((date) => date === addDays(date, 0))).toBe(true);
  });
});

describe("numbers", () => {
  const cpi = getKind("cpi").measure;
  if (!cpi) throw new Error("no measure");
  const series = (rows: readonly (readonly [string, number])[]) => rows.map(([date, value]) => ({ date, value }));

  test("percent a month: the published vector, only of the period that is due", () => {
    const rows = series([
      ["2026-08-01", 321],
      ["2026-09-01", 322.132],
      ["2026-10-01", 323.048],
    ]);
    const due = measureRelease(cpi, { day: "2026-11-10", series: rows });
    expect(due).toMatchObject({ period: "2026-10", vs_trailing: null });
    expect(due.actual).toBeCloseTo(0.28435548, 8);
    expect(due.previous).toBeCloseTo((322.132 / 321 - 1) * 100, 10);
    const early = measureRelease(cpi, { day: "2026-12-10", series: rows });
    expect(early.actual).toBeNull();
    expect(early.previous).toBeCloseTo(0.28435548, 8);
  });

  test("over a missing month there is no change", () => {
    const rows = series([
      ["2026-08-01", 321],
      ["2026-10-01", 323.048],
    ]);
    expect(measureRelease(cpi, { day: "2026-11-10", series: rows })).toMatchObject({ actual: null, previous: null });
  });

  test("which period a release is about", () => {
    const of = (kind: "gdp" | "claims" | "jolts" | "jobs", day: string) => {
      const { measure } = getKind(kind);
      return measure ? findPeriod(measure, day).name : "";
    };
    expect(of("gdp", "2026-01-29")).toBe("2025-Q4");
    expect(of("gdp", "2026-09-30")).toBe("2026-Q2");
    expect(of("claims", "2026-11-19")).toBe("2026-11-14");
    expect(of("jolts", "2026-01-06")).toBe("2025-11");
    expect(of("jobs", "2026-01-09")).toBe("2025-12");
  });
});

describe("the calendar", () => {
  const at = (time: string, rest: Partial<ScheduledEvent> = {}): ScheduledEvent => ({
    ...{ kind: "cpi", at_ms: Date.parse(time), all_day: false, status: "scheduled", window_days: null, source: "bls" },
    ...rest,
  });

  test("official dates replace estimates a day away, and stand beside those of other weeks", () => {
    const estimate = at("2026-11-11T13:30:00Z", { status: "estimated", source: "rule" });
    expect(mergeEvents([estimate, at("2026-11-10T13:30:00Z")])).toEqual([at("2026-11-10T13:30:00Z")]);
    expect(mergeEvents([estimate, at("2026-11-20T13:30:00Z")])).toHaveLength(2);
  });

  test("one calendar's own events stand beside each other: the bond is sold the day after the note", () => {
    const auction = (time: string, years: number) =>
      at(time, { kind: "auction", source: "fiscaldata", detail: { id: `${years}y`, title: `${years} years` } });
    const sold = [auction("2026-11-10T18:00:00Z", 10), auction("2026-11-11T18:00:00Z", 30)];
    expect(mergeEvents(sold)).toEqual(sold);
    expect(mergeEvents([...sold, ...sold])).toEqual(sold);
    const coverage = [{ source: "fed", state: "ok" }] as const;
    const same_day = [...sold, auction("2026-11-11T18:00:00Z", 10)];
    const { events } = computeMacroCalendar(
      { events: same_day, coverage, series: new Map() },
      Date.parse("2026-11-09T12:00:00Z"),
    ).data;
    expect(events.flatMap(({ kind, id, title }) => (kind === "auction" ? [`${id} ${title}`] : []))).toEqual([
      "US:auction:2026-11-10:10y 10 years",
      "US:auction:2026-11-11:30y 30 years",
      "US:auction:2026-11-11:10y 10 years",
    ]);
  });

  test("7 days back, today and 14 days ahead in whole UTC days; without the BLS its releases are estimates", () => {
    const now_ms = Date.parse("2026-11-22T12:00:00Z");
    const events = [
      at("2026-11-15T00:00:00Z"),
      at("2026-11-14T23:59:00Z", { kind: "gdp" }),
      at("2026-12-06T23:59:00Z"),
      at("2026-12-07T00:00:00Z", { kind: "gdp" }),
    ];
    const coverage = [
      { source: "fed", state: "ok" },
      { source: "bls", state: "failed" },
    ] as const;
    const { data } = computeMacroCalendar({ events, coverage, series: new Map() }, now_ms);
    expect([data.from, data.to]).toEqual(["2026-11-15", "2026-12-06"]);
    const cpi = data.events.filter(({ kind }) => kind === "cpi");
    expect(data.events.filter(({ kind }) => kind === "gdp")).toEqual([]);
    expect(cpi.map(({ time_utc }) => time_utc)).toEqual(["2026-11-15T00:00:00Z", "2026-12-06T23:59:00Z"]);
    expect(data.events.find(({ kind }) => kind === "jobs")).toMatchObject({
      ...{ status: "estimated", time_utc: "2026-12-04T13:30:00Z", window_days: 7 },
    });
    // An estimate is no appointment.
    expect(data.next_high_impact?.id).toBe("US:cpi:2026-12-06");
  });

  test("prices by the second Wednesday and the day after, claims on Thursdays", () => {
    const coverage = [{ source: "bls", state: "failed" }] as const;
    const now_ms = Date.parse("2022-01-05T12:00:00Z");
    const { events } = computeMacroCalendar({ events: [], coverage, series: new Map() }, now_ms).data;
    // December 29 to January 19; January 1, 2022 was a Saturday: Wednesdays on the 5th and 12th. CPI came on the 12th.
    expect(events.flatMap((one) => (one.kind === "jobs" ? [] : [[one.kind, one.time_utc, one.window_days]]))).toEqual([
      ["claims", "2021-12-30T13:30:00Z", null],
      ["claims", "2022-01-06T13:30:00Z", null],
      ["cpi", "2022-01-12T13:30:00Z", 8],
      ["claims", "2022-01-13T13:30:00Z", null],
      ["ppi", "2022-01-13T13:30:00Z", 8],
    ]);
  });

  test("the estimate of a month's jobs is about the month before, in January about December", () => {
    const coverage = [{ source: "bls", state: "failed" }] as const;
    const jobsOf = (today: string) => {
      const inputs = { events: [], coverage, series: new Map() };
      const { events } = computeMacroCalendar(inputs, Date.parse(`${today}T12:00:00Z`)).data;
      return events.flatMap(({ kind, time_utc }) => (kind === "jobs" ? [time_utc] : []));
    };
    // The week of the 12th of December 2021 ends on Saturday the 18th, the third Friday after it is January 7; that of
    // January 2022 on the 15th, February 4; that of November 2021 on the 13th, December 3. All three dates held.
    expect(jobsOf("2022-01-05")).toEqual(["2022-01-07T13:30:00Z"]);
    expect(jobsOf("2022-02-01")).toEqual(["2022-02-04T13:30:00Z"]);
    expect(jobsOf("2021-12-01")).toEqual(["2021-12-03T13:30:00Z"]);
    // Seven days back and 14 ahead hold the first and the last day, and nothing beyond.
    const shown = ["2021-12-23", "2021-12-24", "2022-01-14", "2022-01-15"].map((day) => jobsOf(day).length);
    expect(shown).toEqual([0, 1, 1, 0]);
  });
});
