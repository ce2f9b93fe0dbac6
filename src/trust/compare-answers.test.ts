import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { compareAnswers } from "./compare-answers.ts";

const Data = Type.Object({
  price: Type.Number({ digits: 5 }),
  share: Type.Union([Type.Number({ decimals: 2 }), Type.Null()]),
  count: Type.Integer(),
  verdict: Type.String(),
  text: Type.String(),
  read_at: Type.String(),
  age_s: Type.Number(),
  rows: Type.Array(Type.Object({ value: Type.Number({ decimals: 1 }) })),
});
const OWN = {
  price: 61_234,
  share: 0.25,
  count: 3,
  verdict: "bull",
  text: "It rose today.",
  age_s: 3,
  read_at: "2026-11-28T00:00:00Z",
  rows: [{ value: 1.1 }, { value: 2 }],
};
const pathsOf = (peer: object): readonly string[] =>
  compareAnswers(Data, OWN, { ...OWN, ...peer }).map(({ path }) => path);

describe("two answers of one product", () => {
  test("are the same within one unit of the last figure a field is rounded to", () => {
    expect(pathsOf({ price: 61_235, share: 0.26, rows: [{ value: 1.2 }, { value: 1.9 }] })).toEqual([]);
  });
  test("differ beyond that, in a count, a word, a missing value and a row", () => {
    expect(pathsOf({ price: 61_236.5 })).toEqual(["/price"]);
    expect(pathsOf({ share: 0.28 })).toEqual(["/share"]);
    expect(pathsOf({ share: null })).toEqual(["/share"]);
    expect(pathsOf({ count: 4 })).toEqual(["/count"]);
    expect(pathsOf({ verdict: "bear" })).toEqual(["/verdict"]);
    expect(pathsOf({ rows: [{ value: 1.1 }, { value: 3 }] })).toEqual(["/rows/1/value"]);
    expect(pathsOf({ rows: [] })).toEqual(["/rows"]);
  });
  test("may be of other moments, and say it in other words", () => {
    expect(pathsOf({ read_at: "2026-11-28T00:00:09Z", age_s: 12, text: "Today it rose." })).toEqual([]);
  });
});
