import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { listApiNames, renderPluginReference } from "./plugin-reference.ts";

/** The names that a plugin may import. Each is a promise, so each must be used and have a description. */
const ROOT = join(import.meta.dir, "..", "..");
const names = listApiNames(ROOT);
const IMPORT = /(?:import|export)[^;]*? from "intel-node";/g;

/** Every name that a built-in product imports, and every word of the document for plugin authors. */
function listUsed(): ReadonlySet<string> {
  const guide = readFileSync(join(ROOT, "docs/plugin-author.md"), "utf8");
  const imports = [...new Glob("src/plugins/**/*.ts").scanSync(ROOT)].flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(IMPORT)].map(([statement]) => statement),
  );
  return new Set([guide, ...imports].flatMap((text) => text.match(/\w+/g) ?? []));
}

test("a built-in product or the document for plugin authors uses every name", () => {
  const used = listUsed();
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter(({ name }) => !used.has(name)).map(({ name }) => name)).toEqual([]);
});

test("every name has a comment at its declaration", () => {
  expect(names.filter(({ about }) => about === null).map(({ name, file }) => `${name} of ${file}`)).toEqual([]);
});

test("the reference has a row for each, with what it is", () => {
  const page = renderPluginReference(ROOT);
  for (const { name } of names) expect(page).toContain(`| \`${name}\` | `);
  expect(page).toContain("| `addDays` | function | The day so many days later, or earlier where they are negative |");
  expect(page).toContain("| `NodeError` | class | ");
});
