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
