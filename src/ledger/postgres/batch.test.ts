import { expect, test } from "bun:test";
import { arrangeBatch, type Command, takeBatch } from "./batch.ts";

const run = (name: string, order: string): Command => ({ name, args: `["${order}"]`, order, decided: null });
const decided = (name: string, order: string): Command => ({
  ...run(name, order),
  decided: { want: () => undefined, decide: () => null },
});
const take = (queue: readonly Command[], count_max = 10) => {
  const { taken, left } = takeBatch(queue, count_max);
  return [taken, left].map((commands) => commands.map(({ name }) => name));
};

test("commands are run in the order of what they lock, and each gets its own answer", () => {
  const { render, read } = arrangeBatch([run("b1", "b"), run("a", "a"), run("b2", "b"), run("first", "")]);
  expect(JSON.parse(render())).toEqual([
    ["first", [""]],
    ["a", ["a"]],
    ["b1", ["b"]],
    ["b2", ["b"]],
  ]);
  expect(read(["of first", "of a", "of b1", "of b2"])).toEqual(["of b1", "of a", "of b2", "of first"]);
});

test("a batch has commands that are decided here, or commands that the database runs", () => {
  const queue = [decided("debit", "a"), run("pass", " 7"), decided("hold", "b"), run("pass 2", " 8")];
  expect(take(queue)).toEqual([
    ["debit", "hold"],
    ["pass", "pass 2"],
  ]);
  expect(take(queue.slice(1))).toEqual([["pass", "pass 2"], ["hold"]]);
});

test("commands with one order, or without an order, keep the order of arrival", () => {
  expect(take([decided("1", "a"), run("2", "a"), decided("3", "a"), decided("4", "b")])).toEqual([
    ["1", "4"],
    ["2", "3"],
  ]);
  expect(take([decided("1", ""), run("2", ""), decided("3", "b")])).toEqual([["1"], ["2", "3"]]);
  expect(take([decided("1", "a"), run("2", "a"), decided("3", "")])).toEqual([["1"], ["2", "3"]]);
});

test("a flush goes with whatever is before it, and never ahead of it", () => {
  expect(take([run("books.flush", ""), decided("1", "a"), run("books.flush", "")])).toEqual([
    ["books.flush", "1", "books.flush"],
    [],
  ]);
  expect(take([decided("1", "a"), run("2", "b"), run("books.flush", "")])).toEqual([["1"], ["2", "books.flush"]]);
});

test("a batch never exceeds its maximum length", () => {
  expect(take([decided("1", "a"), decided("2", "b"), decided("3", "c")], 2)).toEqual([["1", "2"], ["3"]]);
});
