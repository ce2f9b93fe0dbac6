import { describe, expect, test } from "bun:test";
import { createWorld } from "../../sandbox/world.ts";
import { getSimulatedBars } from "./simulated-market.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const WINDOW = { symbol: "BTC", step_ms: HOUR_MS, from_ms: 0, to_ms: NOW_MS, bars_max: 60, keep: "newest" } as const;

/** The same market, of which nothing may be kept. */
const unkept = (seed: string, now_ms = NOW_MS) => {
  const { now, noise, price } = createWorld(seed, () => now_ms);
  return { now, noise, price };
};

describe("bars that are kept", () => {
  test.each([undefined, "kraken", "okx"])("are those that would be read again: venue %s", (venue) => {
    const window = { ...WINDOW, ...(venue === undefined ? {} : { venue }) };
    const expected = getSimulatedBars(unkept("kept"), window);
    const world = createWorld("kept", () => NOW_MS);
    expect(getSimulatedBars(world, window)).toEqual(expected);
    expect(getSimulatedBars(world, window)).toEqual(expected);
  });

  test("are of one symbol, one length and one seed each", () => {
    for (const seed of ["one", "two", "one"]) {
      for (const changed of [{}, { symbol: "ETH" }, { step_ms: 4 * HOUR_MS }]) {
        const window = { ...WINDOW, ...changed };
        expect(
          getSimulatedBars(
            createWorld(seed, () => NOW_MS),
            window,
          ),
        ).toEqual(getSimulatedBars(unkept(seed), window));
      }
    }
  });

  test("have closed: one that was open is read anew later, by a clock that went back, too", () => {
    for (const now_ms of [NOW_MS, NOW_MS + HOUR_MS, NOW_MS - HOUR_MS]) {
      const window = { ...WINDOW, to_ms: now_ms };
      const bars = getSimulatedBars(
        createWorld("open", () => now_ms),
        window,
      );
      expect(bars).toEqual(getSimulatedBars(unkept("open", now_ms), window));
    }
  });

  test("are dropped when there are too many, and read again", () => {
    const window = { ...WINDOW, step_ms: 60_000, bars_max: 30_000 };
    const world = createWorld("many", () => NOW_MS);
    const expected = getSimulatedBars(unkept("many"), window);
    expect(getSimulatedBars(world, window)).toEqual(expected);
    expect(getSimulatedBars(world, window)).toEqual(expected);
  });
});
