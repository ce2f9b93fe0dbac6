import { describe, expect, test } from "bun:test";
import type { History } from "../../../catalog/context.ts";
import type { Bar } from "../../../upstream/providers/bars.ts";
import { findCellFaults, readCellFaults } from "./cell-check.ts";

const bar = (day: string, close: number): Bar => ({
  t_ms: Date.parse(day),
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
});

/** The closes behind the table's figures of Bitcoin. */
const CLOSES: readonly Bar[] = [
  bar("2020-03-11", 7_934.52),
  bar("2020-03-12", 4_800),
  bar("2022-05-04", 39_690),
  bar("2022-05-12", 29_029.75),
  bar("2025-10-09", 121_662.4),
  bar("2025-10-10", 112_774.5),
];

describe("the table against the node's own closes", () => {
  test("agrees within a venue's difference", () => {
    expect(findCellFaults({ symbol: "BTC", provider: "bitstamp", bars: CLOSES })).toEqual([]);
    const near = CLOSES.map((one) => (one.close === 4_800 ? { ...one, close: 4_800 * 1.02 } : one));
    expect(findCellFaults({ symbol: "BTC", provider: "bitstamp", bars: near })).toEqual([]);
  });

  test("is named where it is more than 1.5 points off", () => {
    const off = CLOSES.map((one) => (one.close === 4_800 ? { ...one, close: 5_000 } : one));
    expect(findCellFaults({ symbol: "BTC", provider: "bitstamp", bars: off })).toEqual([
      "scenarios.covid_2020_03_12: BTC -39.5 % in the table, -37.0 % by the closes of bitstamp",
    ]);
  });

  test("days without a close, and coins without figures, say nothing", () => {
    expect(findCellFaults({ symbol: "BTC", provider: "bitstamp", bars: CLOSES.slice(1, 3) })).toEqual([]);
    expect(findCellFaults({ symbol: "NEAR", provider: "bitstamp", bars: CLOSES })).toEqual([]);
  });
});

describe("read from the store", () => {
  const off = CLOSES.map(({ t_ms, close }) => [t_ms, close, close, close, close === 4_800 ? 4_800 : close, 1]);
  let reads = 0;
  const createHistory = (close: number): History => ({
    read: async (series) => {
      reads += 1;
      if (!series.includes("-long/")) return [];
      const bars = off.map((row) =>
        row.map((value, index) => (index > 0 && index < 5 && value === 4_800 ? close : value)),
      );
      return [{ at_ms: 1, value: { provider: "bitstamp", fetched_at_ms: 1, complete_at_ms: 1, bars } }];
    },
  });
  const now_ms = Date.UTC(2026, 9, 1, 12);
  const usable = () => true;

  test("once a day", async () => {
    const history = createHistory(5_000);
    const first = await readCellFaults({ history, now_ms, usable });
    expect(first.some((text) => text.startsWith("scenarios.covid_2020_03_12: BTC"))).toBe(true);
    const before = reads;
    expect(await readCellFaults({ history, now_ms: now_ms + 3_600_000, usable })).toEqual(first);
    expect(reads).toBe(before);
    await readCellFaults({ history, now_ms: now_ms + 86_400_000, usable });
    expect(reads).toBeGreaterThan(before);
  });

  test("the sandbox's invented past is not compared, nor a provider that was switched off", async () => {
    expect(await readCellFaults({ history: createHistory(5_000), now_ms, usable, simulated: true })).toEqual([]);
    expect(await readCellFaults({ history: createHistory(5_000), now_ms, usable: () => false })).toEqual([]);
    expect(await readCellFaults({ history: { read: async () => [] }, now_ms, usable })).toEqual([]);
  });
});
