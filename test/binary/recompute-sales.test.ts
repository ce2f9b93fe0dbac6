import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { PRODUCTS } from "../helpers/catalog-world.ts";
import { BINARY, cleanUp } from "../helpers/demo-node.ts";
import { EFFORT, repeat } from "../helpers/effort.ts";
import { STEP_S, sellAtMoments } from "../helpers/sold-ledger.ts";

/**
 * What a node sold over the counter is made again from its data folder, by the binary that sold it and by every other
 * Bun that OTHER_BUNS names (paths, parted by colons): docs/recompute.md says how to get one, and what came of it.
 *
 * It is sold in parts, each by a node and in a ledger of its own. Where SALES_FOLDER names a folder, what came of a
 * part is kept there, and a run that was ended goes on behind it, as long as binary and Buns are the same.
 */
const PARTS = repeat({ quick: 0, full: 1, long: 29 });
const MOMENTS = repeat({ quick: 0, full: 2, long: 5 });
const SALES_MIN = repeat({ quick: 0, full: 250, long: 20_000 });
/** Parts stand at other seconds of the step: none sells the moments of another. */
const PART_OFFSET_S = Math.floor(STEP_S / (PARTS + 1));
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
  name: index === 0 ? "binary" : versionOf(by[0] ?? ""),
  place: PLACES[index % PLACES.length] ?? { TZ: "UTC", LC_ALL: "C" },
}));

function versionOf(bun: string): string {
  return `Bun ${Bun.spawnSync([bun, "--version"], { stdout: "pipe" }).stdout.toString().trim()}`;
}

afterAll(cleanUp);

type Program = (typeof BY)[number];
interface Recomputed {
  readonly recomputed: number;
  readonly differing: number;
  readonly unknown: number;
}
/** What came of a part. */
interface SoldPart {
  /** What sold and recomputed it: another binary's part is none of this run. */
  readonly made_by: string;
  readonly sales: number;
  readonly kept: number;
  readonly refused: readonly string[];
  readonly by: Readonly<Record<string, Recomputed>>;
}

async function recomputeAll({ by, place }: Program, data: string): Promise<Recomputed> {
  const args = ["recompute", "--all-since", "2020-01-01", "--data", data, "--json"];
  const env = { ...process.env, ...place, LANG: place.LC_ALL };
  const child = Bun.spawn([...by, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  return JSON.parse(await new Response(child.stdout).text());
}

const isOfRun = (part: SoldPart | null, made_by: string): part is SoldPart => part?.made_by === made_by;

async function sellPart(part: number, made_by: string): Promise<SoldPart> {
  const { data, ...sold } = await sellAtMoments({ count: MOMENTS, offset_s: part * PART_OFFSET_S });
  const by: Record<string, Recomputed> = {};
  for (const program of BY) by[program.name] = await recomputeAll(program, data);
  rmSync(data, { recursive: true, force: true });
  return { made_by, ...sold, by };
}

/** As it was kept by a run that was ended, or made now. */
async function findPart(part: number, made_by: string): Promise<SoldPart> {
  const folder = process.env.SALES_FOLDER;
  const file = folder === undefined ? null : join(folder, `part-${part}.json`);
  const kept: SoldPart | null = file !== null && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  if (isOfRun(kept, made_by)) return kept;
  const made = await sellPart(part, made_by);
  if (file !== null) writeFileSync(file, JSON.stringify(made));
  return made;
}

// A quick run makes every answer again inside of one process: test/contract/recompute.test.ts.
describe.skipIf(EFFORT === "quick")("what was sold over the counter", () => {
  const parts: SoldPart[] = [];

  test.each(Array.from({ length: PARTS }, (_, part) => part))("is made again byte for byte, part %d", async (part) => {
    const made_by = [sha256Hex(readFileSync(BINARY)), ...BY.map(({ name }) => name)].join(" ");
    const sold = await findPart(part, made_by);
    parts.push(sold);
    expect(sold.refused).toEqual([]);
    expect(sold.sales).toBeGreaterThan(MOMENTS * PRODUCTS.length);
    // Two calls that get the same bytes are one answer.
    expect(sold.kept).toBeGreaterThan(MOMENTS * PRODUCTS.length);
    const same = { recomputed: sold.kept, differing: 0, unknown: 0 };
    expect(sold.by).toMatchObject(Object.fromEntries(BY.map(({ name }) => [name, same])));
    process.stderr.write(`part ${part}: ${sold.sales} sold, ${sold.kept} kept, ${JSON.stringify(sold.by)}\n`);
  });

  test("comes to as many sales as were asked for", () => {
    expect(parts.length).toBe(PARTS);
    expect(parts.reduce((sum, { sales }) => sum + sales, 0)).toBeGreaterThanOrEqual(SALES_MIN);
  });
});
