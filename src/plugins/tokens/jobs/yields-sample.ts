import { defineJob } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { sampleYields } from "../yields/samples.ts";

/** Keeps what protocols pay by their own contracts, once an hour: yields of shares follow from two samples. */
export const job = defineJob({
  id: "yields-sample",
  schedule: "7 * * * *",
  providers: [evmRpc, solanaRpc],
  serves: ["/defi-yield"],
  at_start: true,
  deadline_ms: 30_000,
  run: sampleYields,
});
