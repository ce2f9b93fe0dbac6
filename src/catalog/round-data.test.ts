import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createRounder } from "./round-data.ts";

const price = Type.Number({ digits: 8 });
const schema = Type.Object({
  change_pct: Type.Number({ decimals: 2 }),
  price,
  whole: Type.Integer(),
  plain: Type.Number(),
  maybe: Type.Union([Type.Number({ decimals: 1 }), Type.Null()]),
  rows: Type.Array(Type.Object({ score: Type.Number({ decimals: 0 }), name: Type.String() })),
  by_name: Type.Record(Type.String(), price),
  either: Type.Union([Type.Object({ a: Type.Number({ decimals: 1 }) }), Type.Array(Type.Number({ decimals: 1 }))]),
});

describe("createRounder", () => {
  test("rounds what the schema says, as deep as it says it, and nothing else", () => {
    const given = {
      change_pct: 1.005_1,
      price: 64_211.123_456_78,
      whole: 3,
      plain: 0.1 + 0.2,
      maybe: 2.25,
      rows: [{ score: 41.5, name: "1.234" }],
      by_name: { BTC: 0.000_012_345_678_9 },
      either: [1.26],
    };
    const kept = structuredClone(given);
    expect(createRounder(schema)?.(given)).toEqual({
      change_pct: 1.01,
      price: 64_211.123,
      whole: 3,
      plain: 0.1 + 0.2,
      maybe: 2.3,
      rows: [{ score: 42, name: "1.234" }],
      by_name: { BTC: 0.000_012_345_679 },
      either: [1.3],
    });
    expect(given).toEqual(kept);
  });

  test("null stays null, a missing member stays missing, and -0 is 0", () => {
    const round = createRounder(schema);
    expect(round?.({ maybe: null, change_pct: -0.001 })).toEqual({ maybe: null, change_pct: 0 });
    expect(JSON.stringify(round?.({ change_pct: -0.001 }))).toBe(`{"change_pct":0}`);
    expect(Object.is(Object.values(round?.({ change_pct: -0.001 }) ?? {})[0], 0)).toBe(true);
  });

  test("a value that is not a number is left for the schema's check to refuse", () => {
    const round = createRounder(schema);
    expect(round?.({ change_pct: Number.NaN, price: "1.5", rows: {} })).toEqual({
      change_pct: Number.NaN,
      price: "1.5",
      rows: {},
    });
    expect(round?.(null)).toBeNull();
  });

  test("a schema without decimals rounds nothing", () => {
    expect(createRounder(Type.Object({ a: Type.Number(), b: Type.Array(Type.String()) }))).toBeNull();
  });

  test.each([
    [{ decimals: -1 }],
    [{ decimals: 1.5 }],
    [{ decimals: 13 }],
    [{ digits: 0 }],
    [{ digits: 18 }],
    [{ decimals: 2, digits: 4 }],
  ])("%j is refused", (options) => {
    expect(() => createRounder(Type.Object({ a: Type.Number(options) }))).toThrow(TypeError);
  });
});
