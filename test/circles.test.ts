import { expect, test } from "bun:test";
import { findImportCircles, toRooms } from "./helpers/import-circles.ts";
import { listProjectFiles, readFiles } from "./helpers/source-files.ts";

test("no two files of src import each other, not even their types", () => {
  const sources = listProjectFiles().filter((path) => path.startsWith("src/") && path.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(100);
  expect(findImportCircles(readFiles(sources))).toEqual([]);
});

test("no two rooms of src reach each other, not even by their types", () => {
  const sources = listProjectFiles().filter((path) => path.startsWith("src/") && path.endsWith(".ts"));
  const rooms = toRooms(readFiles(sources));
  expect(rooms.size).toBeGreaterThan(30);
  expect(findImportCircles(rooms)).toEqual([]);
});

test("a circle of rooms is found where no two files import each other", () => {
  const files = new Map([
    ["src/gate/steps/a.ts", 'import type { Call } from "../../sell/call.ts";'],
    ["src/sell/call.ts", ""],
    ["src/sell/sales.ts", 'import { b } from "../gate/b.ts";'],
    ["src/gate/b.ts", ""],
    ["src/gate/b.test.ts", 'import { x } from "../shop/x.ts";'],
    ["src/shop/x.ts", 'import { b } from "../gate/b.ts";'],
  ]);
  expect(findImportCircles(files)).toEqual([]);
  expect(findImportCircles(toRooms(files))).toEqual([["gate.ts", "sell.ts"]]);
});

test("a circle of types over three files is found, a diamond is allowed, and a file may not import itself", () => {
  const circle = new Map([
    ["src/a.ts", 'import type { B } from "./b.ts";'],
    ["src/b.ts", 'import { c } from "./deep/c.ts";'],
    ["src/deep/c.ts", 'export type { A } from "../a.ts";'],
    ["src/d.ts", 'import { a } from "./a.ts";'],
    ["src/e.ts", 'import { e } from "./e.ts";'],
  ]);
  expect(findImportCircles(circle)).toEqual([["src/a.ts", "src/b.ts", "src/deep/c.ts"], ["src/e.ts"]]);
  const diamond = new Map([
    ["src/a.ts", 'import { b } from "./b.ts"; import { c } from "./c.ts";'],
    ["src/b.ts", 'import { d } from "./d.ts";'],
    ["src/c.ts", 'import { d } from "./d.ts";'],
    ["src/d.ts", ""],
  ]);
  expect(findImportCircles(diamond)).toEqual([]);
});
