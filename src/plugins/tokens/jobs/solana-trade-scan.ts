import { defineJob, isWanted } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { scanSolanaTrades } from "../trades/scan-solana.ts";
import { tradePoolScans } from "../trades/tables.ts";

const PRODUCTS = ["smart-money", "copytrade"] as const;
const IDLE_EVERY_MS = 29 * 60_000;

/**
 * Reads a sample of trades in Solana's watched pools: three times in five minutes while somebody wants to know, else
 * every half an hour. Never in the minute of the whale scan: public nodes count both.
 */
export const job = defineJob({
  id: "solana-trade-scan",
  schedule: "1-59/5,3-59/5,4-59/5 * * * *",
  providers: [solanaRpc, dexscreener],
  serves: ["/copytrade", "/smart-money"],
  at_start: true,
  deadline_ms: 50_000,
  runs_kept: 3,
  async run(context) {
    const wanted = await Promise.all(PRODUCTS.map((id) => isWanted(context, id)));
    const last = await context.table(tradePoolScans).first({ order: ["-at_ms"] });
    if (!wanted.includes(true) && last && context.now_ms - last.at_ms < IDLE_EVERY_MS) return;
    await scanSolanaTrades(context);
  },
});
