import { createHash } from "node:crypto";
import { join } from "node:path";
import type { JobDefinition } from "../../src/catalog/plugin.ts";
import { readSettlements } from "../../src/plugins/brazil/b3/stored-days.ts";
import { job as b3Backfill } from "../../src/plugins/brazil/jobs/b3-backfill.ts";
import { table as b3Days } from "../../src/plugins/brazil/tables/b3-days.ts";
import { table as closes } from "../../src/plugins/brazil/tables/closes.ts";
import { job as gdeltEvents } from "../../src/plugins/macro/jobs/gdelt-events.ts";
import { eventSlots } from "../../src/plugins/macro/theatres/geo-series.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { createMemoryRecords } from "../../src/records/memory-records.ts";
import { openMarketDb } from "../../src/stores/market-db.ts";
import { openStores } from "../../src/stores/stores.ts";
import { createSimulatedNode, type SimulatedNode } from "./simulated-node.ts";
import { createStillClock } from "./still-clock.ts";

/**
 * Fetches the past of B3 and of GDELT on stores in a folder, until nothing is missing. Says "call" before every file it
 * asks for, so that who started it may kill it there, and at the end what is stored.
 * Run by itself: `bun test/helpers/backfill-process.ts FOLDER`.
 */
const [, , folder = ""] = process.argv;
const NOW_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const clock = createStillClock(NOW_MS);
const market_db = openMarketDb(join(folder, "market.db"), { clock });
const stores = openStores({
  kept_file: join(folder, "kept.db"),
  datasets_folder: join(folder, "datasets"),
  market: market_db,
  plugins: registry,
});
const node = createSimulatedNode({
  now_ms: NOW_MS,
  stores: { ...stores, records: createMemoryRecords(clock.now) },
  async delay() {
    process.stdout.write("call\n");
    // Whoever reads it may end this process before the answer.
    await new Promise((resolve) => setImmediate(resolve));
  },
});

async function runWhole(job: JobDefinition, isWhole: (node: SimulatedNode) => Promise<boolean>): Promise<void> {
  while (!(await isWhole(node))) await job.run(node.createContext());
}
const countDays = () => node.createContext().table(b3Days).count({});
await runWhole(b3Backfill, async () => (await countDays()) >= 260);
await runWhole(gdeltEvents, async () => (await eventSlots.read(node.createContext(), { last: "75d" })).length >= 244);

const context = node.createContext();
const whole = [
  // Not when: that is another moment for whoever began again.
  (await context.table(b3Days).find({ order: ["date"], limit: 10_000 })).map(({ date, source }) => [date, source]),
  await context.table(closes).find({ order: ["symbol", "date"], limit: 1_000_000 }),
  await readSettlements(context, "500d"),
  (await eventSlots.read(context, { last: "75d" })).map(({ at_ms, value }) => [at_ms, value]),
];
const digest = whole
  .map((part) => createHash("sha256").update(JSON.stringify(part)).digest("hex").slice(0, 16))
  .join(" ");
process.stdout.write(`done ${JSON.stringify({ days: await countDays(), digest })}\n`);
process.exit(0);
