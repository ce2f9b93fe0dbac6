import { expect, test } from "bun:test";
import { renderCSVRow } from "./csv.ts";

test("numbers stay numbers, words of strangers are never formulas, separators or lines", () => {
  expect(renderCSVRow(["a", 1, -5, "-5.25", null, undefined, true])).toBe("a,1,-5,-5.25,,,true");
  for (const formula of ["=1", "+1-1", "-1+1", "@SUM(A1)", " =1", "|calc", "%x"]) {
    expect(renderCSVRow([formula])).toBe(`'${formula}`);
  }
  expect(renderCSVRow(['=HYPERLINK("a","b")'])).toBe(`"'=HYPERLINK(""a"",""b"")"`);
  expect(renderCSVRow(["a\r\n=1", "\u202eb"])).toBe("a\\u000d\\u000a=1,\\u202eb");
});
