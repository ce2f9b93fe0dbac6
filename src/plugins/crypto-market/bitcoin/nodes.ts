import type { FetchContext, ProviderDefinition } from "intel-node";
import type { BitcoinBacklog, BitcoinFees, BitcoinTip } from "intel-node/providers/bitcoin-mempool";
import { fetchBlockstreamBacklog, fetchBlockstreamTip } from "intel-node/providers/blockstream/backlog";
import { fetchBlockstreamFees } from "intel-node/providers/blockstream/fees";
import { blockstream } from "intel-node/providers/blockstream/provider";
import { fetchMempoolSpaceBacklog, fetchMempoolSpaceTip } from "intel-node/providers/mempool-space/backlog";
import { fetchMempoolSpaceFees } from "intel-node/providers/mempool-space/fees";
import { mempoolSpace } from "intel-node/providers/mempool-space/provider";

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
 * A node's fees, with the newest block as the proof that it follows the chain: fees have no timestamp.
 * @throws UpstreamError
 */
export async function fetchNode(context: NodeContext, node: BitcoinNode): Promise<NodeReading> {
  const [fees, tip] = await Promise.all([node.fetchFees(context), node.fetchTip(context)]);
  return { provider: node.provider.id, fees, tip };
}
