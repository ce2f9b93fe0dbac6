import { describe, expect, test } from "bun:test";
import { findFigure } from "./data-view.ts";
import { ENGLISH } from "./words.ts";

const figureOf = (data: unknown) => findFigure(data, ENGLISH);

describe("the figure of the first page", () => {
  test("is the figure that sums the answer up, with its unit, anywhere in the answer", () => {
    expect(figureOf({ n: 3, verdict: "CLEAR" })).toMatchObject({ value: "CLEAR", is_bare: false });
    expect(figureOf({ fees: { total_return_pct: -1.5 } })).toMatchObject({ value: "-1.5 %", is_bare: false });
    expect(figureOf({ rows: [] })).toBeNull();
  });

  test("that is a count is named after a list of that length or after its object, or is left out", () => {
    const list = [{ a: "x" }, { a: "y" }];
    expect(figureOf({ count: 2, results: list })).toEqual({ name: "results", value: "2", is_bare: true });
    expect(figureOf({ count: 547, alerts: list })).toEqual({ name: "count", value: "547", is_bare: true });
    expect(figureOf({ holders: { count: 225 }, factors: list })).toEqual({
      name: "holders",
      value: "225",
      is_bare: true,
    });
    expect(figureOf({ factors: list })).toEqual({ name: "factors", value: "2", is_bare: true });
  });
});
