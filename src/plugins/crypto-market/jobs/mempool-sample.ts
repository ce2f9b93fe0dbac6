import { defineJob } from "intel-node";
import { BITCOIN_NODES, fetchNode } from "../bitcoin/nodes.ts";
import { writeFeeSample } from "../bitcoin/stored-fees.ts";

/** Stores the fee rate of the next block every hour, so that /mempool can say how high today's is. */
export const job = defineJob({
  id: "mempool-sample",
  schedule: "15 * * * *",
  providers: BITCOIN_NODES.map(({ provider }) => provider),
  serves: ["/mempool", "/anomalias"],
  at_start: true,
  deadline_ms: 30_000,
  async run(context) {
    const attempts = BITCOIN_NODES.map((node) => ({
      provider: node.provider,
      run: () => fetchNode(context, node),
    }));
    const { provider, fees } = await context.first("mempool-sample", attempts);
    await writeFeeSample(context, { provider, fastest: fees.fastest });
  },
});
