import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import type { ParsedParams } from "../../src/catalog/params.ts";
import { systemTimers } from "../../src/core/clock.ts";
import { decodeInputs, encodeInputs } from "../../src/recompute/inputs-text.ts";
import { makeAgain } from "../../src/recompute/recipe.ts";
import { createComputePool } from "../../src/threads/compute-pool.ts";
import { createWholeNode, PRODUCTS, produce } from "../helpers/catalog-world.ts";
import { EFFORT, repeat } from "../helpers/effort.ts";
import { type FaultJudge, shareFaultJudge } from "../helpers/fault-judge.ts";
import { listHeaviest } from "../helpers/heaviest.ts";
import { createKeptOrigins, type KeptOrigin } from "../helpers/kept-origins.ts";
import type { SoldAnswer } from "../helpers/recompute-process.ts";

/**
 * Every answer follows from what is kept of it: its inputs as text, its parameters, its sources and its time. What
 * cannot be written down cannot be recomputed, and there is no such product.
 */
let world: FaultJudge;
beforeAll(async () => {
  world = await shareFaultJudge();
});

/** Every answer that was made again here, for another process. */
const sold: SoldAnswer[] = [];
/** Moments at which each product is asked, 13 s apart: kept answers, closes of candles and ages differ. */
const MOMENTS = repeat({ quick: 1, full: 1, long: 200 });

const NAMED = PRODUCTS.map((product) => [product.path, product] as const);

async function sell(product: CatalogProduct, request: ParsedParams | undefined, later_ms = 0) {
  const origins = createKeptOrigins();
  const node = createWholeNode({ now_ms: world.now_ms + later_ms, stores: world.whole });
  const outcome = await produce(node, product, request, undefined, origins);
  // A product that asks others made their answers, too; its own comes last.
  if (outcome.ok) expect(origins.kept.at(-1)?.made.product.path).toBe(product.path);
  return origins.kept;
}

describe("an answer made again from its kept inputs is the same, byte for byte", () => {
  test.each(NAMED)("%s", async (_, product) => {
    const requests = listHeaviest(product).slice(0, EFFORT === "long" ? 100 : 1);
    const kept: KeptOrigin[] = [];
    for (const request of requests) kept.push(...(await sell(product, request)));
    for (let moment = 1; moment < MOMENTS; moment += 1) {
      kept.push(...(await sell(product, undefined, moment * 13_000)));
    }
    expect(kept.length).toBeGreaterThan(0);
    for (const { made, recipe, inputs } of kept) {
      expect(encodeInputs(decodeInputs(inputs))).toBe(inputs);
      expect(makeAgain(made.product, JSON.parse(JSON.stringify(recipe)), inputs)).toBe(made.body);
      sold.push({ path: made.product.path, recipe, inputs, body: made.body });
    }
  });
});

/** One core, where the system can say so. */
const ONE_CORE = Bun.which("taskset") === null ? [] : ["taskset", "-c", "0"];
const PLACES = [
  { name: "far east, in Portuguese", TZ: "Pacific/Auckland", locale: "pt_BR.UTF-8", zone: -780, by: [] },
  { name: "far west, in German, on one core", TZ: "Pacific/Honolulu", locale: "de_DE.UTF-8", zone: 600, by: ONE_CORE },
] as const;

describe("made again in another process, every answer is the same", () => {
  const folder = mkdtempSync(join(tmpdir(), "recompute-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(PLACES)("$name", ({ TZ, locale, zone, by }) => {
    expect(new Set(sold.map(({ path }) => path)).size).toBe(PRODUCTS.length);
    const file = join(folder, "sold.json");
    writeFileSync(file, JSON.stringify(sold));
    const program = join(import.meta.dir, "..", "helpers", "recompute-process.ts");
    const run = Bun.spawnSync([...by, process.execPath, program, file], {
      env: { ...process.env, TZ, LANG: locale, LC_ALL: locale },
      stderr: "inherit",
    });
    const said = JSON.parse(run.stdout.toString()) as { readonly zone: number; readonly differing: string[] };
    expect(said).toMatchObject({ zone, differing: [] });
  });
});

describe("made by a thread of the pool, every answer is the same", () => {
  const pool = createComputePool({ threads: 1, timers: systemTimers });
  afterAll(() => pool.close());

  test.each(NAMED)("%s", async (path, { file, default_path }) => {
    const of_product = sold.filter((one) => one.path === path);
    expect(of_product.length).toBeGreaterThan(0);
    for (const { recipe, inputs, body } of of_product) {
      const { signal } = new AbortController();
      const order = { ...recipe, wanted: "answer" as const, file, default_path, inputs };
      const computed = await pool.compute({ order, signal, is_patient: false, is_harmless: false });
      expect(computed?.made).toMatchObject({ body });
    }
  });
});

describe("with a provider that fails", () => {
  test.each(NAMED)("%s: what is said of what is missing is recomputed, too", async (_, product) => {
    for (const { id } of product.providers.slice(0, repeat({ quick: 1, full: 1, long: 10 }))) {
      const origins = createKeptOrigins();
      const node = createWholeNode({ now_ms: world.now_ms, stores: world.whole });
      node.upstreams.setFault(id, "http500");
      await produce(node, product, undefined, undefined, origins);
      for (const { made, recipe, inputs } of origins.kept) {
        expect(makeAgain(made.product, recipe, inputs)).toBe(made.body);
      }
    }
  });
});

test("another input is another answer: nothing of it is remembered", async () => {
  const product = PRODUCTS.find(({ path }) => path === "/oracle-consensus");
  if (!product) throw new Error("no product");
  const origins = createKeptOrigins();
  await produce(createWholeNode({ now_ms: world.now_ms, stores: world.whole }), product, undefined, undefined, origins);
  const [origin] = origins.kept;
  if (!origin) throw new Error("nothing was kept");
  const later = { ...origin.recipe, now_ms: origin.recipe.now_ms + 1_000 };
  expect(makeAgain(product, later, origin.inputs)).not.toBe(origin.made.body);
});
