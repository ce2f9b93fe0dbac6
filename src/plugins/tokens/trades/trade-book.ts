import type { JobContext } from "intel-node";
import type { ScanBook } from "../whales/blocks.ts";
import { tradeNotes, tradeScans, trades } from "./tables.ts";

/** The data that scans of swaps keep of a chain read block by block. */
export const createTradeBook = (context: JobContext, chain: string): ScanBook => ({
  findLast: () => context.table(tradeScans).first({ where: { chain }, order: ["-to_block"] }),
  async forget({ from_block, to_block }) {
    await context.table(trades).remove({ chain, block: { from: from_block, to: to_block } });
    await context.table(tradeScans).remove({ chain, to_block });
  },
  note: (what) => context.table(tradeNotes).insert([{ chain, at_ms: context.now_ms, what }]),
});
