import { expect, test } from "bun:test";
import { getOwn } from "./own.ts";

test("a table has the names it was given, and no name that every object inherits", () => {
  const prices: Readonly<Record<string, number>> = { a: 1 };
  expect(getOwn(prices, "a")).toBe(1);
  for (const name of ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty", "b", ""]) {
    expect(getOwn(prices, name)).toBeUndefined();
  }
});
