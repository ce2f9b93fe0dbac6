import { describe, expect, test } from "bun:test";
import { instrument } from "../bench/mutate/instrument.ts";
import { listMutants } from "../bench/mutate/mutants.ts";
import { shareInterval } from "../bench/mutate/score.ts";
import { listSQLChanges } from "../bench/mutate/sql-changes.ts";

const changesOf = (text: string, file = "a.ts"): readonly string[] =>
  listMutants(file, text).map(({ change }) => change);

describe("changes of code", () => {
  test("a comparison is moved by one and turned round, a sum becomes a difference, a text stays", () => {
    expect(changesOf("const f = (a: number, b: number) => a < b && a + 1 !== b;")).toEqual([
      "a < b && a + 1 !== b -> ||",
      "a < b -> <=",
      "a < b -> >=",
      "a + 1 !== b -> ===",
      "a + 1 -> -",
    ]);
    expect(changesOf('const f = (a: string) => `x` + a + "y";')).toEqual([]);
  });

  test("calls, throws and early returns are removed, conditions negated; the last return stays", () => {
    const text = "function f(a: boolean) { if (a) return 1; g(); if (!a) { throw h(); } return 2; }";
    expect(changesOf(text)).toEqual([
      "a -> negated",
      "return 1; -> removed",
      "g(); -> removed",
      "!a -> negated",
      "throw h(); -> removed",
    ]);
  });

  test("a decision's result becomes the next one it names", () => {
    const text = 'const decide = (a: boolean) => ({ result: a ? "kept" : "taken" });';
    expect(changesOf(text)).toEqual(['"kept" -> "taken"', '"taken" -> "kept"', "a -> negated"]);
  });

  test("numbers are changed in formulas only, and types nowhere", () => {
    const text = "type A = { on: true; n: 3 }; const f = (x: number) => x * 3;";
    expect(changesOf(text)).toEqual(["x * 3 -> /"]);
    expect(changesOf(text, "src/plugins/a/b/compute.ts")).toEqual(["x * 3 -> /", "3 -> (3 + 1)"]);
  });
});

test("each change is behind its switch, one within another, and without one the code is as it was", () => {
  const text = "const f = (a: number, b: number, c: boolean) => {\n  if (c && a < b) return a - b;\n  return a;\n};\nf";
  const mutants = listMutants("a.ts", text).map((mutant, index) => ({ ...mutant, id: index + 1 }));
  const [, code = ""] = instrument(text, mutants, "/switch.ts").split('from "/switch.ts"; ');
  const script = new Bun.Transpiler({ loader: "ts" }).transformSync(code);
  const run = (on: number, given: readonly unknown[]): unknown =>
    new Function("$mutant", `${script.replace(/;?\s*f;?\s*$/, ";")} return f`)((id: number) => id === on)(...given);
  expect(run(0, [1, 2, true])).toBe(-1);
  const changed = Object.fromEntries(
    mutants.map(({ id, change }) => [change, [run(id, [1, 2, true]), run(id, [2, 2, true])]]),
  );
  expect(changed).toEqual({
    "c && a < b -> negated": [1, 0],
    "c && a < b -> ||": [-1, 0],
    "a < b -> <=": [-1, 0],
    "a < b -> >=": [1, 0],
    "return a - b; -> removed": [1, 2],
    "a - b -> +": [3, 2],
  });
});

test("a condition of a statement is dropped or compared otherwise; a range is one condition", () => {
  const text = '"UPDATE keys SET a = ? WHERE id = ? AND at < $now AND n BETWEEN 1 AND 2 AND gone IS NULL"';
  expect(listSQLChanges(text).map(({ changed }) => changed.slice(29, -1))).toEqual([
    "(id = ? OR TRUE) AND at < $now AND n BETWEEN 1 AND 2 AND gone IS NULL",
    "id <> ? AND at < $now AND n BETWEEN 1 AND 2 AND gone IS NULL",
    "id = ? AND (at < $now OR TRUE) AND n BETWEEN 1 AND 2 AND gone IS NULL",
    "id = ? AND at <= $now AND n BETWEEN 1 AND 2 AND gone IS NULL",
    "id = ? AND at < $now AND (n BETWEEN 1 AND 2 OR TRUE) AND gone IS NULL",
    "id = ? AND at < $now AND n BETWEEN 1 AND 2 AND (gone IS NULL OR TRUE)",
    "id = ? AND at < $now AND n BETWEEN 1 AND 2 AND gone IS NOT NULL",
  ]);
});

test("the interval of a share is Wilson's: 0.8882 to 0.9785 for 95 of 100", () => {
  const { low, high } = shareInterval(95, 100);
  expect([low.toFixed(4), high.toFixed(4)]).toEqual(["0.8882", "0.9785"]);
  expect(shareInterval(0, 0)).toEqual({ low: 0, high: 1 });
});
