import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAddress } from "../../../core/eth-address.ts";
import { isSolanaAddress } from "../../../core/solana-address.ts";
import { annualise, compoundRate, YEAR_SECONDS } from "./protocol.ts";
import { YIELD_READERS } from "./readers.ts";

const FOLDER = join(import.meta.dir, "protocols");

test("seventeen protocols, a file of at most 80 lines each with a test beside it, all of them in the table", () => {
  const files = readdirSync(FOLDER);
  const readers = files.filter((file) => !file.endsWith(".test.ts"));
  expect(readers.length).toBe(17);
  for (const file of readers) {
    expect(readFileSync(join(FOLDER, file), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(80);
    expect(files).toContain(file.replace(".ts", ".test.ts"));
  }
  expect(new Set(YIELD_READERS.map(({ project }) => project)).size).toBe(readers.length);
  expect(new Set(YIELD_READERS.map(({ id }) => id)).size).toBe(YIELD_READERS.length);
  for (const { chain, contract } of YIELD_READERS) {
    expect(chain === "solana" ? isSolanaAddress(contract) : isAddress(contract)).toBe(true);
  }
});

test("rates and growth become yields of a year", () => {
  expect(compoundRate(0.05)).toBeCloseTo(((1 + 0.05 / YEAR_SECONDS) ** YEAR_SECONDS - 1) * 100, 5);
  expect(annualise(1.0007, 1, 7)).toBeCloseTo((1.0007 ** (365 / 7) - 1) * 100, 9);
});
