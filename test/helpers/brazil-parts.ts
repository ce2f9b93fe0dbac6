import { job as backfill } from "../../src/plugins/brazil/jobs/b3-backfill.ts";
import { job as index } from "../../src/plugins/brazil/jobs/b3-index.ts";
import { job as tradeFile } from "../../src/plugins/brazil/jobs/b3-trade-file.ts";
import { job as focus } from "../../src/plugins/brazil/jobs/focus.ts";
import { job as ibge } from "../../src/plugins/brazil/jobs/ibge.ts";
import { job as ptax } from "../../src/plugins/brazil/jobs/ptax.ts";
import { job as sgs } from "../../src/plugins/brazil/jobs/sgs.ts";
import { createSimulatedNode, type SimulatedNode } from "./simulated-node.ts";

/** The day the published curve is of, in the evening. */
const NOW_MS = Date.UTC(2026, 0, 13, 1);
/** Rounds of the backfill: enough for changes of five days. */
const ROUNDS = 8;

/** A node whose Brazilian jobs have run; close it. */
export async function createBrazilNode(): Promise<SimulatedNode> {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  for (const job of [tradeFile, sgs, ptax, focus, ibge, index]) await job.run(node.createContext());
  for (let round = 0; round < ROUNDS; round += 1) await backfill.run(node.createContext());
  return node;
}
