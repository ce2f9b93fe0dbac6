import { describe, expect, test } from "bun:test";
import { findFigure } from "./data-view.ts";
import { ENGLISH } from "./words.ts";

const figureOf = (data: unknown) => findFigure(data, ENGLISH);

describe("the figure of the first page", () => {
  test("is what sums the answer up, with its unit, wherever in it that stands", () => {
    expect(figureOf({ n: 3, verdict: "CLEAR" })).toMatchObject({ value: "CLEAR", is_bare: false });
    expect(figureOf({ fees: { total_return_pct: -1.5 } })).toMatchObject({ value: "-1.5 %", is_bare: false });
    expect(figureOf({ rows: [] })).toBeNull();
  });

  test("that is a count says of what: a list of that length, the object it stands in, or nothing", () => {
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
