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
const MOMENTS = repeat({ quick: 0, full: 2, long: 145 });
const SALES_MIN = repeat({ quick: 0, full: 250, long: 20_000 });
const PROGRAM = join(import.meta.dir, "..", "..", "src", "node.ts");
const OTHERS = (process.env.OTHER_BUNS ?? "").split(":").filter((path) => path !== "");
/** No two of them run where the sales were made, nor where another one runs. */
const PLACES = [
  { TZ: "Pacific/Auckland", LC_ALL: "pt_BR.UTF-8" },
  { TZ: "Pacific/Honolulu", LC_ALL: "de_DE.UTF-8" },
  { TZ: "Asia/Kathmandu", LC_ALL: "tr_TR.UTF-8" },
];
const BY = [[BINARY], [process.execPath, PROGRAM], ...OTHERS.map((bun) => [bun, PROGRAM])].map((by, index) => ({
  by,
  name: by[0] ?? "",
  place: PLACES[index % PLACES.length] ?? { TZ: "UTC", LC_ALL: "C" },
}));

afterAll(cleanUp);

type Program = (typeof BY)[number];

async function recomputeAll({ by, place }: Program, data: string): Promise<unknown> {
  const args = ["recompute", "--all-since", "2020-01-01", "--data", data, "--json"];
  const env = { ...process.env, ...place, LANG: place.LC_ALL };
  const child = Bun.spawn([...by, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
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
    expect(sold.sales).toBeGreaterThanOrEqual(SALES_MIN);
    // Two calls that get the same bytes are one answer.
    expect(sold.kept).toBeGreaterThan(MOMENTS * PRODUCTS.length);
  });

  test.each(BY)("$name in $place.TZ: every answer of the ledger is the same, byte for byte", async (program) => {
    const { code, said } = (await recomputeAll(program, sold.data)) as { code: number; said: { recomputed: number } };
    process.stderr.write(`${sold.sales} sold, ${sold.kept} kept, ${JSON.stringify(said)} by ${program.name}\n`);
    expect({ code, said }).toMatchObject({ code: 0, said: { differing: 0, unknown: 0 } });
    expect(said.recomputed).toBe(sold.kept);
  });
} else test.skip("every answer that was sold over the counter is made again", () => undefined);
