import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { trimExample } from "./trim-example.ts";

describe("a trimmed example", () => {
  test("keeps two members of a list and of an object with free names, at every depth", () => {
    const schema = Type.Object({ rows: Type.Array(Type.Object({ by: Type.Record(Type.String(), Type.Number()) })) });
    const row = { by: { a: 1, b: 2, c: 3 } };
    expect(trimExample(schema, { rows: [row, row, row] })).toEqual({
      rows: [{ by: { a: 1, b: 2 } }, { by: { a: 1, b: 2 } }],
    });
  });

  test("keeps tuples, and as many members as the schema asks for", () => {
    const schema = Type.Object({
      pair: Type.Tuple([Type.Number(), Type.Number(), Type.Number()]),
      three: Type.Array(Type.Number(), { minItems: 3 }),
    });
    const whole = { pair: [1, 2, 3], three: [1, 2, 3, 4] };
    expect(trimExample(schema, whole)).toEqual({ pair: [1, 2, 3], three: [1, 2, 3] });
  });

  test("cuts long texts, unless the cut text would not match its schema", () => {
    const long = "a".repeat(400);
    expect(trimExample(Type.String(), long)).toBe(`${"a".repeat(300)}…`);
    expect(trimExample(Type.String({ pattern: "^a*$" }), long)).toBe(long);
  });

  test("follows the branch of a union that matches the value", () => {
    const schema = Type.Union([Type.Null(), Type.Array(Type.Union([Type.Number(), Type.Null()]))]);
    expect(trimExample(schema, [1, null, 3])).toEqual([1, null]);
  });
});
