import { defineJob, isWanted, outcomeOf } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { scanTrades } from "../trades/scan.ts";
import { tradeScans } from "../trades/tables.ts";
import { createTradeBook } from "../trades/trade-book.ts";
import { describeScanFault } from "../whales/blocks.ts";
import { SCANNED_CHAINS } from "../whales/chains.ts";

const PRODUCTS = ["smart-money", "copytrade", "token-intel"] as const;
const IDLE_EVERY_MS = 29 * 60_000;

/** Reads swaps of the deepest pools: every five minutes while somebody wants to know, else every half an hour. */
export const job = defineJob({
  id: "trade-scan",
  schedule: "2-59/5 * * * *",
  providers: [evmRpc, dexscreener],
  serves: ["/copytrade", "/smart-money"],
  at_start: true,
  deadline_ms: 120_000,
  runs_kept: 3,
  async run(context) {
    const wanted = await Promise.all(PRODUCTS.map((id) => isWanted(context, id)));
    const last = await context.table(tradeScans).first({ order: ["-at_ms"] });
    if (!wanted.includes(true) && last && context.now_ms - last.at_ms < IDLE_EVERY_MS) return;
    const done = await Promise.all(SCANNED_CHAINS.map((chain) => outcomeOf(scanTrades(context, chain))));
    for (const [index, chain] of SCANNED_CHAINS.entries()) {
      const one = done[index];
      if (one && !one.ok) await createTradeBook(context, chain).note(describeScanFault(one.error));
    }
    const [failed] = done.filter((one) => !one.ok);
    if (failed && !failed.ok && done.every((one) => !one.ok)) throw failed.error;
  },
});
