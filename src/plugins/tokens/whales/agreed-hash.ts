import { type JobContext, outcomeOf } from "intel-node";
import { fetchBlockHash } from "intel-node/providers/evm-rpc/block-hash";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { Disagreement } from "./blocks.ts";
import type { ScannedChain } from "./chains.ts";

/** The hash of a block; a second address of the chain, if any, has to give the same. @throws Disagreement */
export async function readAgreedHash(context: JobContext, chain: ScannedChain, block: number): Promise<string> {
  const has_second = context.countAddresses(evmRpc, chain) > 1;
  const [hash, other] = await Promise.all([
    fetchBlockHash(context, { chain, block }),
    has_second ? outcomeOf(fetchBlockHash(context, { chain, block, second: true })) : null,
  ]);
  if (other?.ok && other.value !== hash) throw new Disagreement(`two nodes name different blocks ${block}`);
  return hash;
}
