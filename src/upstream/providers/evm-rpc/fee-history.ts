import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { fetchRPC } from "../json-rpc.ts";
import { evmRpc } from "./provider.ts";

export interface FeeHistory {
  /** Base fee of the block to come, wei. */
  readonly next_base_fee_wei: number;
  /** Tips at the asked percentiles of each block's gas, wei: one row a block, oldest first. */
  readonly tips_wei: readonly (readonly number[])[];
}

const BLOCKS = 20;
const BLOCKS_MIN = 10;
const TTL_MS = 10_000;
/** A base fee of a thousand times the highest ever seen is a unit mistake. */
const FEE_WEI_MAX = 1e16;

/** A JSON-RPC quantity. */
const Quantity = Type.String({ pattern: "^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,20})$" });

const Result = Type.Object({
  baseFeePerGas: Whole("columns", Quantity, { minItems: BLOCKS_MIN + 1, maxItems: BLOCKS + 1 }),
  reward: Whole("columns", Whole("columns", Quantity, { minItems: 1, maxItems: 10 }), {
    minItems: BLOCKS_MIN,
    maxItems: BLOCKS,
  }),
});

function readHistory({ baseFeePerGas, reward }: Static<typeof Result>, percentiles: readonly number[]) {
  if (baseFeePerGas.length !== reward.length + 1) return unusable("base fees and tips do not match");
  if (reward.some((tips) => tips.length !== percentiles.length)) return unusable("not one tip per percentile");
  const next_base_fee_wei = Number(baseFeePerGas.at(-1));
  const tips_wei = reward.map((tips) => tips.map(Number));
  if (!(next_base_fee_wei > 0 && next_base_fee_wei <= FEE_WEI_MAX))
    return unusable("the next base fee is out of range");
  if (tips_wei.flat().some((tip) => tip > FEE_WEI_MAX)) return unusable("a tip is out of range");
  return { next_base_fee_wei, tips_wei };
}

/**
 * Base fee of the next block and the tips of the last 20. The answer states no time: it is as new as the node's head.
 * @throws UpstreamError
 */
export function fetchFeeHistory(
  context: Pick<FetchContext, "get">,
  { chain, percentiles }: { chain: string; percentiles: readonly number[] },
): Promise<FeeHistory> {
  return fetchRPC(context, evmRpc, {
    chain,
    method: "eth_feeHistory",
    params: [`0x${BLOCKS.toString(16)}`, "latest", percentiles],
    result: Result,
    ttl_ms: TTL_MS,
    read: (result) => readHistory(result, percentiles),
  });
}
