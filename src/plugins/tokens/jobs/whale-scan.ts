import { defineJob, outcomeOf } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
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
