import { describe, expect, test } from "bun:test";
import { mean, median, sampleStandardDeviation } from "simple-statistics";
import { fc } from "../../../../test/helpers/properties.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { settled } from "../../../../test/helpers/settled.ts";
import { getWilsonInterval } from "../../../quant/intervals.ts";
import { testMean, testWelch } from "../../../quant/mean-tests.ts";
import { computeEventPlaybook } from "./compute.ts";
import type { EventPlaybookData } from "./schema.ts";
import { listBaseline, listMoves, locateEvents, type StudyObservation, WINDOWS, type WindowId } from "./study.ts";

const DAY_MS = 86_400_000;
const PRICES = [
  ...[100, 100.5, 101.2, 100.1, 100.9, 101.5, 103, 102.2, 102.9, 101.7, 102.4, 104, 103.1, 103.8, 105.2, 104.4],
  ...[105, 106.1, 105.3, 105.9],
];
const series = PRICES.map((value, day): StudyObservation => ({ at_ms: day * DAY_MS, value }));
const EVENTS_MS = [3, 6, 11, 14, 17].map((day) => day * DAY_MS - 3_600_000);
const places = locateEvents(series, EVENTS_MS);
const movesOf = (window: WindowId) => listMoves(series, places, { window, move: "log" }).map(({ value }) => value);

/** The study written down a second time, event by event from its definition. */
function studyAgain(prices: readonly StudyObservation[], events_ms: readonly number[], window: WindowId): number[] {
  const [from, to] = WINDOWS[window];
  return events_ms.flatMap((event_ms) => {
    const after = prices.findIndex(({ at_ms }) => at_ms > event_ms);
    if (after < 1 || event_ms - (prices[after - 1]?.at_ms ?? 0) > 4 * DAY_MS) return [];
    const [a, b] = [prices[after + from]?.value, prices[after + to]?.value];
    return a === undefined || b === undefined ? [] : [100 * (Math.log(b) - Math.log(a))];
  });
}

describe("event study", () => {
  test("the published vector", () => {
    expect(places).toEqual([3, 6, 11, 14, 17]);
    const d0 = movesOf("d0");
    for (const [index, value] of [-1.092907, 1.467019, 1.550419, 1.339733, 1.04217].entries()) {
      expect(d0[index]).toBeCloseTo(value, 6);
    }
    expect(mean(d0)).toBeCloseTo(0.8612866157, 9);
    expect(median(d0)).toBeCloseTo(1.3397329572, 9);
    expect(sampleStandardDeviation(d0)).toBeCloseTo(1.1093147759, 9);
    expect(testMean(d0)?.t).toBeCloseTo(1.736112655, 8);
    expect(testMean(d0)?.p).toBeCloseTo(0.1575523584, 8);
    expect(getWilsonInterval(4, 5)?.low).toBeCloseTo(0.37553463, 8);
    const d3 = movesOf("d3");
    expect(mean(d3)).toBeCloseTo(1.0053485198, 9);
  });

  test("ordinary days are those without an event: the published vector", () => {
    const all = listBaseline(series, places, { length: 1, move: "log" });
    expect(all).toHaveLength(14);
    expect(mean([...all])).toBeCloseTo(0.1018623988, 9);
    expect(sampleStandardDeviation([...all])).toBeCloseTo(0.76011002, 8);
    const absolute = (values: readonly number[]) => mean(values.map(Math.abs));
    expect(absolute(movesOf("d0")) / absolute(all)).toBeCloseTo(1.7979874275, 8);
    const welch = testWelch(movesOf("d0"), all);
    expect(welch?.t).toBeCloseTo(1.4166169592, 8);
    expect(welch?.p).toBeCloseTo(0.2115433799, 8);
  });

  test("a fix of 14:15 in Frankfurt is before a release of 08:30 in New York, except in the weeks in between", () => {
    // 08:30 New York is 12:30 UTC in March, once New York has changed its clocks; the fix is 13:15 UTC until April.
    const fixes = ["2026-03-10T13:15Z", "2026-03-11T13:15Z", "2026-03-12T13:15Z"];
    const rates = fixes.map((text, index) => ({ at_ms: Date.parse(text), value: 1 + index }));
    expect(locateEvents(rates, [Date.parse("2026-03-11T12:30Z")])).toEqual([1]);
    // In winter the release is at 13:30 UTC, after the fix: the next day's is the first that knows it.
    expect(locateEvents(rates, [Date.parse("2026-03-11T13:30Z")])).toEqual([2]);
    expect(locateEvents(rates, [Date.parse("2026-03-11T13:15Z")])).toEqual([2]);
  });

  test("an event without an observation four days before it, or after it, is skipped", () => {
    expect(locateEvents(series, [40 * DAY_MS, 19 * DAY_MS, -DAY_MS])).toEqual([null, null, null]);
    const gap = [series[0], { at_ms: 6 * DAY_MS, value: 101 }].flatMap((one) => one ?? []);
    expect(locateEvents(gap, [5 * DAY_MS])).toEqual([null]);
  });

  const worlds = fc.record({
    steps: fc.array(fc.double({ min: -0.05, max: 0.05, noNaN: true }), { minLength: 40, maxLength: 120 }),
    events: fc.uniqueArray(fc.integer({ min: 8, max: 100 }), { minLength: 1, maxLength: 12 }),
  });
  const priceOf = (steps: readonly number[]): StudyObservation[] => {
    let value = 100;
    return steps.map((step, day) => {
      value *= Math.exp(step);
      return { at_ms: day * DAY_MS, value };
    });
  };

  test("a second implementation finds the same moves in worlds of any kind", () => {
    fc.assert(
      fc.property(worlds, ({ steps, events }) => {
        const prices = priceOf(steps);
        const events_ms = events.toSorted((a, b) => a - b).map((day) => day * DAY_MS - 1);
        const located = locateEvents(prices, events_ms);
        for (const window of Object.keys(WINDOWS) as WindowId[]) {
          const found = listMoves(prices, located, { window, move: "log" }).map(({ value }) => value);
          const again = studyAgain(prices, events_ms, window);
          expect(found).toHaveLength(again.length);
          for (const [index, value] of found.entries()) expect(value).toBeCloseTo(again[index] ?? Number.NaN, 9);
        }
      }),
    );
  });

  test("the canary: what is not yet known moves nothing that is over", () => {
    fc.assert(
      fc.property(worlds, fc.double({ min: 0.5, max: 2, noNaN: true }), ({ steps, events }, factor) => {
        const prices = priceOf(steps);
        const events_ms = events.map((day) => day * DAY_MS - 1);
        const last = prices.at(-1);
        if (!last) return;
        const changed = [...prices.slice(0, -1), { ...last, value: last.value * factor }];
        for (const window of Object.keys(WINDOWS) as WindowId[]) {
          const [, to] = WINDOWS[window];
          const located = locateEvents(prices, events_ms);
          const over = located.map((place) => (place !== null && place + to < prices.length - 1 ? place : null));
          const request = { window, move: "log" } as const;
          expect(listMoves(changed, over, request)).toEqual(listMoves(prices, over, request));
        }
      }),
    );
  });
});

describe("the answer", () => {
  /** Twelve events, an hour before the observations of every third day. */
  const everyDays = (first: number, step: number) =>
    Array.from({ length: 12 }, (_, index) => {
      const day = first + step * index;
      return { date: `day ${day}`, at_ms: day * DAY_MS - 3_600_000 };
    });
  const make = (
    values: Readonly<Record<string, readonly number[]>>,
    { detail = "full" as "summary" | "full", events = everyDays(4, 3), now_day = 60 } = {},
  ) =>
    settled<EventPlaybookData>(
      computeEventPlaybook(
        {
          events: [...events, { date: "to come", at_ms: (now_day + 1.5) * DAY_MS }],
          series: Object.entries(values).map(([id, prices]) => ({
            id,
            title: id,
            provider: "p",
            is_proxy: false,
            move: "log",
            last_day: "",
            points: prices.map((value, day): StudyObservation => ({ at_ms: day * DAY_MS, value })),
          })),
          warnings: [],
        },
        { event: "cpi", now_ms: now_day * DAY_MS, detail },
      ),
    );
  const answer = (...given: Parameters<typeof make>) => make(...given).data;
  const flat = (length: number, changes: Readonly<Record<number, number>> = {}): readonly number[] =>
    Array.from({ length }, (_, day) => changes[day] ?? 100);

  test("now is above or below the mean of the last 50 observations; with 49 there is no such mean", () => {
    const { current_conditions } = answer({
      UP: flat(50, { 49: 101 }),
      DOWN: flat(50, { 49: 99 }),
      LEVEL: flat(50),
      SHORT: flat(49, { 48: 101 }),
      // The 50 of 60 days are 10 to 59: (150 + 48 x 100 + 100.5) / 50 is 101.01, above 100.5.
      INSIDE: flat(60, { 10: 150, 59: 100.5 }),
      BEFORE: flat(60, { 58: 150, 59: 100.5 }),
      // Without the 150: (49 x 100 + 100.5) / 50 is 100.01, below 100.5.
      OUTSIDE: flat(60, { 9: 150, 59: 100.5 }),
      // What is observed after now, day 60, is not known yet; that of day 60 is.
      LATER: flat(64, { 60: 101, 61: 1, 62: 1, 63: 1 }),
    });
    expect(current_conditions).toEqual({
      UP: "above_50",
      DOWN: "below_50",
      LEVEL: "below_50",
      INSIDE: "below_50",
      BEFORE: "below_50",
      OUTSIDE: "above_50",
      LATER: "above_50",
    });
  });

  test("the event to come, the events shown and what moved on them", () => {
    // Day 37, the last event: from 100 to 100 e is 100 x ln(e) = 100 percent; a yield's 0 are 0.
    const values = { A: flat(50, { 37: 100 * Math.E }), B: flat(50) };
    const { next_occurrence, n_events, events: shown, assets } = answer(values);
    // There is no observation six before day 4: that window has 11, too few.
    const numbers = assets[0]?.windows.map(({ window, n, hit_rate }) => ({ window, n, hit_rate }));
    // One of twelve rose on its day; two days later all is as before.
    expect(numbers).toEqual([
      { window: "pre1", n: 12, hit_rate: 0 },
      { window: "d0", n: 12, hit_rate: 1 / 12 },
      { window: "d3", n: 12, hit_rate: 0 },
      { window: "d5", n: 12, hit_rate: 0 },
    ]);
    // From day 60 to half past day 61: a day and a half.
    expect(next_occurrence).toEqual({ time_utc: "1970-03-03T12:00:00Z", hours_until: 36, status: "scheduled" });
    expect([n_events, shown.length]).toEqual([12, 12]);
    expect(shown.at(-1)).toEqual({ date: "day 37", moves: { A: expect.closeTo(100, 9), B: 0 } });
    expect(shown.at(-2)).toEqual({ date: "day 34", moves: { A: 0, B: 0 } });
    expect(answer(values, { detail: "summary" }).events.map(({ date }) => date)).toEqual([
      "day 28",
      "day 31",
      "day 34",
      "day 37",
    ]);
  });

  test("it is as old as its newest observation, and names its first and last event", () => {
    const { as_of_ms, data } = make({ A: flat(50), B: flat(48) });
    expect([as_of_ms, data.first, data.last]).toEqual([49 * DAY_MS, "day 4", "day 37"]);
  });

  test("with one instrument there is nothing to sell yet; retry in an hour", async () => {
    const refusal = await refusalOf(async () => make({ A: flat(50) }));
    expect([refusal.code, refusal.options.retry_after_s]).toEqual(["upstream_unavailable", 3_600]);
  });

  test("the state before an event is judged without the event itself", () => {
    // 51 days apart: the 50 up to the day before hold no other event; 49 of them are 100.
    const events = everyDays(60, 51);
    const days = events.map((_, index) => 60 + 51 * index);
    const series = (before: readonly number[], after: readonly number[]) =>
      flat(
        640,
        Object.fromEntries(
          days.flatMap((day, index) => [
            [day - 1, before[index] ?? 0],
            [day, after[index] ?? 0],
          ]),
        ),
      );
    const mixed = (above: number) => days.map((_, index) => (index < above ? 101 : 99));
    const of = (before: readonly number[], after: readonly number[]) =>
      answer({ A: series(before, after), B: flat(640) }, { events, now_day: 640 })
        .conditional?.filter(({ asset }) => asset === "A")
        .map(({ condition, n, mean: of_all, hit_rate }) => [condition, n, of_all, hit_rate]);
    // 101 is above (49 x 100 + 101) / 50; with the 500 after it, it would be below. 100 x ln(500 / 101) is 159.9488.
    const up = [expect.closeTo(159.9488, 4), 1];
    expect(of(mixed(12), Array(12).fill(500))).toEqual([["above_50", 12, ...up]]);
    // 99 is below; with the 20 after it, (49 x 100 + 99 + 20) / 51 is 98.4, it would be above. 100 x ln(20 / 99).
    const down = [expect.closeTo(-159.9388, 4), 0];
    expect(of(mixed(0), Array(12).fill(20))).toEqual([["below_50", 12, ...down]]);
    // Of fewer than 8 nothing is said.
    const said = (above: number) => of(mixed(above), mixed(above))?.map(([condition, n]) => [condition, n]);
    expect([said(8), said(7), said(4)]).toEqual([[["above_50", 8]], [], [["below_50", 8]]]);
  });
});
