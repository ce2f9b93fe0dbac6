import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { isNodeError } from "../core/errors.ts";
import { checkCondition } from "./check-condition.ts";
import { isMomentary, readCondition, renderCondition } from "./condition.ts";
import { judge, type Memory, NO_MEMORY } from "./judge.ts";

const DATA = Type.Object({
  value: Type.Number(),
  change: Type.Union([Type.Number(), Type.Null()]),
  regime: Type.Union([Type.Literal("risk_on"), Type.Literal("risk_off")]),
  note: Type.String(),
  is_open: Type.Boolean(),
  rows: Type.Array(Type.Object({ id: Type.String(), price: Type.Number() })),
  by_coin: Type.Record(Type.String({ pattern: "^[A-Z]+$" }), Type.Object({ price: Type.Number() })),
});

const whyNot = (given: unknown): { readonly param: string | undefined; readonly message: string } | null => {
  try {
    checkCondition(readCondition(given), DATA);
    return null;
  } catch (error) {
    if (!isNodeError(error)) throw error;
    return { param: error.options.param, message: error.message };
  }
};

describe("what may be asked", () => {
  const good: readonly unknown[] = [
    { field: "value", op: "<", value: 25 },
    { field: "change", op: ">=", value: 0.5 },
    { field: "regime", op: "==", value: "risk_off" },
    { field: "is_open", op: "!=", value: true },
    { field: "regime", op: "changed" },
    { field: "value", op: "crossed", value: 50, direction: "up" },
    { field: "rows", op: "new", by: "id" },
    { field: "rows.0.price", op: ">", value: 1 },
    { field: "by_coin.BTC.price", op: ">", value: 1 },
    { all: [{ field: "value", op: "<", value: 25 }, { not: { field: "is_open", op: "==", value: true } }] },
    { any: [{ field: "note", op: "changed" }], for: "1 of 2" },
    { field: "value", op: "<", value: 25, for: "3 of 5" },
  ];
  test.each(good.map((one) => [JSON.stringify(one), one] as const))("%s", (_, one) => {
    expect(whyNot(one)).toBeNull();
    expect(renderCondition(readCondition(renderCondition(readCondition(one))))).toEqual(
      renderCondition(readCondition(one)),
    );
  });
});

describe("what is refused, naming the place", () => {
  const deep = (depth: number): unknown =>
    depth === 0 ? { field: "value", op: "<", value: 1 } : { not: deep(depth - 1) };
  const many = (count: number): unknown => ({
    any: Array.from({ length: count }, () => ({ field: "value", op: "<", value: 1 })),
  });
  const bad: readonly (readonly [unknown, string, string])[] = [
    [null, "condition", "is no condition"],
    [[], "condition", "is no condition"],
    ["value < 25", "condition", "is no condition"],
    [{}, "condition.field", "name of a field"],
    [{ field: "valeu", op: "<", value: 1 }, "condition.field", 'Did you mean "value"?'],
    [{ field: "constructor", op: "==", value: "x" }, "condition.field", "has no"],
    [{ field: "__proto__.x", op: "==", value: "x" }, "condition.field", "has no"],
    [{ field: "rows.x.price", op: "<", value: 1 }, "condition.field", "has no"],
    [{ field: "by_coin.btc.price", op: "<", value: 1 }, "condition.field", "has no"],
    [{ field: "value", op: "=<", value: 1 }, "condition.op", "is one of"],
    [{ field: "value", op: "<", value: "25" }, "condition.value", "never a string"],
    [{ field: "value", op: "<", value: Number.NaN }, "condition.value", "is a number"],
    [{ field: "value", op: "<", value: null }, "condition.value", "is a number"],
    [{ field: "note", op: "<", value: "a" }, "condition.op", "compares numbers"],
    [{ field: "regime", op: "==", value: "risk_of" }, "condition.value", "risk_on, risk_off"],
    [{ field: "rows", op: "==", value: 1 }, "condition.value", "a list"],
    [{ field: "rows", op: "changed" }, "condition.field", "a list"],
    [{ field: "note", op: "crossed", value: 1 }, "condition.field", "no number"],
    [{ field: "value", op: "crossed", value: 1, direction: "left" }, "condition.direction", "up, down, either"],
    [{ field: "value", op: "new", by: "id" }, "condition.field", "no list"],
    [{ field: "rows", op: "new", by: "ix" }, "condition.by", 'Did you mean "id"?'],
    [{ field: "rows", op: "new" }, "condition.by", "name of a field"],
    [{ all: [] }, "condition.all", "list of conditions"],
    [{ all: [{ field: "value", op: "<", value: 1 }], any: [] }, "condition.any", "not known there"],
    [
      {
        all: [
          { field: "value", op: "<", value: 1 },
          { field: "x", op: "changed" },
        ],
      },
      "condition.all[1].field",
      "has no",
    ],
    [{ field: "value", op: "<", value: 1, for: "5 of 3" }, "condition.for", "3 of 5"],
    [{ field: "value", op: "<", value: 1, for: 3 }, "condition.for", "3 of 5"],
    [{ field: "value", op: "<", value: 1, unit: "usd" }, "condition.unit", "not known there"],
    [deep(7), "condition.not.not.not.not.not.not.not", "nest at most"],
    [many(21), "condition.any[20]", "20 fields"],
  ];
  test.each(bad.map(([given, param, why]) => [JSON.stringify(given), given, param, why] as const))(
    "%s",
    (_, given, param, why) => {
      const told = whyNot(given);
      expect(told?.param).toBe(param);
      expect(told?.message).toContain(why);
      expect(told?.message).toContain("Nothing was charged.");
    },
  );
});

/** What comes of a condition over several answers, one after another. */
function judgeAll(given: unknown, answers: readonly unknown[]): readonly boolean[] {
  const condition = readCondition(given);
  let memory: Memory = NO_MEMORY;
  return answers.map((data) => {
    const result = judge(condition, data, memory);
    // As it is kept: through JSON.
    memory = JSON.parse(JSON.stringify(result.memory)) as Memory;
    return result.holds;
  });
}

describe("what holds", () => {
  const values = (...list: readonly (number | null)[]) => list.map((value) => ({ value }));
  test("a comparison, and never with what is not known", () => {
    expect(judgeAll({ field: "value", op: "<", value: 25 }, values(30, 24, null, 25))).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(judgeAll({ field: "value", op: "!=", value: 25 }, [...values(25, 24, null), {}])).toEqual([
      ...[false, true, false, false],
    ]);
  });
  test("a change, over gaps of what is not known", () => {
    expect(judgeAll({ field: "value", op: "changed" }, values(1, 1, null, 1, null, 2))).toEqual([
      ...[false, false, false, false, false, true],
    ]);
  });
  test("a crossing, with its direction", () => {
    const path = values(40, 50, 60, 50, 49, null, 51);
    const of = (direction: string) => judgeAll({ field: "value", op: "crossed", value: 50, direction }, path);
    expect(of("up")).toEqual([false, true, false, false, false, false, true]);
    expect(of("down")).toEqual([false, false, false, true, false, false, false]);
    expect(of("either")).toEqual([false, true, false, true, false, false, true]);
  });
  test("rows that are new, once, and none in the first list", () => {
    const rows = (...ids: readonly string[]) => ({ rows: ids.map((id) => ({ id })) });
    const lists = [rows("a", "b"), rows("b", "c"), rows("a"), { rows: null }, rows("c"), rows("d", "d")];
    expect(judgeAll({ field: "rows", op: "new", by: "id" }, lists)).toEqual([false, true, false, false, false, true]);
    const condition = readCondition({ field: "rows", op: "new", by: "id" });
    const first = judge(condition, rows("a"), NO_MEMORY);
    const [looked] = judge(condition, rows("a", "z"), first.memory).looked;
    expect(looked?.new_keys).toEqual(["z"]);
  });
  test("three of the last five", () => {
    const path = values(1, 9, 1, 9, 1, 9, 9, 9, 1);
    expect(judgeAll({ field: "value", op: "<", value: 5, for: "3 of 5" }, path)).toEqual([
      ...[false, false, false, false, true, false, false, false, false],
    ]);
  });
  test("each part remembers, also where the whole is decided", () => {
    const both = {
      all: [
        { field: "value", op: ">", value: 5 },
        { field: "other", op: "changed" },
      ],
    };
    const answers = [
      { value: 1, other: 1 },
      { value: 1, other: 2 },
      { value: 9, other: 2 },
      { value: 9, other: 3 },
    ];
    expect(judgeAll(both, answers)).toEqual([false, false, false, true]);
  });
  test("says what it looked at, before and now", () => {
    const condition = readCondition({ field: "value", op: "crossed", value: 50 });
    const first = judge(condition, { value: 40 }, NO_MEMORY);
    expect(judge(condition, { value: 55 }, first.memory).looked).toEqual([{ field: "value", before: 40, now: 55 }]);
  });
  test("names that every object has are no fields", () => {
    expect(judgeAll({ field: "constructor.name", op: "==", value: "Object" }, [{}])).toEqual([false]);
  });
});

test("changes are moments, states are not", () => {
  const of = (given: unknown) => isMomentary(readCondition(given));
  expect(of({ field: "value", op: "<", value: 1 })).toBe(false);
  expect(of({ field: "value", op: "changed" })).toBe(true);
  expect(
    of({
      any: [
        { field: "value", op: "<", value: 1 },
        { field: "rows", op: "new", by: "id" },
      ],
    }),
  ).toBe(true);
  expect(of({ field: "value", op: "<", value: 1, for: "3 of 5" })).toBe(false);
});
