import { expect, test } from "bun:test";
import { arrangeBatch, type Command, type Joint } from "./batch.ts";

const SUMS: Joint<number> = {
  name: "sums",
  render: (parts) => JSON.stringify(parts),
  read: (result, parts) => parts.map((part) => `${part} of ${result}`),
};
const single = (name: string, order: string): Command => ({ name, args: `["${order}"]`, order });
const joined = (part: number, order: string, alike = 0): Command => ({
  ...single("sum", order),
  joined: { joint: SUMS, part, alike },
});
const namesOf = (text: string) => (JSON.parse(text) as [string, unknown][]).map(([name]) => name);

test("commands that can be joined are one, and each gets its own answer", () => {
  const { text, read } = arrangeBatch([joined(1, "b"), joined(2, "a"), joined(3, "b")]);
  expect(JSON.parse(text)).toEqual([["sums", [2, 1, 3]]]);
  expect(read(["x"])).toEqual(["1 of x", "2 of x", "3 of x"]);
});

test("what happens to one balance keeps its order, so that only the others are joined", () => {
  const all = [
    joined(1, "a"),
    single("hold", "b"),
    joined(2, "b"),
    joined(3, "c"),
    joined(4, "a"),
    single("flush", ""),
  ];
  const { text, read } = arrangeBatch(all);
  expect(JSON.parse(text)).toEqual([
    ["flush", [""]],
    // In one order with all other batches, before the first of them is touched.
    ["balances.lock", ["a", "b", "c"]],
    ["sums", [1, 4, 3]],
    ["hold", ["b"]],
    ["sum", ["b"]],
  ]);
  expect(read(["flushed", null, "x", "held", "alone"])).toEqual([
    ...["1 of x", "held", "alone", "3 of x", "4 of x", "flushed"],
  ]);
});

test("nothing is locked ahead when nothing else needs a balance", () => {
  const { text } = arrangeBatch([joined(1, "a"), joined(2, "b"), joined(3, "c"), single("pass", " 7")]);
  expect(namesOf(text)).toEqual(["pass", "sums"]);
});

test("few, and those that do not agree, go one by one, in the order of their balances", () => {
  expect(namesOf(arrangeBatch([joined(1, "b"), joined(2, "a")]).text)).toEqual(["sum", "sum"]);
  const { text, read } = arrangeBatch([joined(1, "c", 5), joined(2, "b", 6), joined(3, "a", 5), joined(4, "b", 5)]);
  expect(JSON.parse(text)).toEqual([
    ["sum", ["a"]],
    ["sum", ["b"]],
    ["sum", ["b"]],
    ["sum", ["c"]],
  ]);
  expect(read(["A", "B1", "B2", "C"])).toEqual(["C", "B1", "A", "B2"]);
});
