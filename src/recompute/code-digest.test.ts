import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf, createCodeDigester } from "./code-digest.ts";

const folder = mkdtempSync(join(tmpdir(), "intel-node-code-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{"dependencies":{"viem":"2.0.0"}}',
  "src/catalog/plugin-api.ts": "export const api = 1;",
  "src/quant/stats.ts": "export const mean = 1;",
  "src/plugins/a/one/product.ts": [
    'import { api } from "intel-node";',
    'import { mean } from "intel-node/quant/stats";',
    'import type { Shape } from "./shape.ts";',
    'import made from "./example.gen.json" with { type: "json" };',
    'import { getAddress } from "viem";',
    "export const product: Shape = { api, mean, made, getAddress };",
  ].join("\n"),
  "src/plugins/a/one/shape.ts": "export type Shape = object;",
  "src/plugins/a/one/example.gen.json": "{}",
  "src/plugins/a/two/product.ts": "export const product = 2;",
};
const PRODUCT = "src/plugins/a/one/product.ts";

function clone(name: string, changes: Readonly<Record<string, string>> = {}): string {
  const root = join(folder, name);
  for (const [file, text] of Object.entries({ ...FILES, ...changes })) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}
const digestIn = (root: string): string => createCodeDigester(root)(join(root, PRODUCT));

describe("the identity of a product's code", () => {
  const own = digestIn(clone("first"));

  test("is the same in every clone, in any folder", () => {
    expect(own).toMatch(/^[0-9a-f]{64}$/);
    cpSync(join(folder, "first"), join(folder, "moved", "elsewhere"), { recursive: true });
    expect(digestIn(join(folder, "moved", "elsewhere"))).toBe(own);
  });

  test.each([
    ["the product itself", { [PRODUCT]: `${FILES[PRODUCT]}\n// changed` }],
    ["what it imports by name", { "src/quant/stats.ts": "export const mean = 2;" }],
    ["the interface", { "src/catalog/plugin-api.ts": "export const api = 2;" }],
    ["a JSON file", { "src/plugins/a/one/example.gen.json": '{"a":1}' }],
    ["the version of a package", { "package.json": '{"dependencies":{"viem":"2.0.1"}}' }],
  ])("changes with %s", (name, changes) => {
    expect(digestIn(clone(name.replaceAll(" ", "-"), changes))).not.toBe(own);
  });

  test.each([
    ["another product", { "src/plugins/a/two/product.ts": "export const product = 3;" }],
    ["what is there for the type checker alone", { "src/plugins/a/one/shape.ts": "export type Shape = unknown;" }],
  ])("does not change with %s", (name, changes) => {
    expect(digestIn(clone(name.replaceAll(" ", "-"), changes))).toBe(own);
  });
});

test("exists for every built-in product, and differs between products", () => {
  const [one, two] = ["fear-greed", "mempool"].map((id) => codeOf(`src/plugins/crypto-market/${id}/product.ts`));
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(one).not.toBe(two ?? "");
  expect(codeOf("src/plugins/nowhere/product.ts")).toBeNull();
});
