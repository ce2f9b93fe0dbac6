import { defineJob } from "../../../catalog/plugin.ts";
import { circleCCTP } from "../../../upstream/providers/circle-cctp/provider.ts";
import { dexscreener } from "../../../upstream/providers/dexscreener/provider.ts";
import { evmRpc } from "../../../upstream/providers/evm-rpc/provider.ts";
import { jupiter } from "../../../upstream/providers/jupiter/provider.ts";
import { solanaRpc } from "../../../upstream/providers/solana-rpc/provider.ts";
import { runScan } from "../shared/dex/scan.ts";
import { writeScan } from "../shared/dex/stored-scan.ts";

/**
 * Reads the pools of six chains every 5 minutes: some 30 calls, too many for one buyer's request to cause.
 */
export const job = defineJob({
  id: "dex-scan",
  schedule: "*/5 * * * *",
  providers: [evmRpc, solanaRpc, jupiter, circleCCTP, dexscreener],
  at_start: true,
  deadline_ms: 60_000,
  async run(context) {
    writeScan(context.history, await runScan(context));
  },
});
