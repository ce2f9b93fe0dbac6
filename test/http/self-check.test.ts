import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "../helpers/hang-limit.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/** A node makes what it sold again by itself each night, and whoever has its data folder may do so at any time. */
const PROGRAM = join(import.meta.dir, "..", "..", "src", "node.ts");
let node: ProductNode;
beforeAll(async () => {
  // The check is at 03:37 UTC.
  const now_ms = Date.parse("2026-11-27T03:30:00Z");
  node = await startProductNode({ seed_history: false, lives_skipped_time: true, now_ms });
});
afterAll(() => node.stop());

const readLive = async () => ((await (await fetch(`${node.url}/live`)).json()) as { recompute: unknown }).recompute;

function recomputeAll(since: string) {
  const args = [PROGRAM, "recompute", "--all-since", since, "--data", node.data_dir];
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...args], { stdout: "pipe", stderr: "pipe" });
  return { code: exitCode, said: `${stdout}${stderr}` };
}

test("what was sold is made again each night and told by /live, and a record that was bent is found", async () => {
  const sold = node.products.filter(({ path }) => ["/mempool", "/fear-greed", "/oracle-consensus"].includes(path));
  for (const product of sold) expect((await node.buy(product)).status).toBe(200);
  const file = join(node.data_dir, "inputs-sandbox.db");
  await until(async () => (await countKept()) === 3, "what was sold to be kept");
  expect(await readLive()).toBeNull();

  expect(recomputeAll("2026-11-27")).toEqual({ code: 0, said: "3 the same, 0 differ, 0 by other code\n" });
  expect(recomputeAll("2026-11-28")).toEqual({ code: 0, said: "0 the same, 0 differ, 0 by other code\n" });

  const bent_sha256 = bendOne(file, "/mempool");
  const bent = recomputeAll("2026-11-27");
  expect([bent.code, bent.said]).toEqual([1, expect.stringContaining("2 the same, 1 differ, 0 by other code")]);
  expect(bent.said).toContain(`${bent_sha256}  generated_at: sold "2026-`);

  await node.control("/clock", { advance_s: 600 });
  expect(await readLive()).toMatchObject({ recomputed: 2, differing: 1, unknown: 0 });
});

async function countKept(): Promise<number> {
  const page = await (
    await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${node.node.operator_token}` } })
  ).text();
  return Number(/^intel_node_inputs_kept_total (\d+)$/m.exec(page)?.[1] ?? 0);
}

/** Moves the moment of one kept answer by a minute. @returns the hash of the answer. */
function bendOne(file: string, path: string): string {
  const db = new Database(file);
  const rows = db.query<{ sha256: string; recipe: Uint8Array }, []>("SELECT sha256, recipe FROM answers").all();
  for (const { sha256, recipe } of rows) {
    const told = JSON.parse(Buffer.from(Bun.zstdDecompressSync(recipe)).toString()) as { path: string; now_ms: number };
    if (told.path !== path) continue;
    const packed = Bun.zstdCompressSync(Buffer.from(JSON.stringify({ ...told, now_ms: told.now_ms + 60_000 })));
    db.run("UPDATE answers SET recipe = ? WHERE sha256 = ?", [packed, sha256]);
    db.close();
    return sha256;
  }
  throw new Error(`no answer of ${path} is kept`);
}
