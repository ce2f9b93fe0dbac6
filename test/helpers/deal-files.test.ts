import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ALONE, dealFiles, TOGETHER } from "./deal-files.ts";

const ROOT = join(import.meta.dir, "..", "..");
const deal = (
  quiet_ms: Readonly<Record<string, number>>,
  { alone = [], together = [] }: { alone?: string[]; together?: string[][] } = {},
) =>
  dealFiles(Object.keys(quiet_ms), {
    quietOf: (file) => quiet_ms[file] ?? Number.NaN,
    files_max: 3,
    file_ms_max: 8,
    process_ms_max: 10,
    alone: new Set(alone),
    together,
  });

test("neighbours share a process until it has enough files or enough to do; the slowest lists come first", () => {
  expect(deal({ b: 1, a: 1, d: 1, c: 1 })).toEqual([["a", "b", "c"], ["d"]]);
  expect(deal({ a: 2, b: 8, c: 4, d: 7 })).toEqual([["a", "b"], ["d"], ["c"]]);
});

test("what takes long, or needs it, has a process of its own, and its neighbours share theirs across it", () => {
  expect(deal({ a: 1, b: 9, c: 1, d: 1 }, { alone: ["c"] })).toEqual([["b"], ["a", "d"], ["c"]]);
});

test("files that belong together share a process whatever they take; those that are not asked for are left out", () => {
  expect(deal({ a: 9, b: 1, c: 9, d: 1 }, { together: [["a", "c", "e"], ["f"]] })).toEqual([
    ["a", "c"],
    ["b", "d"],
  ]);
});

test("every file is dealt once", () => {
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, n % 11]));
  expect(
    deal(files, { alone: ["f7", "f50"], together: [["f3", "f9"]] })
      .flat()
      .toSorted(),
  ).toEqual(Object.keys(files).toSorted());
});

test("the files that run alone or together are there", () => {
  expect([...ALONE, ...TOGETHER.flat()].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
