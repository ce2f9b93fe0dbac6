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
  const { render, read } = arrangeBatch([joined(1, "b"), joined(2, "a"), joined(3, "b")]);
  expect(JSON.parse(render())).toEqual([["sums", [2, 1, 3]]]);
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
  const { render, read } = arrangeBatch(all);
  expect(JSON.parse(render())).toEqual([
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
  const { render } = arrangeBatch([joined(1, "a"), joined(2, "b"), joined(3, "c"), single("pass", " 7")]);
  expect(namesOf(render())).toEqual(["pass", "sums"]);
});

test("few, and those that do not agree, go one by one, in the order of their balances", () => {
  expect(namesOf(arrangeBatch([joined(1, "b"), joined(2, "a")]).render())).toEqual(["sum", "sum"]);
  const { render, read } = arrangeBatch([joined(1, "c", 5), joined(2, "b", 6), joined(3, "a", 5), joined(4, "b", 5)]);
  expect(JSON.parse(render())).toEqual([
    ["sum", ["a"]],
    ["sum", ["b"]],
    ["sum", ["b"]],
    ["sum", ["c"]],
  ]);
  expect(read(["A", "B1", "B2", "C"])).toEqual(["C", "B1", "A", "B2"]);
});

test("a batch of one joint that has a statement of its own is run by it, however few there are", () => {
  const WHOLE: Joint<number> = { ...SUMS, whole: { sql: "SELECT run_sums($5)", values: (parts) => [parts.join(" ")] } };
  const own = (part: number, order: string): Command => ({
    ...joined(part, order),
    joined: { joint: WHOLE, part, alike: 0 },
  });
  const { render, whole, read } = arrangeBatch([own(1, "b"), own(2, "a")]);
  expect(whole).toEqual({ sql: "SELECT run_sums($5)", values: ["2 1"] });
  expect(JSON.parse(render())).toEqual([["sums", [2, 1]]]);
  expect(read(["x"])).toEqual(["1 of x", "2 of x"]);
  expect(arrangeBatch([own(1, "b"), own(2, "a"), single("pass", " 7")]).whole).toBeNull();
});
