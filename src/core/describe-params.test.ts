import { describe, expect, test } from "bun:test";
import { describeParams } from "./describe-params.ts";

describe("parameters in one line", () => {
  test("are named with their values, texts as they are", () => {
    expect(describeParams({ pair: "EURUSD", days: 30, deep: true, list: ["a"] })).toBe(
      'pair=EURUSD, days=30, deep=true, list=["a"]',
    );
  });

  test("an empty object is called no parameters", () => {
    expect(describeParams({})).toBe("no parameters");
    expect(describeParams({ wallet: undefined })).toBe("no parameters");
  });

  test("are cut to the length that is wanted, and never amid a character", () => {
    expect(describeParams({ q: "abcdef" }, 8)).toBe("q=abcdef");
    expect(describeParams({ q: "abcdefg" }, 8)).toBe("q=abcde…");
    expect(describeParams({ q: "abcd\u{1f600}f" }, 8).isWellFormed()).toBe(true);
  });
});
