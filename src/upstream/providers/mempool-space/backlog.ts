import type { FetchContext } from "../../../catalog/context.ts";
import {
  type BitcoinBacklog,
  type BitcoinTip,
  BlocksAnswer,
  MEMPOOL_TTL_MS,
  MempoolAnswer,
  readBacklog,
  readTip,
} from "../bitcoin-mempool.ts";
import { mempoolSpace } from "./provider.ts";

/**
 * What waits for a block.
 * @throws UpstreamError
 */
export function fetchMempoolSpaceBacklog(context: Pick<FetchContext, "get">): Promise<BitcoinBacklog> {
  return context.get(mempoolSpace, {
    path: "/api/mempool",
    schema: MempoolAnswer,
    ttl_ms: MEMPOOL_TTL_MS,
    read: readBacklog,
  });
}

/**
 * The newest block, refused when it is older than 3 h.
 * @throws UpstreamError
 */
export function fetchMempoolSpaceTip(context: Pick<FetchContext, "get" | "now_ms">): Promise<BitcoinTip> {
  return context.get(mempoolSpace, {
    path: "/api/v1/blocks",
    schema: BlocksAnswer,
    ttl_ms: MEMPOOL_TTL_MS,
    read: (blocks) => readTip(blocks, context.now_ms),
  });
}
