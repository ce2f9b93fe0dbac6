import type { FetchContext } from "../../../../catalog/context.ts";
import type { ProviderDefinition } from "../../../../catalog/provider.ts";
import type { BitcoinBacklog, BitcoinFees, BitcoinTip } from "../../../../upstream/providers/bitcoin-mempool.ts";
import { fetchBlockstreamBacklog, fetchBlockstreamTip } from "../../../../upstream/providers/blockstream/backlog.ts";
import { fetchBlockstreamFees } from "../../../../upstream/providers/blockstream/fees.ts";
import { blockstream } from "../../../../upstream/providers/blockstream/provider.ts";
import {
  fetchMempoolSpaceBacklog,
  fetchMempoolSpaceTip,
} from "../../../../upstream/providers/mempool-space/backlog.ts";
import { fetchMempoolSpaceFees } from "../../../../upstream/providers/mempool-space/fees.ts";
import { mempoolSpace } from "../../../../upstream/providers/mempool-space/provider.ts";

type NodeContext = Pick<FetchContext, "get" | "now_ms">;

/** A public view of Bitcoin's chain and mempool. */
export interface BitcoinNode {
  readonly provider: ProviderDefinition;
  readonly fetchFees: (context: NodeContext) => Promise<BitcoinFees>;
  readonly fetchTip: (context: NodeContext) => Promise<BitcoinTip>;
  readonly fetchBacklog: (context: NodeContext) => Promise<BitcoinBacklog>;
}

/** In failover order. */
export const BITCOIN_NODES: readonly BitcoinNode[] = [
  {
    provider: mempoolSpace,
    fetchFees: fetchMempoolSpaceFees,
    fetchTip: fetchMempoolSpaceTip,
    fetchBacklog: fetchMempoolSpaceBacklog,
  },
  {
    provider: blockstream,
    fetchFees: fetchBlockstreamFees,
    fetchTip: fetchBlockstreamTip,
    fetchBacklog: fetchBlockstreamBacklog,
  },
];

export interface NodeReading {
  readonly provider: string;
  readonly fees: BitcoinFees;
  readonly tip: BitcoinTip;
}

/**
 * A node's fees, with the newest block as the proof that it follows the chain: fees state no time of their own.
 * @throws UpstreamError
 */
export async function fetchNode(context: NodeContext, node: BitcoinNode): Promise<NodeReading> {
  const [fees, tip] = await Promise.all([node.fetchFees(context), node.fetchTip(context)]);
  return { provider: node.provider.id, fees, tip };
}
