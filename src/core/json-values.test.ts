import { describe, expect, test } from "bun:test";
import { listAt, membersAt, parseJSON, textAt, valueAt } from "./json-values.ts";

const VALUE = { a: [{ b: "text" }], c: null, d: 1 };

describe("a value of somebody else's JSON", () => {
  test.each([
    [["a", 0, "b"], "text"],
    [["a", 1, "b"], undefined],
    [["c", "x"], undefined],
    [["d", "x"], undefined],
    [[], VALUE],
  ] as const)("at %j is %j", (keys, found) => {
    expect(valueAt(VALUE, ...keys)).toEqual(found);
  });

  test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])("is never the inherited %s", (name) => {
    expect(valueAt({}, name)).toBeUndefined();
    expect(valueAt([], name)).toBeUndefined();
  });

  test("of another kind is read as empty", () => {
    expect([textAt(VALUE, "d"), listAt(VALUE, "d"), membersAt(VALUE, "a")]).toEqual(["", [], []]);
    expect([textAt(VALUE, "a", 0, "b"), listAt(VALUE, "a").length, membersAt(VALUE, "a", 0)]).toEqual([
      "text",
      1,
      [["b", "text"]],
    ]);
  });
});

test.each(["", "{", "undefined", "[".repeat(200_000)])("a text that is no JSON is undefined", (text) => {
  expect(parseJSON(text)).toBeUndefined();
});
