import { expect, test } from "bun:test";
import { readNewest } from "../../src/catalog/read-pages.ts";
import type { AnyTable } from "../../src/catalog/table.ts";
import { mevBlocks } from "../../src/plugins/tokens/mev/blocks.ts";
import { tradePoolScans, tradeScans } from "../../src/plugins/tokens/trades/tables.ts";
import { scans, transfers } from "../../src/plugins/tokens/whales/tables.ts";
import { listPlans } from "../helpers/query-plans.ts";

/**
 * Tables of which products read thousands of rows, and by what: an index brings each page in its order. Without one
 * each page would be a sort of all the rows, and a page is one piece of the serving thread's time.
 */
const READ: readonly (readonly [table: AnyTable, by: string, where: object])[] = [
  [transfers, "at_ms", { chain: "base" }],
  [scans, "at_ms", { chain: "base" }],
  [tradeScans, "at_ms", { chain: "base" }],
  [tradePoolScans, "at_ms", {}],
  [mevBlocks, "slot", {}],
];

for (const [table, by, where] of READ) {
  test(`a page of ${table.name} by ${by} is read along an index`, async () => {
    const plans = await listPlans({ table }, (context) =>
      readNewest(context, context.table(table), { by, where, from: 1, rows_max: 10_000 }),
    );
    // Rows of one value may be sorted among themselves.
    expect(plans.filter((step) => step.includes("TEMP B-TREE FOR ORDER BY"))).toEqual([]);
    expect(plans[0]).toStartWith(`SEARCH ${table.name} USING INDEX`);
  });
}
