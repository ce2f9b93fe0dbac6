import { expect, test } from "bun:test";
import fc from "fast-check";
import { jaroWinkler } from "./jaro-winkler.ts";

/**
 * W. E. Winkler, "Overview of Record Linkage and Current Research Directions", U.S. Census Bureau, Research Report
 * Statistics 2006-2, table 6, rounded there to three digits; the first two rows are the ones most textbooks print.
 */
test.each([
  ["MARTHA", "MARHTA", 0.961],
  ["DIXON", "DICKSONX", 0.813],
  ["SHACKLEFORD", "SHACKELFORD", 0.982],
  ["DUNNINGHAM", "CUNNIGHAM", 0.896],
  ["NICHLESON", "NICHULSON", 0.956],
  ["JONES", "JOHNSON", 0.832],
  ["MASSEY", "MASSIE", 0.933],
  ["ABROMS", "ABRAMS", 0.922],
  ["HARDIN", "MARTINEZ", 0.722],
  ["ITMAN", "SMITH", 0.467],
  ["JERALDINE", "GERALDINE", 0.926],
  ["MICHELLE", "MICHAEL", 0.921],
  ["JULIES", "JULIUS", 0.933],
  ["TANYA", "TONYA", 0.88],
  ["DWAYNE", "DUANE", 0.84],
  ["SEAN", "SUSAN", 0.805],
  ["JON", "JOHN", 0.933],
  ["dmitri", "dmitry", 0.933],
])("%s and %s: %p", (a, b, expected) => expect(jaroWinkler(a, b)).toBeCloseTo(expected, 3));

test("words with nothing in common, and none at all", () => {
  expect(jaroWinkler("abc", "xyz")).toBe(0);
  expect(jaroWinkler("", "abc")).toBe(0);
  expect(jaroWinkler("", "")).toBe(1);
  expect(jaroWinkler("a", "b")).toBe(0);
});

test("it is between 0 and 1, and 1 for equal words alone", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 12 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const similarity = jaroWinkler(a, b);
      expect(similarity).toBeGreaterThanOrEqual(0);
      expect(similarity).toBeLessThanOrEqual(1);
      expect(similarity === 1).toBe(a === b);
    }),
  );
});
