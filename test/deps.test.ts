import { describe, expect, test } from "bun:test";
import manifest from "../package.json" with { type: "json" };
import { findDependencyFaults } from "./helpers/dependencies.ts";
import { readSource } from "./helpers/source-files.ts";

test("every package has an exact version and its line in docs/dependencies.md, and the other way round", () => {
  expect(Object.keys(manifest.dependencies).length).toBeGreaterThan(5);
  expect(findDependencyFaults(manifest, readSource("docs/dependencies.md"))).toEqual([]);
});

test("every dependency is locked at the version package.json names", () => {
  const lock: { packages: Record<string, { version?: string }> } = JSON.parse(readSource("package-lock.json"));
  // An alias names another package and its version: "npm:<package>@<version>".
  const wanted = Object.fromEntries(
    Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).map(([name, version]) => [
      name,
      version.slice(version.lastIndexOf("@") + 1),
    ]),
  );
  const locked = Object.keys(wanted).map((name) => [name, lock.packages[`node_modules/${name}`]?.version]);
  expect(Object.fromEntries(locked)).toEqual(wanted);
});

describe("the checker finds", () => {
  const LINE = "| `a` | what | why | cost |";
  test.each([
    ["a range", { dependencies: { a: "^1.0.0" } }, LINE],
    ["a tag", { devDependencies: { a: "latest" } }, LINE],
    ["an address instead of a version", { dependencies: { a: "https://example.com/a.tgz" } }, LINE],
    ["a range deep in the overrides", { dependencies: { a: "1.0.0" }, overrides: { b: { c: "~1.0.0" } } }, LINE],
    ["a package without a line", { dependencies: { a: "1.0.0", b: "1.0.0" } }, LINE],
    ["a line without a package", { dependencies: {} }, LINE],
    ["two lines of one package", { dependencies: { a: "1.0.0" } }, `${LINE}\n${LINE}`],
    ["a line with empty cells", { dependencies: { a: "1.0.0" } }, "| `a` | what | | |"],
    ["a package listed twice", { dependencies: { a: "1.0.0" }, devDependencies: { a: "1.0.0" } }, LINE],
  ])("%s", (_, broken, document) => {
    expect(findDependencyFaults(broken, document)).toHaveLength(1);
  });

  test("nothing in a good table", () => {
    expect(findDependencyFaults({ dependencies: { a: "1.0.0-rc.1" } }, LINE)).toEqual([]);
  });
});
