import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { MEMPOOL_TTL_MS } from "../bitcoin-mempool.ts";
import { mempoolSpace } from "./provider.ts";

/** A block as it would be mined now. Fee rates in sat/vB. */
export interface ProjectedBlock {
  readonly n_tx: number;
  readonly median_fee: number;
  readonly fee_min: number;
  readonly fee_max: number;
  readonly total_fee_sat: number;
}

const BLOCKS_MAX = 100;
const Rate = Type.Number({ minimum: 0, maximum: 10_000_000 });

const Answer = Whole(
  "series",
  Type.Object({
    nTx: Type.Integer({ minimum: 0 }),
    totalFees: Type.Number({ minimum: 0 }),
    medianFee: Rate,
    feeRange: Whole("parts", Rate, { minItems: 1, maxItems: 100 }),
  }),
  { minItems: 1, maxItems: BLOCKS_MAX },
);

/**
 * The next blocks, nearest first. The last one of a long list holds all the rest.
 * @throws UpstreamError
 */
export function fetchProjectedBlocks(context: Pick<FetchContext, "get">): Promise<ProjectedBlock[]> {
  return context.get(mempoolSpace, {
    path: "/api/v1/fees/mempool-blocks",
    schema: Answer,
    ttl_ms: MEMPOOL_TTL_MS,
    read: (blocks) =>
      blocks.map((block) => ({
        n_tx: block.nTx,
        median_fee: block.medianFee,
        fee_min: Math.min(...block.feeRange),
        fee_max: Math.max(...block.feeRange),
        total_fee_sat: block.totalFees,
      })),
  });
}
