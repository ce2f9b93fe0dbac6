import { describe, expect, test } from "bun:test";
import { isNodeError } from "../core/errors.ts";
import { markAfter, nextMark, readCadence } from "./cadence.ts";

const NOW = Date.parse("2026-11-02T10:00:00Z");
const TERMS = { ttl_ms: 60_000, now_ms: NOW };
const at = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function whyNot(given: Parameters<typeof readCadence>[0]): string | null {
  try {
    readCadence(given, TERMS);
    return null;
  } catch (error) {
    if (isNodeError(error)) return error.options.param ?? "";
    throw error;
  }
}

test("a cadence is read, and not faster than an answer is fresh", () => {
  expect(readCadence({ every: "15m" }, TERMS)).toEqual({ every_ms: 900_000 });
  expect(readCadence({ cron: "0 7 * * *" }, TERMS)).toEqual({ cron: "0 7 * * *", time_zone: "UTC" });
  expect(whyNot({ every: "1m" })).toBeNull();
  expect(whyNot({ cron: "* * * * *" })).toBeNull();
});

test.each([
  [{}, "every"],
  [{ every: "15m", cron: "0 7 * * *" }, "every"],
  [{ every: "15m", time_zone: "UTC" }, "time_zone"],
  [{ every: "59s" }, "every"],
  [{ every: "0s" }, "every"],
  [{ every: "400d" }, "every"],
  [{ every: "soon" }, "every"],
  [{ cron: "0 0 7 * * *" }, "cron"],
  [{ cron: "@daily" }, "cron"],
  [{ cron: "61 7 * * *" }, "cron"],
  [{ cron: "0 0 30 2 *" }, "cron"],
  [{ cron: "0 7 * * *", time_zone: "America/Sao_Paolo" }, "cron"],
] as const)("%j is refused by %s", (given, param) => expect(whyNot(given)).toBe(param));

test("a product that is fresh for an hour is not watched by the minute", () => {
  const slow = { ttl_ms: 3_600_000, now_ms: NOW };
  expect(() => readCadence({ cron: "*/30 * * * *" }, slow)).toThrow("3600 s");
  expect(readCadence({ cron: "0 * * * *" }, slow)).toEqual({ cron: "0 * * * *", time_zone: "UTC" });
});

describe("marks", () => {
  test("at seven in Sao Paulo, and through a change of the clocks in New York", () => {
    const sao_paulo = readCadence({ cron: "0 7 * * *", time_zone: "America/Sao_Paulo" }, TERMS);
    expect(at(nextMark(sao_paulo, NOW))).toBe("2026-11-03T10:00:00.000Z");
    const new_york = readCadence({ cron: "30 9 * * *", time_zone: "America/New_York" }, TERMS);
    expect(at(nextMark(new_york, Date.parse("2026-10-30T00:00:00Z")))).toBe("2026-10-30T13:30:00.000Z");
    expect(at(nextMark(new_york, Date.parse("2026-11-02T00:00:00Z")))).toBe("2026-11-02T14:30:00.000Z");
  });
  test("what was slept through is counted, and not made up for", () => {
    const every = { every_ms: 900_000 };
    expect(markAfter(every, { mark_ms: NOW, now_ms: NOW + 100 })).toEqual({ next_ms: NOW + 900_000, missed: 0 });
    expect(markAfter(every, { mark_ms: NOW, now_ms: NOW + 3_000_000 })).toEqual({
      next_ms: NOW + 3_600_000,
      missed: 3,
    });
    const daily = { cron: "0 7 * * *", time_zone: "UTC" };
    const mark_ms = Date.parse("2026-11-02T07:00:00Z");
    const now_ms = Date.parse("2026-11-05T08:00:00Z");
    const { next_ms, missed } = markAfter(daily, { mark_ms, now_ms });
    expect([at(next_ms), missed]).toEqual(["2026-11-06T07:00:00.000Z", 3]);
  });
});
