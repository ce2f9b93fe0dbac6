import { expect, test } from "bun:test";
import { parseList, quote, renderColumn, renderList } from "./lists.ts";

test("a text is in quotes when the list would mean something else without them", () => {
  expect(
    ["credit:key_1", "fear-greed", "a b", 'a"b', "a\\b", "a,b", "{}", "", "null", "NULL", "nullable"].map(quote),
  ).toEqual([
    ...[
      "credit:key_1",
      "fear-greed",
      '"a b"',
      '"a\\"b"',
      '"a\\\\b"',
      '"a,b"',
      '"{}"',
      '""',
      '"null"',
      '"NULL"',
      "nullable",
    ],
  ]);
});

test("a column that has one value names it once", () => {
  const column = (values: readonly (string | number | bigint)[]) => renderColumn(values, (value) => value);
  expect(column([])).toBe("{}");
  expect(column([7n, 7n, 7n])).toBe("{7}");
  expect(column([7n, 7n, 8n, 7n])).toBe("{7,7,8,7}");
  expect(column(["a b", "a b"])).toBe('{"a b"}');
  expect(column(["a", "b,", "b,"])).toBe('{a,"b,","b,"}');
});

test("a list says what is missing, and is read again", () => {
  expect(renderList([1, null, 3n])).toBe("{1,NULL,3}");
  expect(parseList(renderList([1, 2n]))).toEqual(["1", "2"]);
  expect(parseList("{}")).toEqual([]);
});
