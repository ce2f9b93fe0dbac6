import { loadavg } from "node:os";
import { join } from "node:path";
import { renderFromInputs } from "../src/catalog/rendered-answer.ts";
import { HEAVY_MS } from "../src/catalog/work-costs.ts";
import { systemTimers } from "../src/core/clock.ts";
import { readThreadMs } from "../src/core/thread-cost.ts";
import { decodeInputs } from "../src/recompute/inputs-text.ts";
import { createComputePool } from "../src/threads/compute-pool.ts";
import { createNodeWithPast, createWholeNode, PRODUCTS, produce } from "../test/helpers/catalog-world.ts";
import { listHeaviest } from "../test/helpers/heaviest.ts";
import { createKeptOrigins } from "../test/helpers/kept-origins.ts";
import { writeSection } from "./report.ts";

/**
 * `bun bench/compute-pool.ts`: what making an answer costs the serving thread where it is made there, and where a
 * thread of the pool makes it: handing it the inputs' text and hearing the answer. Processor time, one after the other.
 */
const START_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const TRIES = Number(process.env.BENCH_ROUNDS ?? 40);
const WARM_UP = 5;
const ROWS = 12;

const stores = await createNodeWithPast(START_MS);
// Jobs take time: what they stored is of just before now.
const now_ms = stores.clock.now();
const pool = createComputePool({ threads: 1, timers: systemTimers });
const { signal } = new AbortController();

/** The work of this thread while something is made, ms: the mean, as systems count it in steps of some milliseconds. */
async function measure(make: () => unknown): Promise<number> {
  for (let n = 0; n < WARM_UP; n += 1) await make();
  const before_ms = readThreadMs();
  for (let n = 0; n < TRIES; n += 1) await make();
  return (readThreadMs() - before_ms) / TRIES;
}

const rows = [];
for (const product of PRODUCTS) {
  const origins = createKeptOrigins();
  const [request] = listHeaviest(product).toReversed();
  await produce(createWholeNode({ now_ms, stores }), product, request, undefined, origins);
  const kept = origins.kept.at(-1);
  if (kept?.made.product.path !== product.path) throw new Error(`${product.path} is not sold`);
  const { recipe, inputs } = kept;
  const { sources, row_warnings, params } = recipe;
  const said = { now_ms: recipe.now_ms, sources, row_warnings };
  const values = { params: decodeInputs(params), inputs: decodeInputs(inputs) };
  const here_ms = await measure(() => renderFromInputs({ product, ...values, ...said }, recipe));
  const { file, default_path, id } = product;
  const named = { wanted: "answer" as const, file, default_path, product: id, node_id: "test", sandbox: true };
  let there_ms = 0;
  let times = 0;
  const beside_ms = await measure(async () => {
    const order = { ...named, params, inputs, ...said };
    const computed = await pool.compute({ order, signal, is_patient: false, is_harmless: false });
    there_ms += computed?.cpu_ms ?? Number.NaN;
    times += 1;
  });
  rows.push({ path: product.path, kB: inputs.length / 1_000, here_ms, beside_ms, there_ms: there_ms / times });
}
pool.close();
const text = [
  "Written by `bun bench/compute-pool.ts`: processor time of the serving thread for one answer of its most expensive",
  "legal inputs, compiled by earlier ones, where it is made there and where a thread of the pool makes it, which is",
  `given the inputs' text (it is written down in either case); means of ${TRIES}, the ${ROWS} dearest.`,
  `Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}. From ${HEAVY_MS} ms on a product goes to the pool.`,
  "",
  "| product | inputs, kB | made here, ms | handed over, ms | of the pool's thread, ms |",
  "| --- | --- | --- | --- | --- |",
  ...rows
    .toSorted((a, b) => b.here_ms - a.here_ms)
    .slice(0, ROWS)
    .map(
      ({ path, kB, here_ms, beside_ms, there_ms }) =>
        `| \`${path}\` | ${kB.toFixed(0)} | ${here_ms.toFixed(1)} | ${beside_ms.toFixed(1)} | ${there_ms.toFixed(1)} |`,
    ),
].join("\n");
if (process.env.BENCH_WRITE !== "0") {
  const file = join(import.meta.dir, "..", "docs", "performance", "thread.md");
  writeSection(file, "## Heavy answers beside the serving thread", text);
}
console.log(text);
process.exit(0);
