import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { PRODUCTS } from "../helpers/catalog-world.ts";
import { BINARY, cleanUp } from "../helpers/demo-node.ts";
import { EFFORT, repeat } from "../helpers/effort.ts";
import { type SoldLedger, sellAtMoments } from "../helpers/sold-ledger.ts";

/**
 * What a node sold over the counter is made again from its data folder, by the binary that sold it and by every other
 * Bun that OTHER_BUNS names (paths, parted by colons): docs/recompute.md says how to get one, and what came of it.
 */
const MOMENTS = repeat({ quick: 0, full: 2, long: 140 });
const PROGRAM = join(import.meta.dir, "..", "..", "src", "node.ts");
const OTHERS = (process.env.OTHER_BUNS ?? "").split(":").filter((path) => path !== "");
const BY = [[BINARY], [process.execPath, PROGRAM], ...OTHERS.map((bun) => [bun, PROGRAM])];

afterAll(cleanUp);

async function recomputeAll(by: readonly string[], data: string): Promise<unknown> {
  const args = ["recompute", "--all-since", "2020-01-01", "--data", data, "--json"];
  const child = Bun.spawn([...by, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const said: unknown = JSON.parse(await new Response(child.stdout).text());
  return { code: await child.exited, said };
}

// A quick run makes every answer again inside of one process: test/contract/recompute.test.ts.
if (EFFORT !== "quick") {
  let sold: SoldLedger;
  beforeAll(async () => {
    sold = await sellAtMoments(MOMENTS);
  });

  test("every product was sold at every moment", () => {
    expect(sold.refused).toEqual([]);
    expect(sold.sales).toBeGreaterThan(MOMENTS * PRODUCTS.length);
    // Two calls that get the same bytes are one answer.
    expect(sold.kept).toBeGreaterThan(MOMENTS * PRODUCTS.length);
  });

  test.each(BY)("%s: every answer of the ledger is the same, byte for byte", async (...by) => {
    const { code, said } = (await recomputeAll(by, sold.data)) as { code: number; said: { recomputed: number } };
    process.stderr.write(`${sold.sales} sold, ${sold.kept} kept, ${JSON.stringify(said)} by ${by[0]}\n`);
    expect({ code, said }).toMatchObject({ code: 0, said: { differing: 0, unknown: 0 } });
    expect(said.recomputed).toBe(sold.kept);
  });
} else test.skip("every answer that was sold over the counter is made again", () => undefined);
