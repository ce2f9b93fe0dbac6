import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { listLicences } from "./licences.ts";

test("every package that the binary may contain is listed with its licence; test tools are not", () => {
  const listed = listLicences(resolve(import.meta.dir, "../.."));
  const names = listed.map(({ title }) => title.slice(0, title.lastIndexOf(" ", title.indexOf("(") - 2)));
  expect(names).toEqual(expect.arrayContaining(["viem", "elysia", "algosdk", "@solana/kit", "bun"]));
  expect(names.filter((name) => ["knip", "@biomejs/biome", "playwright-core"].includes(name))).toEqual([]);
  expect(listed.filter(({ title }) => title.includes("(see below)")).every(({ texts }) => texts.length > 0)).toBe(true);
  expect(listed.find(({ title }) => title.startsWith("viem "))?.texts.join()).toContain("MIT License");
});
