import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { readArguments } from "./coerce-arguments.ts";

const SCHEMA = Type.Object({
  symbol: Type.Optional(Type.String()),
  count: Type.Optional(Type.Integer()),
  share: Type.Optional(Type.Number()),
  exact: Type.Optional(Type.Boolean()),
  range: Type.Optional(Type.Union([Type.Literal("1d"), Type.Literal("7d")])),
  ids: Type.Optional(Type.Array(Type.String())),
});
const read = (given: Record<string, unknown>) => readArguments(given, SCHEMA).given;

describe("a scalar is taken as the declared type", () => {
  test.each([
    [{ symbol: 5 }, { symbol: "5" }],
    [{ symbol: true }, { symbol: "true" }],
    [{ count: "12" }, { count: 12 }],
    [{ share: "-0.5" }, { share: -0.5 }],
    [{ exact: "true" }, { exact: true }],
    [{ exact: 0 }, { exact: false }],
    [{ range: "7d" }, { range: "7d" }],
    [{ symbol: null, count: null }, {}],
  ])("%j", (given, wanted) => {
    expect(read(given)).toEqual(wanted);
  });

  test("and stays as it is where it cannot be one, for the product to refuse", () => {
    for (const given of [{ count: "12 apples" }, { count: "0x10" }, { exact: "yes" }, { exact: 2 }, { ids: "a" }]) {
      expect(read(given)).toEqual(given);
    }
  });

  test("unknown names are kept, so that they are refused; none of them can be a prototype", () => {
    const given = JSON.parse('{"__proto__":{"exact":true},"nope":1}');
    expect(Object.keys(read(given))).toEqual(["__proto__", "nope"]);
    expect(read(given).exact).toBeUndefined();
  });
});

describe("preview", () => {
  test("is yes in every form clients send, and is no parameter of the product", () => {
    for (const preview of [true, 1, "1", "true"]) {
      expect(readArguments({ preview, count: 1 }, SCHEMA)).toEqual({ preview: true, given: { count: 1 } });
    }
    for (const preview of [false, 0, "0", "false", "", null, undefined]) {
      expect(readArguments({ preview }, SCHEMA)).toEqual({ preview: false, given: {} });
    }
  });

  test("that is neither is refused: a buyer must not pay because of a misspelt word", () => {
    for (const preview of ["yes", 2, {}, []]) expect(() => readArguments({ preview }, SCHEMA)).toThrow("preview");
  });
});
