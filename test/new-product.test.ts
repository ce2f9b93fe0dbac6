import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXAMPLE_FILE } from "../src/tools/example-files.ts";
import { createProductFolder } from "../src/tools/new-product.ts";
import { HANG_MS } from "./helpers/hang-limit.ts";

const ROOT = join(import.meta.dir, "..");
const NAMES = { domain: "new-domain", name: "new-price" };
const FOLDER = `src/plugins/${NAMES.domain}/${NAMES.name}`;

/** A tree that is this one except for its plugins and its generated files. */
let root = "";
let written: readonly string[] = [];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "new-product-"));
  for (const path of ["src/plugins", "src/sandbox", "src/surfaces", "src/upstream", "docs"])
    mkdirSync(join(root, path), { recursive: true });
  for (const name of readdirSync(join(ROOT, "src"))) {
    if (!existsSync(join(root, "src", name))) symlinkSync(join(ROOT, "src", name), join(root, "src", name));
  }
  // What is generated there must not be written through a link into this tree.
  for (const name of readdirSync(join(ROOT, "src/upstream")).filter((one) => !one.endsWith(".gen.ts"))) {
    symlinkSync(join(ROOT, "src/upstream", name), join(root, "src/upstream", name));
  }
  for (const name of ["node_modules", "test", "bunfig.toml", "package.json", "biome.json", "tsconfig.json"]) {
    if (existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), join(root, name));
  }
  writeFileSync(join(root, "docs/errors.md"), readFileSync(join(ROOT, "docs/errors.md")));
  written = createProductFolder(NAMES.domain, NAMES.name, root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (...command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: root, stdout: "pipe", stderr: "pipe" });
  return { code: exitCode, text: `${stdout}${stderr}`.slice(-3_000) };
};

describe("a scaffolded product", () => {
  test("passes its own tests as it is", () => {
    const { code, text } = run(process.execPath, "test", `./${FOLDER}`, "--dots", `--timeout=${HANG_MS}`);
    expect([code, text]).toEqual([0, text]);
  });

  test("is formatted and linted as the rest is", () => {
    const biome = join(ROOT, "node_modules/.bin/biome");
    for (const name of readdirSync(join(root, FOLDER)).filter((one) => one.endsWith(".ts"))) {
      const text = readFileSync(join(root, FOLDER, name), "utf8");
      const command = [biome, "check", "--write", `--stdin-file-path=${FOLDER}/${name}`];
      const { exitCode, stdout } = Bun.spawnSync(command, { cwd: ROOT, stdin: Buffer.from(text) });
      expect([name, exitCode, stdout.toString()]).toEqual([name, 0, text]);
    }
  });

  test("is in the registry, and its loaded definition is sold at its path", async () => {
    expect(written).toContain("src/plugins/registry.gen.ts");
    const { registry } = await import(join(root, "src/plugins/registry.gen.ts"));
    expect(registry.map(({ id }: { id: string }) => id)).toEqual([NAMES.domain]);
    expect(registry[0].products[0].product.path).toBe(`/${NAMES.name}`);
  });

  test("is what docs/plugin-author.md counts", () => {
    const names = readdirSync(join(root, FOLDER)).filter((name) => name !== EXAMPLE_FILE);
    const files = names.map((name) => readFileSync(join(root, FOLDER, name), "utf8"));
    const lines = files.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
    const docs = readFileSync(join(ROOT, "docs/plugin-author.md"), "utf8");
    expect(docs).toContain(`${files.length} files with ${lines} lines`);
    expect(lines).toBeLessThanOrEqual(150);
  });

  test("is never written over another one, nor under a name that is no path", () => {
    expect(() => createProductFolder(NAMES.domain, NAMES.name, root)).toThrow("is there already");
    expect(() => createProductFolder("other", NAMES.name, root)).toThrow("already sold by");
    for (const name of ["", "Upper", "../x", "a--b", "a_b", "9a", "a".repeat(41)]) {
      expect(() => createProductFolder(NAMES.domain, name, root)).toThrow("lower-case words");
      expect(() => createProductFolder(name, NAMES.name, root)).toThrow("lower-case words");
    }
  });

  test("a second product of a domain leaves the domain's own file alone", () => {
    const own = join(root, "src/plugins", NAMES.domain, "index.ts");
    const before = readFileSync(own, "utf8");
    const more = createProductFolder(NAMES.domain, "second-price", root);
    expect(more.some((path) => path.endsWith("index.ts"))).toBe(false);
    expect(readFileSync(own, "utf8")).toBe(before);
  });
});
