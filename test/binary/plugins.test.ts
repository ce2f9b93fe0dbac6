import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, cleanUp, newFolder, payingFetch, signFor, startDemo } from "../helpers/demo-node.ts";

afterAll(cleanUp);

const EXAMPLES = join(import.meta.dir, "..", "..", "docs", "examples", "plugins");
const pathsOf = async (url: string): Promise<string[]> => {
  const { products } = (await (await fetch(`${url}/get-pricing`)).json()) as {
    products: { path: string; category: string }[];
  };
  // What the node sells by itself is no plugin's.
  const own = ["plans", "trust"];
  return products.filter(({ category }) => !own.includes(category)).map(({ path }) => path);
};

test("the example plugin is sold by the compiled binary on every surface", async () => {
  const node = await startDemo({ args: ["--plugins", EXAMPLES], history: true });
  expect(await pathsOf(node.url)).toContain("/bitcoin-tip");
  const paid = await payingFetch()(`${node.url}/bitcoin-tip`);
  expect(paid.status).toBe(200);
  const envelope = (await paid.json()) as { data: { height: number }; sources: { provider: string }[] };
  expect(envelope.data.height).toBeGreaterThan(840_000);
  expect(envelope.sources.map((source) => source.provider)).toContain("esplora_tip");
  expect((await node.get("/bitcoin-tip?preview=1")).status).toBe(200);
  expect((await node.get(`/receipts/${paid.headers.get("X-Receipt-Id")}`)).status).toBe(200);
});

describe("what docs/plugin-author.md shows", () => {
  const ROOT = join(import.meta.dir, "..", "..");
  const PAGE = readFileSync(join(ROOT, "docs/plugin-author.md"), "utf8");
  const take = (language: string, start: string): string => {
    const [, text = ""] = PAGE.split(`\`\`\`${language}\n${start}`);
    return `${start}${text.slice(0, text.indexOf("```"))}`;
  };

  test("buys from a demo", async () => {
    const node = await startDemo({ args: ["--plugins", EXAMPLES] });
    const folder = newFolder();
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "pay.ts"), take("ts", "// pay.ts"));
    const { stdout } = Bun.spawnSync([process.execPath, "pay.ts", node.url, "/bitcoin-tip"], { cwd: folder });
    expect(stdout.toString()).toMatch(/^200 \S+ \{.*"height":/);
  });

  test("installs packages and runs tests with the binary alone", () => {
    const [folder, bin] = [newFolder(), newFolder()];
    symlinkSync(BINARY, join(bin, "intel-node"));
    mkdirSync(join(folder, "tides"));
    writeFileSync(join(folder, "tides", "package.json"), '{ "name": "tides", "version": "1.0.0" }');
    writeFileSync(join(folder, "tides", "index.js"), "module.exports = 2;");
    writeFileSync(join(folder, "package.json"), '{ "dependencies": { "tides": "file:./tides" } }');
    writeFileSync(
      join(folder, "compute.test.ts"),
      `import { expect, test } from "bun:test"; import type { Chart } from "intel-node"; import tides from "tides";
      test("counts", () => { const charts: Chart[] = []; expect(charts.length + tides).toBe(2); });`,
    );
    const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder };
    const commands = take("sh", "ln -s");
    const { exitCode, stderr } = Bun.spawnSync(["sh", "-ec", commands], { cwd: folder, env });
    expect([exitCode, stderr.toString()]).toEqual([0, expect.stringContaining("1 pass")]);
    expect(existsSync(join(folder, "node_modules", "tides"))).toBe(true);
  });
});

const product = (more: string): string => `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";
const base = {
  path: "/own", title: "Own", description: "Own.", category: "test", tags: [], price_usd: "0.001",
  params: Type.Object({}), data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [], requires: [], ttl: "0s", deadline_ms: 1000, preview: { every: "1h" },
  fetch: async () => 1, compute: () => ({ as_of_ms: 0, data: { n: 1 }, warnings: [] }),
};
const id = "own" + Math.random().toString(36).slice(2).replace(/[^a-z]/g, "");
export default definePlugin({ id, title: "Own", products: [defineProduct({ ...base, ${more} })] });
`;

describe("a faulty plugin is left out, named with its reason, and stops nobody", () => {
  const faulty: Readonly<Record<string, readonly [source: string, reason: RegExp]>> = {
    "syntax.ts": ["export default {{{", /./],
    "throws.ts": ['throw new Error("broken at import");', /broken at import/],
    "empty.ts": ["export const nothing = 1;", /default export/],
    "taken.ts": [product('path: "/fear-greed"'), /already taken/],
    "price.ts": [product('path: "/price", price_usd: "free"'), /price_usd/],
    "zero.ts": [product('path: "/zero", price_usd: "0"'), /above 0/],
    "no-example.ts": [
      product('path: "/no-example", example: { params: {}, as_of: "x", data: {} }'),
      /example\.data is empty/,
    ],
    "wrong-example.ts": [
      product('path: "/wrong-example", example: { params: {}, as_of: "x", data: { n: "one" } }'),
      /does not match the data schema/,
    ],
  };

  test("at start", async () => {
    const folder = newFolder();
    for (const [name, [source]] of Object.entries(faulty)) writeFileSync(join(folder, name), source);
    const node = await startDemo({ args: ["--plugins", folder] });
    const admin = await node.get("/admin/status", { authorization: `Bearer ${node.operator_token}` });
    const { faults } = (await admin.json()) as { faults: { file: string; message: string }[] };
    for (const [name, [, reason]] of Object.entries(faulty)) {
      expect(faults.find((fault) => fault.file.endsWith(name))?.message ?? `nothing about ${name}`).toMatch(reason);
    }
    const plain = await startDemo();
    expect(await pathsOf(node.url)).toEqual(await pathsOf(plain.url));
  });

  test("while it runs: errors, stray promises and NaN are uncharged failures", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "deep"));
    const broken: Readonly<Record<string, string>> = {
      "/throws": "fetch: async () => { throw new TypeError('secret detail'); }",
      "/stray":
        "fetch: async () => { Promise.reject(new Error('stray')); setTimeout(() => { throw new Error('late'); }, 1);" +
        " throw new Error('x'); }",
      "/nan": "compute: () => ({ as_of_ms: 0, data: { n: NaN }, warnings: [] })",
      "/shape": "compute: () => ({ as_of_ms: 0, data: { m: 1 }, warnings: [] })",
      "/infinity": "compute: () => ({ as_of_ms: 0, data: { n: Infinity }, warnings: [] })",
      "/bigint": "compute: () => ({ as_of_ms: 0, data: { n: 1n }, warnings: [] })",
      "/cycle":
        "compute: () => { const data = { n: 1 }; data.self = data; return { as_of_ms: 0, data, warnings: [] }; }",
      "/nothing": "compute: () => undefined",
      "/no-time": "compute: () => ({ as_of_ms: NaN, data: { n: 1 }, warnings: [] })",
      "/future": "compute: () => ({ as_of_ms: 8.64e15 + 1, data: { n: 1 }, warnings: [] })",
      "/throws-null": "fetch: async () => { throw null; }",
      "/getter": "compute: () => ({ as_of_ms: 0, get data() { throw new Error('trap'); }, warnings: [] })",
      "/hangs": "fetch: () => new Promise(() => {})",
    };
    for (const [path, more] of Object.entries(broken)) {
      writeFileSync(join(folder, `${path.slice(1)}.ts`), product(`path: "${path}", ${more}`));
    }
    writeFileSync(join(folder, "deep", "index.js"), product('path: "/good"'));
    const node = await startDemo({ args: ["--plugins", folder] });
    for (const path of Object.keys(broken)) {
      const answer = await node.get(path, { "PAYMENT-SIGNATURE": await signFor(node, path) });
      const text = await answer.text();
      expect({ path, status: answer.status }).toEqual({ path, status: path === "/hangs" ? 504 : 503 });
      expect(JSON.parse(text)).toMatchObject({ charged: false });
      expect(text).not.toContain("secret detail");
    }
    expect((await payingFetch()(`${node.url}/good`)).status).toBe(200);
    expect((await node.control("/facilitator")).settle_calls).toBe(1);
  });
});
