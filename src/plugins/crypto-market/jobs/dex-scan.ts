import { defineJob, isWanted } from "intel-node";
import { circleCCTP } from "intel-node/providers/circle-cctp/provider";
import { POOL_TABLE_PROVIDERS } from "../dex/pool-tables.ts";
import { runScan } from "../dex/scan.ts";
import { readScan, writeScan } from "../dex/stored-scan.ts";
import { SWAP_PROVIDERS } from "../dex/venue.ts";

const PRODUCT_ID = "multi-chain-arbitrage";
/** Time between two scans, with and without a call in the last day. */
const WANTED_EVERY_MS = 60_000;
const IDLE_EVERY_MS = 300_000;
/** Jobs do not start on the very second. */
const SLACK_MS = 15_000;

/**
 * Reads the pools of six chains, too many calls for one buyer's request to cause: every minute while the product is
 * asked for, else every 5 minutes, so that a first buyer finds a table that is not too old.
 */
export const job = defineJob({
  id: "dex-scan",
  schedule: "* * * * *",
  providers: [...SWAP_PROVIDERS, circleCCTP, ...POOL_TABLE_PROVIDERS],
  serves: ["/multi-chain-arbitrage"],
  at_start: true,
  deadline_ms: 55_000,
  runs_kept: 130,
  async run(context) {
    const every_ms = (await isWanted(context, PRODUCT_ID)) ? WANTED_EVERY_MS : IDLE_EVERY_MS;
    const read_at_ms = (await readScan(context))?.read_at_ms ?? 0;
    if (context.now_ms - read_at_ms < every_ms - SLACK_MS) return;
    await writeScan(context, await runScan(context));
  },
});
