import { describe, expect, test } from "bun:test";
import { UpstreamError } from "../../core/errors.ts";
import { type Bar, DAY_MS, fetchDailyBars, getLastClosedDay, splitWindow } from "./bars.ts";
import { kraken } from "./kraken/provider.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12);
const LAST_MS = Date.UTC(2026, 8, 30);
const context = {
  now_ms: NOW_MS,
  get: () => {
    throw new Error("not called here");
  },
};

const bar = (t_ms: number, change: Partial<Bar> = {}): Bar => ({
  t_ms,
  open: 10,
  high: 12,
  low: 9,
  close: 11,
  volume: 5,
  ...change,
});
const days = (count: number): Bar[] =>
  Array.from({ length: count }, (_, index) => bar(LAST_MS - (count - 1 - index) * DAY_MS));
const read = (bars: readonly Bar[], count = 3) =>
  fetchDailyBars(context, kraken, { count, fetchWindow: async () => bars });
const refusalOf = async (bars: readonly Bar[]) => {
  const error = await read(bars).catch((thrown: unknown) => thrown);
  if (!(error instanceof UpstreamError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
  expect(error.kind).toBe("upstream_bad_response");
  return error.message;
};

describe("daily bars", () => {
  test("the last closed day ends at midnight UTC", () => {
    expect(getLastClosedDay(Date.UTC(2026, 9, 1) - 1)).toBe(Date.UTC(2026, 8, 29));
    expect(getLastClosedDay(Date.UTC(2026, 9, 1))).toBe(LAST_MS);
  });

  test("the open bar, older bars, repeats and disorder do not matter", async () => {
    const [first, second, third] = days(3);
    if (!first || !second || !third) throw new Error("three bars");
    const given = [bar(LAST_MS + DAY_MS), third, second, second, first, bar(first.t_ms - DAY_MS)];
    expect(await read(given)).toEqual([first, second, third]);
  });

  test("a missing bar is refused wherever it is missing", async () => {
    const all = days(3);
    for (const gap of [0, 1, 2]) expect(await refusalOf(all.filter((_, index) => index !== gap))).toContain("2 of 3");
    expect(await refusalOf([])).toContain("0 of 3");
  });

  test("bars that do not start at midnight UTC are refused", async () => {
    const shifted = days(3).map((one, index) => (index === 1 ? bar(one.t_ms - 8 * 3_600_000) : one));
    expect(await refusalOf(shifted)).toContain("not at 00:00 UTC");
  });

  test("a bar that contradicts itself is refused", async () => {
    for (const change of [
      { high: 10.5 },
      { low: 10.5 },
      { low: 0 },
      { open: 0, low: 0 },
      { close: Number.NaN },
      { high: Number.POSITIVE_INFINITY },
      { volume: -1 },
    ]) {
      const [first, , third] = days(3);
      if (!first || !third) throw new Error("three bars");
      expect(await refusalOf([first, bar(LAST_MS - DAY_MS, change), third])).toContain("2026-09-29 contradicts itself");
    }
  });

  test("a window splits into pages without overlap or gap", () => {
    const window = { from_ms: 0, to_ms: 6 * DAY_MS };
    expect(splitWindow(window, 3)).toEqual([
      { from_ms: 0, to_ms: 2 * DAY_MS },
      { from_ms: 3 * DAY_MS, to_ms: 5 * DAY_MS },
      { from_ms: 6 * DAY_MS, to_ms: 6 * DAY_MS },
    ]);
    expect(splitWindow(window, 7)).toEqual([window]);
  });
});
