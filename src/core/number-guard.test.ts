import { describe, expect, test } from "bun:test";
import { fc } from "../../test/helpers/properties.ts";
import { findUnfoundedNumbers } from "./number-guard.ts";

const PACK = { btc: 64_012.5, chg: -1.27 };

describe("numbers in prose", () => {
  test("the published pair: rounded figures pass, a wrong one does not", () => {
    expect(findUnfoundedNumbers("BTC trades near 64,012 after losing 1.3 %", PACK)).toEqual([]);
    expect(findUnfoundedNumbers("BTC trades near 64,012 after losing 1.8 %", PACK)).toEqual(["1.8"]);
  });

  test("0.6 of the last shown digit is the limit", () => {
    expect(findUnfoundedNumbers("at 21.6", { x: 21 })).toEqual(["21.6"]);
    expect(findUnfoundedNumbers("at 21.06", { x: 21.054 })).toEqual([]);
    expect(findUnfoundedNumbers("at 21.06", { x: 21.0535 })).toEqual(["21.06"]);
    expect(findUnfoundedNumbers("at 22", { x: 21.4 })).toEqual([]);
    expect(findUnfoundedNumbers("at 22", { x: 21.39 })).toEqual(["22"]);
  });

  test("words of scale count as what they say", () => {
    expect(findUnfoundedNumbers("worth 2.31 trillion", { cap: 2_306_000_000_000 })).toEqual([]);
    expect(findUnfoundedNumbers("worth 2.31 billion", { cap: 2_306_000_000_000 })).toEqual(["2.31"]);
    expect(findUnfoundedNumbers("worth 2.31", { cap: 2_306_000_000_000 })).toEqual(["2.31"]);
    expect(findUnfoundedNumbers("5 trillion", { cap: 1 })).toEqual(["5"]);
  });

  test("whole numbers up to ten are counts, decimals are not", () => {
    expect(findUnfoundedNumbers("3 of 10 coins, 11 more", {})).toEqual(["11"]);
    expect(findUnfoundedNumbers("3.5", {})).toEqual(["3.5"]);
  });

  test("a date passes only when the pack has it", () => {
    const pack = { since: "2026-11-02" };
    expect(findUnfoundedNumbers("bull since 2026-11-02", pack)).toEqual([]);
    expect(findUnfoundedNumbers("bull since 2025-11-02", pack)).toEqual(["2025", "11"]);
  });

  test("numbers are found however deep they stand, and a null or NaN founds nothing", () => {
    expect(findUnfoundedNumbers("at 123.4", { a: [{ b: { c: 123.4 } }] })).toEqual([]);
    expect(findUnfoundedNumbers("at 123.4", { a: null, b: Number.NaN, c: "123.4" })).toEqual(["123.4"]);
  });

  test("any number written with up to six decimals passes, one that is two digits off does not", () => {
    fc.assert(
      fc.property(fc.double({ min: 11, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 6 }), (x, decimals) => {
        const shown = x.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
        const off = (x + 2 * 10 ** -decimals).toFixed(decimals);
        return (
          findUnfoundedNumbers(`about ${shown} now`, { x }).length === 0 &&
          findUnfoundedNumbers(`about ${off} now`, { x }).length === 1
        );
      }),
    );
  });

  test("a text without end is refused", () => {
    expect(() => findUnfoundedNumbers("1 ".repeat(20_000), {})).toThrow(RangeError);
  });
});
