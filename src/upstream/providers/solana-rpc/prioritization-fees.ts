import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Rows } from "../../../catalog/rows.ts";
import { fetchRPC } from "../json-rpc.ts";
import { solanaRpc } from "./provider.ts";

const TTL_MS = 10_000;
/** The node keeps this many slots. */
const SLOTS_MAX = 150;
const SLOTS_MIN = 20;
/** 1,000 SOL for a usual transaction: a unit mistake. */
const FEE_MAX = 5e12;

const Result = Rows(
  Type.Object({
    slot: Type.Integer({ minimum: 1 }),
    prioritizationFee: Type.Integer({ minimum: 0, maximum: FEE_MAX }),
  }),
  { minItems: SLOTS_MIN, maxItems: SLOTS_MAX },
);

/**
 * The lowest priority fee that got a transaction into each of the last 150 slots, micro-lamports per compute unit.
 * The answer states no time: it is as new as the node's head.
 * @throws UpstreamError
 */
export function fetchPrioritizationFees(context: Pick<FetchContext, "get">): Promise<number[]> {
  return fetchRPC(context, solanaRpc, {
    chain: "solana",
    method: "getRecentPrioritizationFees",
    params: [],
    result: Result,
    ttl_ms: TTL_MS,
    read: (slots) => slots.map(({ prioritizationFee }) => prioritizationFee),
  });
}
