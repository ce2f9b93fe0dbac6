import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadOperatorPlugins } from "./load-plugins.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** What is said of one plugin file. */
/** Only a file that never ends waits for the limit: the others have time enough on any machine. */
async function load(source: string, { name = "own.ts", limit_ms = 60_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "intel-node-plugins-"));
  folders.push(folder);
  const file = join(folder, name);
  writeFileSync(file, source);
  const { plugins, faults } = await loadOperatorPlugins(folder, limit_ms);
  return { ids: plugins.map(({ id }) => id), faults: faults.map((fault) => ({ ...fault, file: fault.file === file })) };
}

const HEAD = 'import { definePlugin, defineJob, defineProvider } from "intel-node";\n';

describe("a plugin file that is refused says where", () => {
  test("what it throws", async () => {
    const { faults } = await load(`const a = 1;\n\nthrow new Error("broken");\n`);
    expect(faults).toEqual([{ file: true, line: 3, message: "broken" }]);
  });

  test("what cannot be parsed", async () => {
    const { faults } = await load("const a = 1;\nexport default {{{\n");
    expect(faults).toMatchObject([{ file: true, line: 2, message: expect.stringContaining("Expected") }]);
  });

  test("an import that leads nowhere, and the module that was meant", async () => {
    const bars = await load('import { definePlugin } from "intel-node";\nimport { a } from "intel-node/chain";\na();');
    const message = 'the node has no module "intel-node/chain": did you mean "intel-node/chains"?';
    expect(bars.faults).toEqual([{ file: true, line: 2, message }]);
    const own = await load('\nimport { a } from "./none.ts";\na();');
    expect(own.faults).toEqual([{ file: true, line: 2, message: expect.stringContaining("Cannot find module") }]);
  });

  test("an option nobody reads", async () => {
    const plugin = await load(`${HEAD}export default definePlugin({ id: "own", title: "Own", product: [] } as any);`);
    const message = 'option "product" is not known: did you mean "products"?';
    expect(plugin.faults).toEqual([{ file: true, line: 2, message }]);
    const job = await load(
      `${HEAD}const job = defineJob({ id: "j", providers: [], schedules: "* * * * *" } as any);\n\n` +
        'export default definePlugin({ id: "own", title: "Own", jobs: [job] });',
    );
    expect(job.faults).toEqual([
      { file: true, line: 2, message: 'job j: option "schedules" is not known: did you mean "schedule"?' },
    ]);
    const provider = await load(`${HEAD}\n\nexport const p = defineProvider({ id: "own", url: "" } as any);`);
    expect(provider.faults).toMatchObject([{ file: true, line: 4 }]);
  });

  test("a load that never ends, after a while, and the others are there", async () => {
    const { ids, faults } = await load("export const a = 1;\nawait new Promise(() => {});", { limit_ms: 50 });
    expect(ids).toEqual([]);
    expect(faults).toEqual([{ file: true, message: "was not loaded within 50 ms: a top-level await that never ends" }]);
    expect((await load(`${HEAD}export default definePlugin({ id: "own", title: "Own" });`)).ids).toEqual(["own"]);
  });
});

const PROVIDER = `{ id: "tides", title: "Tides", docs_url: "https://tides.example", base_urls: ["https://a.example"],
  terms: { class: "open", note: "n" },
  limits: { rate_per_s: 1, burst: 1, timeout_ms: 1, attempts: 1, body_bytes_max: 1 } }`;
const PRODUCT = `{ path: "/own", title: "Own", description: "Own.", category: "test", tags: [], price_usd: "0.001",
  params: Type.Object({}), data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } }, providers: [], requires: [], ttl: "0s",
  deadline_ms: 1000, preview: { every: "1h" }, fetch: async () => 1,
  compute: () => ({ as_of_ms: 0, data: { n: 1 }, warnings: [] }) }`;

const MISSING = (name: string, what: string) => `option "${name}" is missing: ${what}`;

describe("a definition without what it needs is refused in plain words, with its line", () => {
  test.each([
    ["id: undefined", `a provider: ${MISSING("id", 'a text, such as "tide_watch"')}`],
    ["terms: undefined", `provider "tides": ${MISSING("terms", "an object")}`],
    ["limits: undefined", `provider "tides": ${MISSING("limits", "an object")}`],
    ["limits: { rate_per_s: 1, burst: 1, timeout_ms: 1, attempts: 1 }", MISSING("limits.body_bytes_max", "a number")],
    ["base_urls: undefined", `provider "tides": ${MISSING("base_urls", "a list of addresses, such as")}`],
    [
      'terms: { class: "free", note: "" }',
      'option "terms.class" must be "open", "attribution", "unclear" or "restricted": it is "free"',
    ],
    ['terms: { note: "" }', MISSING("terms.class", '"open", "attribution", "unclear" or "restricted"')],
  ])("a provider: %s", async (change, message) => {
    const source = `${HEAD}\n\nexport const p = defineProvider({ ...${PROVIDER.replaceAll("\n", " ")}, ${change} });`;
    const { ids, faults } = await load(source);
    expect(ids).toEqual([]);
    expect(faults).toEqual([{ file: true, line: 4, message: expect.stringContaining(message) }]);
  });

  test("a provider of plain JavaScript", async () => {
    const provider = `{ ...${PROVIDER}, limits: undefined }`;
    const product = `defineProduct({ ...${PRODUCT}, providers: [${provider}] })`;
    const { ids, faults } = await load(
      `import { Type } from "@sinclair/typebox"; import { definePlugin, defineProduct } from "intel-node";
      export default definePlugin({ id: "own", title: "Own", products: [${product}] });`,
    );
    expect(ids).toEqual([]);
    expect(faults).toMatchObject([{ message: `provider "tides": ${MISSING("limits", "an object")}` }]);
  });

  test.each([
    ["category: undefined", [MISSING("category", 'a text, such as "weather"')]],
    ["params: undefined", [MISSING("params", "a Type.Object({...})")]],
    ["price_usd: 0.002", ['option "price_usd" must be a text, such as "0.002": it is the number 0.002']],
    ["providers: undefined", [MISSING("providers", "a list")]],
    ["requires: [1]", ['option "requires" must be a list of lists, such as [[provider]]: it is a list']],
    ['preview: undefined, prefiew: { every: "1h" }', ['option "prefiew" is not known: did you mean "preview"?']],
    ["preview: {}", [MISSING("preview.every", 'a text, such as "30m"')]],
    ['tiers: { param: "p", prices: { deep: 0.5 } }', ['option "tiers.prices" must be prices by value, each a text']],
    ["title: 1, ttl: 5", ['option "title" must be a text: it is', 'option "ttl" must be a text, such as "15s": it is']],
  ])("a product: %s; the plugin's others are sold", async (change, messages) => {
    const source = `import { Type } from "@sinclair/typebox"; import { definePlugin, defineProduct } from "intel-node";
      const base = ${PRODUCT.replaceAll("\n", " ")};
      const own = defineProduct({ ...base, ${change} } as never);
      export default definePlugin({ id: "own", title: "Own", products: [own, defineProduct(base)] });`;
    const { ids, faults } = await load(source);
    expect(ids).toEqual(["own"]);
    expect(faults).toEqual(
      messages.map((message) => ({ file: true, line: 3, message: expect.stringContaining(`/own: ${message}`) })),
    );
  });

  test("a plugin, a job and a simulator", async () => {
    const { faults } = await load(`${HEAD}export default definePlugin({ title: "Own", products: {} } as never);`);
    const id = MISSING("id", 'a text, such as "tide-height"');
    const message = `${id}; option "products" must be a list: it is an object`;
    expect(faults).toEqual([{ file: true, line: 2, message }]);
    const job = await load(`${HEAD}const job = defineJob({ id: "j", schedule: "* * * * *", providers: [] } as never);

      export default definePlugin({ id: "own", title: "Own", jobs: [job] });`);
    expect(job.faults).toMatchObject([
      { line: 2, message: expect.stringContaining('job j: option "at_start" is miss') },
    ]);
    const simulator = await load(`import { definePlugin, defineSimulator } from "intel-node";
      const own = defineSimulator({ respond: () => ({ json: 1 }) } as never);
      export default definePlugin({ id: "own", title: "Own", simulators: [own] });`);
    expect(simulator.faults).toMatchObject([
      { line: 2, message: expect.stringContaining('option "provider" is missing') },
    ]);
  });
});
