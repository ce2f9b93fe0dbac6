import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBorrowedNames } from "./helpers/own-names.ts";

test("no table of the project is asked for a name that every object has", () => {
  expect(findBorrowedNames()).toEqual([]);
});

test("the checker finds a table asked for any text, and no others", () => {
  const folder = mkdtempSync(join(tmpdir(), "own-names-"));
  try {
    const path = join(folder, "a.ts");
    const lines = [
      "const PRICES: Readonly<Record<string, number>> = { a: 1 };",
      "export const byName = (name: string) => PRICES[name];",
      "export const byPart = (name: string) => PRICES[`x` + name];",
      "export const isKnown = (name: string) => name in PRICES;",
      'export const byList = (name: "a" | "b") => PRICES[name];',
      'export const byHand = () => PRICES["a"];',
      "export const guarded = (name: string) => (Object.hasOwn(PRICES, name) ? PRICES[name] : 0);",
      'export const hasMember = (value: object) => "a" in value;',
    ];
    writeFileSync(path, lines.join("\n"));
    expect(findBorrowedNames([path]).map((one) => one.replace(/^.*:/, ""))).toEqual([
      "2 PRICES[...] where getOwn belongs",
      "3 PRICES[...] where getOwn belongs",
      "4 `in` where Object.hasOwn belongs",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
