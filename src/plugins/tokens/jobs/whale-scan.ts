import { outcomeOf } from "../../../catalog/failover.ts";
import { defineJob } from "../../../catalog/plugin.ts";
import { dexscreener } from "../../../upstream/providers/dexscreener/provider.ts";
import { evmRpc } from "../../../upstream/providers/evm-rpc/provider.ts";
import { SCANNED_CHAINS, scanChain } from "../shared/whales/scan.ts";

/** Reads transfers of large stablecoins and wrapped coins, block by block, once they are deep enough. */
export const job = defineJob({
  id: "whale-scan",
  schedule: "*/5 * * * *",
  providers: [evmRpc, dexscreener],
  at_start: true,
  deadline_ms: 90_000,
  runs_kept: 3,
  async run(context) {
    const done = await Promise.all(SCANNED_CHAINS.map((chain) => outcomeOf(scanChain(context, chain))));
    const [failed] = done.filter((one) => !one.ok);
    if (failed && !failed.ok && done.every((one) => !one.ok)) throw failed.error;
  },
});
