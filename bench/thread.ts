import { loadavg } from "node:os";
import { join } from "node:path";
import { createNodeWithPast, createWholeNode, PRODUCTS, produce } from "../test/helpers/catalog-world.ts";
import { listFreeCalls, measureFreeCall } from "../test/helpers/free-doors.ts";
import { listHeaviest } from "../test/helpers/heaviest.ts";
import { createCountedTurns } from "../test/helpers/held-thread.ts";
import { startProductNode } from "../test/helpers/product-node.ts";
import { writeSection } from "./report.ts";

/**
 * `bun bench/thread.ts`: for how long each product and each free door holds the serving thread with its most expensive
 * legal input, and what that is per price. Nothing here is a test; test/contract/faults.test.ts and
 * test/http/free-doors.test.ts are.
 */
const START_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const TRIES = Number(process.env.BENCH_ROUNDS ?? 5);
const LISTED_MS = 0.1;

async function measureProducts() {
  const stores = await createNodeWithPast(START_MS);
  // Jobs take time: what they stored is of just before now.
  const now_ms = stores.clock.now();
  const rows = [];
  for (const product of PRODUCTS) {
    let [longest_ms, total_ms, is_sold] = [0, 0, false];
    for (const request of listHeaviest(product)) {
      const tries = [];
      for (let n = 0; n < TRIES; n += 1) {
        const turns = createCountedTurns(() => performance.now());
        const outcome = await produce(createWholeNode({ now_ms, stores }), product, request, turns);
        is_sold ||= outcome.ok;
        tries.push({ longest: turns.status().longest_ms, total: turns.total_ms() });
      }
      longest_ms = Math.max(longest_ms, Math.min(...tries.map(({ longest }) => longest)));
      total_ms = Math.max(total_ms, Math.min(...tries.map(({ total }) => total)));
    }
    if (!is_sold) throw new Error(`${product.path} is not sold, whatever it is asked for`);
    const per_price = (total_ms * 1_000) / Number(product.price_atomic);
    rows.push({ path: product.path, longest_ms, total_ms, price_usd: product.price_usd, per_price });
  }
  return rows.toSorted((a, b) => b.longest_ms - a.longest_ms);
}

async function measureDoors() {
  const { url, stop } = await startProductNode({ seed_history: false });
  const rows = [];
  for (const call of listFreeCalls()) rows.push(await measureFreeCall(url, call, TRIES));
  await stop();
  return rows.toSorted((a, b) => b.best_ms - a.best_ms);
}

const products = await measureProducts();
const doors = await measureDoors();
const text = [
  `Written by \`bun bench/thread.ts\`: for how long the serving thread is held by the clock, best of ${TRIES} tries`,
  "of each product's most expensive legal inputs (`test/helpers/heaviest.ts`), where all are sold: the longest",
  "piece that holds the thread, all pieces of a call, and what that is for each micro-dollar of the price. Of a free",
  "call it is the processor time of all of it, its client's part included; the first one renders what later ones are",
  "sent. Every product is sold; those that are not listed are held for less than a tenth of a millisecond.",
  `Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`,
  "",
  "| product | longest piece, ms | all pieces, ms | price | µs per micro-dollar |",
  "| --- | --- | --- | --- | --- |",
  ...products
    .filter(({ total_ms }) => total_ms >= LISTED_MS)
    .map(
      (row) =>
        `| \`${row.path}\` | ${row.longest_ms.toFixed(1)} | ${row.total_ms.toFixed(1)} | ${row.price_usd} | ` +
        `${row.per_price.toFixed(3)} |`,
    ),
  "",
  "| free call | ms | the first, ms | bytes | status |",
  "| --- | --- | --- | --- | --- |",
  ...doors.map(
    ({ what, best_ms, first_ms, bytes, status }) =>
      `| \`${what}\` | ${best_ms.toFixed(1)} | ${first_ms.toFixed(1)} | ${bytes} | ${status} |`,
  ),
].join("\n");
if (process.env.BENCH_WRITE !== "0") {
  writeSection(join(import.meta.dir, "..", "docs", "performance.md"), "## What holds the serving thread", text);
}
console.log(text);
process.exit(0);
