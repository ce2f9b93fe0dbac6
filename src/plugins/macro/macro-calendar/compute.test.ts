import { describe, expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { addDays, daysBetween } from "../../../calendars/dates.ts";
import { readPolicyMeetings } from "../../../upstream/providers/ecb/meetings.ts";
import { createRowTally } from "../../../upstream/sift-rows.ts";
import { readBeaDates } from "../providers/bea/calendar.ts";
import { readBlsCalendar } from "../providers/bls/calendar.ts";
import { readClock, readFedRow } from "../providers/fed/calendar.ts";
import { CPI_DATES, FOMC_DATES, JOBS_DATES } from "../releases/event-dates.ts";
import { getKind, type ScheduledEvent } from "../releases/kinds.ts";
import { estimateCpiRelease, estimateJobsRelease, findClaimsDay, RELEASE_RULES } from "../releases/release-rules.ts";
import { isUSHoliday } from "../releases/us-holidays.ts";
import { computeMacroCalendar as computeDraft, mergeEvents } from "./compute.ts";
import { findPeriod, measureRelease } from "./measure.ts";
import type { MacroCalendarData } from "./schema.ts";

const computeMacroCalendar = (...given: Parameters<typeof computeDraft>) =>
  settled<MacroCalendarData>(computeDraft(...given));

const at = (time: string, rest: Partial<ScheduledEvent> = {}): ScheduledEvent => ({
  kind: "cpi",
  at_ms: Date.parse(time),
  all_day: false,
  status: "scheduled",
  window_days: null,
  source: "bls",
  ...rest,
});
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

  test("a release at the end of a month, or put off into the next one, is about the same period (BLS, BEA)", () => {
    const of = (kind: "gdp" | "jolts" | "pce" | "jobs", days: readonly string[]) => {
      const { measure } = getKind(kind);
      return days.map((day) => (measure ? findPeriod(measure, day).name : ""));
    };
    const jolts = ["2025-09-30", "2026-03-13", "2026-03-31", "2026-09-01", "2026-09-29", "2026-11-03", "2026-12-01"];
    expect(of("jolts", jolts)).toEqual([
      ...["2025-08", "2026-01", "2026-02", "2026-07", "2026-08", "2026-09", "2026-10"],
    ]);
    // Of December 2014, 2015 and June 2016 in the first days of a month; of January 2026 after the shutdown.
    expect(of("pce", ["2015-02-02", "2016-02-01", "2016-08-02", "2026-03-13", "2024-12-20", "2026-05-28"])).toEqual([
      ...["2014-12", "2015-12", "2016-06", "2026-01", "2024-11", "2026-04"],
    ]);
    expect(of("gdp", ["2024-04-25", "2026-04-09", "2025-12-23", "2017-01-27"])).toEqual([
      ...["2024-Q1", "2025-Q4", "2025-Q3", "2016-Q4"],
    ]);
    expect(of("jobs", ["2026-07-02", "2021-01-08", "2024-11-01"])).toEqual(["2026-06", "2020-12", "2024-10"]);
  });

  test("openings of August are out on 29 September only when August's number is", () => {
    const event = at("2026-09-29T14:00:00Z", { kind: "jolts" });
    const openings = (rows: readonly (readonly [string, number])[]) =>
      computeMacroCalendar(
        { events: [event], coverage: [{ source: "bls", state: "ok" }], series: new Map([["JTSJOL", series(rows)]]) },
        Date.parse("2026-09-29T15:00:00Z"),
      ).data.events.find(({ kind }) => kind === "jolts");
    const before = [
      ["2026-06-01", 7_400],
      ["2026-07-01", 7_200],
    ] as const;
    expect(openings(before)).toMatchObject({ period: "2026-08", actual: null, previous: 7_200, status: "scheduled" });
    expect(openings([...before, ["2026-08-01", 7_100]])).toMatchObject({ actual: 7_100, status: "released" });
  });

  test("a number says why it is missing: its series was not read, or does not have it yet", () => {
    const event = at("2026-09-29T14:00:00Z", { kind: "jolts" });
    const warningsOf = (rows: readonly (readonly [string, number])[] | null) =>
      computeMacroCalendar(
        {
          events: [event],
          coverage: [{ source: "bls", state: "ok" }],
          series: new Map(rows === null ? [] : [["JTSJOL", series(rows)]]),
        },
        Date.parse("2026-09-29T15:00:00Z"),
        0,
      ).warnings.filter((text) => /previous|actual/.test(text));
    // The claims of the two Thursdays before are read from no series here.
    const [unread = "", ...others] = warningsOf(null);
    expect(unread).toEndWith(": the official series could not be read, or is not configured");
    for (const figure of ["previous", "actual", "vs_trailing"]) expect(unread).toContain(`events[bls].${figure}`);
    expect(others).toEqual([]);
    expect(warningsOf([["2026-07-01", 7_200]])).toContain(
      "events[bls].actual, events[bls].vs_trailing: it is not in the official series yet",
    );
  });

  test("the period that a calendar names counts, and a cancelled release does not", () => {
    const block = (summary: string, rest = "") =>
      `BEGIN:VEVENT\r\nDTSTART;TZID=US-Eastern:20260114T083000\r\nSUMMARY:${summary}\r\n${rest}END:VEVENT\r\n`;
    const read = (...blocks: readonly string[]) =>
      readBlsCalendar(blocks.join(""), createRowTally().eachRow).map(({ kind, about }) => [kind, about ?? null]);
    expect(
      read(
        block("Producer Price Index for November 2025"),
        block("Consumer Price Index"),
        block("Consumer Price Index for September 2026", "STATUS:CANCELLED\r\n"),
        block("Consumer Price Index for All Urban Consumers"),
      ),
    ).toEqual([
      ["ppi", "2025-11-01"],
      ["cpi", null],
    ]);
    const ppi = getKind("ppi").measure;
    const rows = series([
      ["2025-09-01", 100],
      ["2025-10-01", 101],
      ["2025-11-01", 102.01],
    ]);
    if (!ppi) throw new Error("no measure");
    const told = measureRelease(ppi, { day: "2026-01-14", about: "2025-11-01", series: rows });
    expect(told.period).toBe("2025-11");
    expect(told.actual).toBeCloseTo(1, 10);
  });
});

describe("the calendar", () => {
  test("official dates replace estimates a day away, but not those of other weeks", () => {
    const estimate = at("2026-11-11T13:30:00Z", { status: "estimated", source: "rule" });
    expect(mergeEvents([estimate, at("2026-11-10T13:30:00Z")])).toEqual([at("2026-11-10T13:30:00Z")]);
    expect(mergeEvents([estimate, at("2026-11-20T13:30:00Z")])).toHaveLength(2);
  });

  test("one calendar's own events are all kept: the bond is sold the day after the note", () => {
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
      status: "estimated",
      time_utc: "2026-12-04T13:30:00Z",
      window_days: 7,
    });
    // An estimate is not an appointment.
    expect(data.next_high_impact?.id).toBe("US:cpi:2026-12-06");
  });

  test("prices by the second Wednesday and the day after, claims on Thursdays", () => {
    const coverage = [{ source: "bls", state: "failed" }] as const;
    const now_ms = Date.parse("2022-01-05T12:00:00Z");
    const { events } = computeMacroCalendar({ events: [], coverage, series: new Map() }, now_ms).data;
    // December 29 to January 19; January 1, 2022 was a Saturday: Wednesdays on the 5th and 12th. CPI came on the 12th.
    expect(events.flatMap((one) => (one.kind === "jobs" ? [] : [[one.kind, one.time_utc, one.window_days]]))).toEqual([
      ["claims", "2021-12-30T13:30:00Z", 1],
      ["claims", "2022-01-06T13:30:00Z", 1],
      ["cpi", "2022-01-12T13:30:00Z", 8],
      ["claims", "2022-01-13T13:30:00Z", 1],
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

  const OK = [{ source: "fed", state: "ok" }] as const;
  const calendarOn = (now: string, rest: Partial<Parameters<typeof computeMacroCalendar>[0]> = {}) =>
    computeMacroCalendar({ events: [], coverage: OK, series: new Map(), ...rest }, Date.parse(now));

  test("the decisions of London, Tokyo, Beijing and Brasília are listed beside those of the Fed and the ECB", () => {
    const { data } = calendarOn("2026-12-08T12:00:00Z");
    const shown = data.events.flatMap(({ kind, time_utc, status, country }) =>
      kind === "claims" ? [] : [[kind, country, time_utc, status].join(" ")],
    );
    expect(shown).toEqual([
      "copom BR 2026-12-09T21:30:00Z scheduled",
      "boe GB 2026-12-17T12:00:00Z scheduled",
      "boj JP 2026-12-18T00:00:00Z scheduled",
      "pboc CN 2026-12-21T01:00:00Z tentative",
    ]);
    expect(data.next_high_impact?.id).toBe("BR:copom:2026-12-09");
    // 2027 as published: London calls its days provisional, and China's holidays are not published yet.
    const next_year = calendarOn("2027-02-10T12:00:00Z").data.events;
    const of = (kind: string) => next_year.find((event) => event.kind === kind);
    expect(of("boe")).toMatchObject({ status: "released", time_utc: "2027-02-04T12:00:00Z" });
    expect(calendarOn("2027-02-01T12:00:00Z").data.events.find(({ kind }) => kind === "boe")?.status).toBe("tentative");
    expect(of("pboc")).toMatchObject({ status: "tentative", window_days: 9 });
  });

  test("tables replace calendars that cannot be read, hold the operator's days, and say when they end", () => {
    const coverage = [
      { source: "fed", state: "failed" },
      { source: "ecb", state: "disabled" },
    ] as const;
    const { data } = calendarOn("2026-12-08T12:00:00Z", { coverage });
    const meetings = data.events.flatMap(({ id, status }) => (/fomc|ecb/.test(id) ? [`${id} ${status}`] : []));
    expect(meetings).toEqual(["US:fomc:2026-12-09 tentative", "EA:ecb:2026-12-17 tentative"]);
    const late = "2027-12-20T12:00:00Z";
    const ends = calendarOn(late).warnings.filter((text) => text.startsWith("events: the table"));
    expect(ends).toHaveLength(5);
    expect(ends).toContain("events: the table of meetings of the Copom ended on 2027-12-08");
    const added = calendarOn(late, { decision_dates: ["copom 2028-01-26"] });
    expect(added.warnings.filter((text) => text.includes("Copom"))).toEqual([
      "events: the table of meetings of the Copom ends on 2028-01-26",
    ]);
    expect(calendarOn("2028-01-20T12:00:00Z", { decision_dates: ["copom 2028-01-26"] }).data.next_high_impact?.id).toBe(
      "BR:copom:2028-01-26",
    );
  });

  test("a day without a time is past when the day is", () => {
    const statusAt = (now: string) => calendarOn(now).data.events.find(({ kind }) => kind === "boj")?.status;
    expect(["2026-12-18T00:30:00Z", "2026-12-18T23:59:00Z", "2026-12-19T00:00:00Z"].map(statusAt)).toEqual([
      ...["scheduled", "scheduled", "released"],
    ]);
  });

  test("claims come the day before a holiday, and nothing is released before its number is there", () => {
    const rows = (...days: string[]) => new Map([["ICSA", days.map((date) => ({ date, value: 210_000 }))]] as const);
    const claimsOf = (now: string, series = rows()) =>
      calendarOn(now, { series }).data.events.flatMap(({ kind, time_utc, status }) =>
        kind === "claims" ? [`${time_utc.slice(0, 10)} ${status}`] : [],
      );
    // Thanksgiving is Thursday the 26th: they came on Wednesday.
    expect(claimsOf("2026-11-27T12:00:00Z", rows("2026-11-21"))).toEqual([
      ...["2026-11-25 released", "2026-12-03 tentative", "2026-12-10 tentative"],
    ]);
    expect(claimsOf("2026-11-27T12:00:00Z")[0]).toBe("2026-11-25 tentative");
    // A publisher's own date changes nothing: the release is out when the number is.
    const cpi = { events: [at("2026-12-10T13:30:00Z")] };
    expect(calendarOn("2026-12-11T00:00:00Z", cpi).data.events.find(({ kind }) => kind === "cpi")?.status).toBe(
      "scheduled",
    );
  });
});

describe("rules and holidays", () => {
  test("each rule moves off the holidays of the government as the publisher did", () => {
    const { jobs, cpi, ppi } = RELEASE_RULES;
    // New Year's Day of 2021, Independence Day of 2025, its Friday of 2026 (it was a Saturday); Good Friday is not one.
    const published = [jobs.dayOf(2021, 1), jobs.dayOf(2025, 7), jobs.dayOf(2026, 7), jobs.dayOf(2026, 4)];
    expect(published).toEqual(["2021-01-08", "2025-07-03", "2026-07-02", "2026-04-03"]);
    // Veterans Day fell on the second Wednesday of November 2026, and falls on the Thursday after it in 2027.
    expect([cpi.dayOf(2026, 11), ppi.dayOf(2027, 11)]).toEqual(["2026-11-10", "2027-11-12"]);
    const right = JOBS_DATES.filter((date) => jobs.dayOf(Number(date.slice(0, 4)), Number(date.slice(5, 7))) === date);
    expect(right.length).toBeGreaterThan(60);
  });

  test("claims in weeks whose Thursday is a holiday, and in those whose Wednesday is", () => {
    const days = ["2026-11-26", "2025-06-19", "2026-01-01", "2021-11-11", "2024-12-25", "2026-11-19"];
    expect(days.map(findClaimsDay)).toEqual([
      ...["2026-11-25", "2025-06-18", "2025-12-31", "2021-11-10", "2024-12-26", "2026-11-19"],
    ]);
  });

  test("the holidays of a year: those on a weekend are kept on the working day beside it", () => {
    const days = ["2026-07-03", "2027-12-24", "2021-12-31", "2027-07-05", "2026-05-25", "2026-10-12", "2026-11-11"];
    expect(days.filter(isUSHoliday)).toEqual(days);
    expect(["2026-07-02", "2026-11-27", "2026-04-03"].filter(isUSHoliday)).toEqual([]);
  });
});
