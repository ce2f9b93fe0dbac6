import { expect, test } from "bun:test";
import { EXIT } from "../src/cli/exit-codes.ts";
import { staleFiles } from "../src/cli/gen.ts";
import { ERRORS } from "../src/core/errors.ts";
import { readSource } from "./helpers/sources.ts";

test("generated files are what the sources say", () => {
  expect(staleFiles()).toEqual([]);
});

test("every error code is documented with an anchor", () => {
  const text = readSource("docs/errors.md");
  expect(Object.keys(ERRORS).filter((code) => !text.includes(`<a id="${code}"></a>`))).toEqual([]);
});

test("every exit code is in the operator's table", () => {
  const text = readSource("docs/operator.md");
  expect(Object.values(EXIT).filter((code) => !text.includes(`| ${code} |`))).toEqual([]);
});

test("every dependency is exact and has its line in docs/dependencies.md, and the other way round", () => {
  const manifest: unknown = JSON.parse(readSource("package.json"));
  const { dependencies, devDependencies } = manifest as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  const all = { ...dependencies, ...devDependencies };
  expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  const listed = [...readSource("docs/dependencies.md").matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]);
  expect(listed.sort()).toEqual(Object.keys(all).sort());
});
