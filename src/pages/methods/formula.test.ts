import { describe, expect, test } from "bun:test";
import { readForBuyers } from "../../surfaces/for-buyers.ts";
import { workOut } from "./evaluate.ts";
import { parseFormula, replacePaths } from "./formula.ts";
import { readMethod } from "./text.ts";

const DATA = {
  bid: 99.5,
  ask: 100.5,
  spread_bps: 100,
  amount: "2500000",
  side: "short",
  from: "2026-01-01",
  to: "2026-01-11T00:00:00Z",
  rows: [
    { id: "a", weight: 2, value: 10, vote: "bullish" },
    { id: "b/c", weight: 1, value: null, vote: "bearish" },
    { id: "d", weight: 1, value: 4, vote: "neutral" },
  ],
};
const resultOf = (text: string, data: unknown = DATA): number | null =>
  workOut(parseFormula(`"result" = ${text}`), data)?.result ?? null;

describe("a formula", () => {
  test("is computed with the usual precedence of operators", () => {
    expect(resultOf("2 + 3 * 4 - 10 / 5")).toBe(12);
    expect(resultOf("-2 ^ 2 + (1 + 1) ^ 3")).toBe(4);
    expect(resultOf("10 - 4 - 3")).toBe(3);
    expect(resultOf("(ask - bid) / ((ask + bid) / 2) * 10000")).toBeCloseTo(100);
    expect(resultOf("amount / 1000000")).toBe(2.5);
  });

  test("reads rows by index, by a member's value, all of them, or those that have a member", () => {
    expect(resultOf("rows[0].value")).toBe(10);
    expect(resultOf("rows[-1].value")).toBe(4);
    expect(resultOf("rows[id=b/c].weight")).toBe(1);
    expect(resultOf("sum(rows[*].weight)")).toBe(4);
    expect(resultOf("sum(rows[value?].weight * rows[value?].value) / sum(rows[value?].weight)")).toBe(8);
    expect(resultOf("count(rows)")).toBe(3);
    expect(resultOf("sum(rows[*].weight >= 2)")).toBe(1);
    expect(resultOf('sum(rows[*].vote = "bearish")')).toBe(1);
  });

  test("knows sums, means, extremes, roots, signs and days", () => {
    expect(resultOf("median(rows[value?].value)")).toBe(7);
    expect(resultOf("mean(rows[*].weight) * 3")).toBe(4);
    expect(resultOf("max(0, 2 - 5) + min(3, 8)")).toBe(3);
    expect(resultOf("sqrt(9) + abs(-2) + floor(2.9) + ln(exp(1))")).toBeCloseTo(8);
    expect(resultOf("sign(side) + sum(sign(rows[*].vote))")).toBe(-1);
    expect(resultOf("days(from, to) + length(side)")).toBe(15);
  });

  test("has no result if the answer lacks a figure, or the result is not a number", () => {
    for (const text of ["gone + 1", "rows[7].value", "sum(rows[*].value)", "1 / 0", "ln(0)", "side + 1", "from(1)"]) {
      expect([text, resultOf(text)]).toEqual([text, null]);
    }
    expect(resultOf("toString + 1", {})).toBeNull();
  });

  test("agrees with the stated figure within the rounding of its inputs, and no further", () => {
    const judge = (line: string, data: unknown) => workOut(parseFormula(line), data)?.agrees;
    expect(judge("spread_bps = (ask - bid) / ((ask + bid) / 2) * 10000", DATA)).toBe(true);
    expect(judge("spread_bps = (ask - bid) / bid * 10000", { ...DATA, spread_bps: 100.0001 })).toBe(true);
    expect(judge("c = a / b", { a: 1.23, b: 0.41, c: 3.0 })).toBe(true);
    expect(judge("c = a / b", { a: 1.23, b: 0.41, c: 3.2 })).toBe(false);
    expect(judge("total = n * 3", { n: 7, total: 22 })).toBe(false);
    expect(judge("gone = ask - bid", DATA)).toBeUndefined();
  });

  test("that cannot be read is refused", () => {
    for (const line of ["a", "a = ", "a = (b", "a = b c", "a = b +", "a = ; b", "a = f(b,)"]) {
      expect(() => parseFormula(line)).toThrow(TypeError);
    }
  });

  test("shows figures only in place of its paths", () => {
    const text = 'sum(rows[*].vote = "ask") + ask * min(bid, 2)';
    expect(replacePaths(text, (path) => `<${path}>`)).toBe('sum(<rows[*].vote> = "ask") + <ask> * min(<bid>, 2)');
  });
});

test("buyers get a document without the parts for operators", () => {
  const text = "# /x\n\nWhat it is.\n\n## Method\n\nM.\n\n## Worked example\n\n```formula\na = b\nc = d\n```\n\n";
  const whole = `${text}## For operators\n\nSet this.\n\n## Limits\n\nL.\n`;
  expect(readForBuyers(whole)).not.toContain("Set this");
  expect(readMethod(whole)).toEqual({
    lead: "What it is.",
    sections: [
      { heading: "Method", text: "M." },
      { heading: "Limits", text: "L." },
    ],
    formulas: ["a = b", "c = d"],
  });
});
