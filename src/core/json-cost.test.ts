import { expect, test } from "bun:test";
import fc from "fast-check";
import { measureJSON } from "./json-cost.ts";

const measure = (text: string) => measureJSON(new TextEncoder().encode(text));

test.each([
  ["1", 0, 1],
  ["[]", 1, 2],
  ["[[],[]]", 2, 5],
  ['{"a":{"b":[1,2]}}', 3, 5],
  ['"[[[[,,,,"', 0, 1],
  ['["\\"[", "\\\\", "]"]', 1, 4],
  ["]]]][[", 0, 3],
])("%s has %d levels and at most %d values", (text, levels, values) => {
  expect(measure(text)).toEqual({ levels, values });
});

const countValues = (value: unknown): number =>
  typeof value !== "object" || value === null
    ? 1
    : Object.values(value).reduce((sum: number, member) => sum + countValues(member), 1);
const countLevels = (value: unknown): number =>
  typeof value !== "object" || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(countLevels));

test("no JSON value is deeper or larger than was counted", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { levels, values } = measure(JSON.stringify(value));
      expect(levels).toBe(countLevels(JSON.parse(JSON.stringify(value))));
      expect(values).toBeGreaterThanOrEqual(countValues(JSON.parse(JSON.stringify(value))));
    }),
  );
});
