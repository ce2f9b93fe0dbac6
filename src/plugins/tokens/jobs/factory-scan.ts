import { defineJob, isWanted, outcomeOf } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { factoryScans } from "../launches/factory-tables.ts";
import { noteFactories, scanFactories } from "../launches/scan-factories.ts";
import { describeScanFault } from "../whales/blocks.ts";
import { SCANNED_CHAINS } from "../whales/chains.ts";

const PRODUCTS = ["pump-monitor", "launch-risk", "launch-sniper"] as const;
const IDLE_EVERY_MS = 9 * 60_000;

/**
 * Reads which pools the factories of EVM chains made: every two minutes while somebody wants to know, else every ten.
 * A chain that fails leaves a note and disturbs no other.
 */
export const job = defineJob({
  id: "factory-scan",
  schedule: "*/2 * * * *",
  providers: [evmRpc],
  at_start: true,
  deadline_ms: 60_000,
  runs_kept: 3,
  async run(context) {
    const wanted = await Promise.all(PRODUCTS.map((id) => isWanted(context, id)));
    const last = await context.table(factoryScans).first({ order: ["-at_ms"] });
    if (!wanted.includes(true) && last && context.now_ms - last.at_ms < IDLE_EVERY_MS) return;
    const done = await Promise.all(SCANNED_CHAINS.map((chain) => outcomeOf(scanFactories(context, chain))));
    for (const [index, one] of done.entries()) {
      const chain = SCANNED_CHAINS[index];
      if (chain && !one.ok) await noteFactories(context, chain, describeScanFault(one.error));
    }
    const [failed] = done;
    if (failed && !failed.ok && done.every((one) => !one.ok)) throw failed.error;
  },
});
