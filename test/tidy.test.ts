import { describe, expect, test } from "bun:test";
import { listProjectFiles, readFiles } from "./helpers/source-files.ts";
import {
  checkNames,
  checkSource,
  checkText,
  checkWords,
  findIncompleteFolders,
  findRepeatedTypes,
} from "./helpers/tidy.ts";

const paths = listProjectFiles();
const files = readFiles(paths.filter((path) => /\.(?:ts|md|json|toml|sh|sql|yml|html|css)$|^\.|^LICENSE$/.test(path)));
const sources = new Map([...files].filter(([path]) => path.endsWith(".ts")));

describe("the whole tree", () => {
  test("holds only what it should, by the names agreed on", () => {
    expect(paths).toContain("package.json");
    expect(checkNames(paths)).toEqual([]);
  });

  test("keeps the code rules", () => {
    expect([...sources].flatMap(([path, text]) => checkSource(path, text))).toEqual([]);
  });

  test("has comments in plain English", () => {
    expect([...sources].flatMap(([path, text]) => checkWords(path, text))).toEqual([]);
  });

  test("exports each type name once", () => {
    expect(findRepeatedTypes(sources)).toEqual([]);
  });

  test("holds no open work and no trace of a machine", () => {
    expect([...files].flatMap(([path, text]) => checkText(path, text))).toEqual([]);
  });

  test("has tests and a README for every product, a simulator for every provider", () => {
    expect(findIncompleteFolders(paths)).toEqual([]);
  });
});

test("a type name that two files export is found, and one that is exported on is not", () => {
  const sources = new Map([
    ["src/a.ts", "export interface Part<T> {}\nexport type Only = 1;"],
    ["src/b.ts", 'export type Part = 1;\nexport type { Only } from "./a.ts";'],
    ["src/b.test.ts", "export type Only = 2;"],
  ]);
  expect(findRepeatedTypes(sources)).toEqual(["Part: src/a.ts, src/b.ts"]);
});

describe("the checker finds", () => {
  const many = Array.from({ length: 70 }, (_, index) => `  const a${index} = 1;`).join("\n");
  test.each([
    ["any", "src/core/a.ts", "const a: any = 1;"],
    ["a cast to any", "test/a.test.ts", "const a = b as any;"],
    ["an empty catch", "src/core/a.ts", "try { a(); } catch {\n  // nothing\n}"],
    ["a default export", "src/core/a.ts", "export default 1;"],
    ["a default exported function", "src/core/a.ts", "export default function a() {}"],
    ["members packed into a spread", "test/a.test.ts", "const a = { ...{ b, c }, d };"],
    ["a barrel", "src/core/a.ts", 'export * from "./b.ts";'],
    ["console in production code", "src/http/a.ts", 'console.log("a");'],
    ["a timer of its own", "src/http/a.ts", "setTimeout(a, 1);"],
    ["a pause of its own", "src/payments/a.ts", "await Bun.sleep(1);"],
    ["a failure waited for beside a thread", "src/ledger/a.test.ts", "await expect(a()).rejects.toThrow();"],
    ["a time limit for the tests of a file", "test/http/a.test.ts", "setDefaultTimeout(60_000);"],
    ["a time limit for one test", "src/core/a.test.ts", 'test("a", b, 60_000);'],
    ["a schema compiled at once", "src/http/a.ts", "const a = TypeCompiler.Compile(A);"],
    ["chance in a data path", "src/plugins/fx/a/compute.ts", "const a = Math.random();"],
    ["a clock of its own in a data path", "src/plugins/fx/a/compute.ts", "const a = Date.now();"],
    ["the same by new Date()", "src/ledger/a.ts", "const a = new Date();"],
    ["an order by the locale", "src/plugins/fx/a/compute.ts", "const a = b.localeCompare(c);"],
    ["a number in the locale's own form", "src/quant/a.ts", "const a = b.toLocaleString();"],
    ["an hour of the machine's own zone", "src/plugins/fx/a/compute.ts", "const a = b.getHours();"],
    ["a function of 72 lines", "src/core/a.ts", `function a() {\n${many}\n}`],
    ["four parameters", "src/core/a.ts", "export const a = (b: 1, c: 2, d: 3, e: 4) => 5;"],
    ["a long line", "src/core/a.ts", `// ${"a".repeat(118)}`],
  ])("%s", (_, path, text) => {
    expect(checkSource(path, text)).toHaveLength(1);
  });

  test.each([
    ["open work", `// ${"TO"}DO: later`],
    ["work marked for repair", `// ${"FIX"}ME`],
    ["a path of a machine", `see /${"home"}/somebody/notes`],
    ["a path in quotes", `"/${"root"}/x"`],
    ["a registry", `https://registry.${"npmjs"}.org/x`],
    ["a recorded package address", `"${"resolved"}": "https://example.com/x.tgz"`],
  ])("%s", (_, text) => {
    expect(checkText("docs/a.md", text)).toHaveLength(1);
  });

  test.each([
    "/** Null when there is none. */",
    "// It stands in the header.",
    "  * Whoever asks again hears how that ends.",
    "const a = 1; // what stands for another name",
  ])("contorted English: %s", (line) => {
    expect(checkWords("src/core/a.ts", line)).toHaveLength(1);
  });

  test.each([
    ["a name in camelCase", "src/core/moneyMath.ts"],
    ["a name with an underscore", "docs/how_to.md"],
    ["a folder in PascalCase", "src/Core/money.ts"],
    ["an unknown entry in the root folder", "notes.md"],
  ])("%s", (_, path) => {
    expect(checkNames([path])).toHaveLength(1);
  });

  test("a product without its tests and README, a provider without a simulator", () => {
    expect(findIncompleteFolders(["src/plugins/fx/rate/product.ts"])).toHaveLength(4);
    expect(findIncompleteFolders(["src/upstream/providers/ecb/provider.ts"])).toHaveLength(1);
    expect(findIncompleteFolders(["src/plugins/fx/providers/ecb/provider.ts"])).toHaveLength(1);
  });
});

describe("the checker accepts", () => {
  const one = `const b = () => {\n${"  c();\n".repeat(50)}};`;
  test.each([
    ["console in the command line", "src/commands/a.ts", 'console.log("a");'],
    ["a default export in an example plugin", "docs/examples/plugins/a/index.ts", "export default 1;"],
    ["a date made from a number", "src/ledger/a.ts", "const a = new Date(now_ms);"],
    ["a case named default", "src/core/a.ts", "switch (a) { default: b(); }"],
    ["the word any in prose", "src/core/a.ts", "// any of them\nconst any_of = 1;"],
    ["a factory of short functions", "src/core/a.ts", `function a() {\n${one}\n${one}\n}`],
    ["any with a reason", "src/core/a.ts", "// biome-ignore lint/suspicious/noExplicitAny: variance\nlet a: any;"],
    ["members that may be missing", "src/core/a.ts", "const a = { ...b, ...(c ? { c } : {}) };"],
    ["three parameters", "src/core/a.ts", "export const a = (b: 1, c: 2, d: 3) => 5;"],
  ])("%s", (_, path, text) => {
    expect(checkSource(path, text)).toEqual([]);
  });

  test("open work with an issue id, and addresses that only look like paths", () => {
    expect(checkText("docs/a.md", `${"TO"}DO(#12): later; https://example.com/${"home"}/x; ./${"work"}/x`)).toEqual([]);
  });

  test.each([
    "// Null when there are none left.",
    "/** Nodes that stand in for one another. */",
    'const a = "whoever asks stands in the way";',
  ])("plain English, and texts that are not comments: %s", (line) => {
    expect(checkWords("src/core/a.ts", line)).toEqual([]);
  });

  test("fixed names, dot files and numbered documents", () => {
    expect(checkNames(["README.md", ".gitignore", ".ci/run", "docs/adr/0001-one-ledger.md", "LICENSE"])).toEqual([]);
  });
});
