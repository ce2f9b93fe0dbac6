import { describe, expect, test } from "bun:test";
import { UpstreamError } from "../../core/errors.ts";
import { type Bar, DAY_MS, fetchClosedBars, getLastClosedBar, HOUR_MS, splitWindow } from "./bars.ts";
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
  fetchClosedBars(context, kraken, { interval: "1d", count, fetchWindow: async () => bars });
const refusalOf = async (bars: readonly Bar[]) => {
  const error = await read(bars).catch((thrown: unknown) => thrown);
  if (!(error instanceof UpstreamError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
  expect(error.kind).toBe("upstream_bad_response");
  return error.message;
};

describe("daily bars", () => {
  test("the last closed day ends at midnight UTC", () => {
    expect(getLastClosedBar(Date.UTC(2026, 9, 1) - 1, "1d")).toBe(Date.UTC(2026, 8, 29));
    expect(getLastClosedBar(Date.UTC(2026, 9, 1), "1d")).toBe(LAST_MS);
  });

  test("bars of hours start at whole hours, those of four hours at 00, 04, 08 ... UTC", () => {
    expect(getLastClosedBar(Date.UTC(2026, 9, 1, 12, 59), "1h")).toBe(Date.UTC(2026, 9, 1, 11));
    expect(getLastClosedBar(Date.UTC(2026, 9, 1, 12, 59), "4h")).toBe(Date.UTC(2026, 9, 1, 8));
    expect(getLastClosedBar(Date.UTC(2026, 9, 1, 11, 59), "4h")).toBe(Date.UTC(2026, 9, 1, 4));
  });

  test("a missing hour is refused like a missing day", async () => {
    const last_ms = getLastClosedBar(NOW_MS, "1h");
    const hours = [last_ms - 2 * HOUR_MS, last_ms - HOUR_MS, last_ms].map((t_ms) => bar(t_ms));
    const ask = (bars: readonly Bar[]) =>
      fetchClosedBars(context, kraken, { interval: "1h", count: 3, fetchWindow: async () => bars });
    expect(await ask(hours)).toEqual(hours);
    const error = await ask(hours.filter((_, index) => index !== 1)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UpstreamError);
  });

  test("the open bar, older bars, repeats and disorder do not matter", async () => {
    const [first, second, third] = days(3);
    if (!first || !second || !third) throw new Error("three bars");
    const given = [bar(LAST_MS + DAY_MS), third, second, second, first, bar(first.t_ms - DAY_MS)];
    expect(await read(given)).toEqual([first, second, third]);
  });

  test("a missing bar is refused wherever it is missing", async () => {
    const all = days(3);
    for (const gap of [1, 2]) expect(await refusalOf(all.filter((_, index) => index !== gap))).toContain("2 of 3");
    expect(await refusalOf([])).toContain("0 of 3");
  });

  test("bars that do not start at midnight UTC are refused", async () => {
    const shifted = days(3).map((one, index) => (index === 1 ? bar(one.t_ms - 8 * 3_600_000) : one));
    expect(await refusalOf(shifted)).toContain("does not start when it should");
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
      expect(await refusalOf([first, bar(LAST_MS - DAY_MS, change), third])).toContain(
        "2026-09-29T00:00 contradicts itself",
      );
    }
  });

  test("a window splits into pages without overlap or gap", () => {
    const window = { from_ms: 0, to_ms: 6 * DAY_MS, step_ms: DAY_MS };
    expect(splitWindow(window, 3)).toEqual([
      { from_ms: 0, to_ms: 2 * DAY_MS, step_ms: DAY_MS },
      { from_ms: 3 * DAY_MS, to_ms: 5 * DAY_MS, step_ms: DAY_MS },
      { from_ms: 6 * DAY_MS, to_ms: 6 * DAY_MS, step_ms: DAY_MS },
    ]);
    expect(splitWindow(window, 7)).toEqual([window]);
  });
});
