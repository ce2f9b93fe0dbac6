import type { Catalog } from "../catalog/catalog.ts";
import type { Config } from "../config/schema.ts";
import { sha256Hex } from "../core/hash.ts";
import type { ClusterNodeFacts } from "../ledger/cluster.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Log } from "../telemetry/log.ts";

/** This node's name among those that share its ledger; null where it is alone. */
export const nameInCluster = ({ cluster, instance }: Config["node"]): string | null =>
  cluster && instance !== undefined ? instance : null;

const DIGEST_CHARS = 12;
const digest = (value: unknown): string => sha256Hex(JSON.stringify(value)).slice(0, DIGEST_CHARS);

export interface FactParts {
  readonly config: Config;
  readonly node_id: string;
  readonly catalog: Catalog;
}

/**
 * What nodes behind one address have to agree on: whose they are, where money goes, and what each product costs, takes
 * and gives. Not the program's version: one after the other, nodes are upgraded to one that sells the same.
 */
function getClusterFacts({ config, node_id, catalog }: FactParts): ClusterNodeFacts {
  const wallets = Object.entries(config.wallets).map(([name, wallet]) => [`wallet ${name}`, wallet?.pay_to ?? ""]);
  // What is switched off on one of them differs for a while only.
  const products = catalog.whole.map(({ path, price_atomic, definition: { params, data, priced } }) => [
    `product ${path}`,
    digest([price_atomic.toString(), params, data, ...(priced ? [priced.by] : [])]),
  ]);
  return {
    "node key": node_id,
    public_url: config.node.public_url ?? "",
    plans: digest(config.plans),
    ...(config.metering.enabled ? { metering: digest(config.metering) } : {}),
    ...Object.fromEntries(wallets),
    ...Object.fromEntries(products),
  };
}

/**
 * States what this node sells to those that share its ledger.
 * @param must_agree see Cluster.state
 */
export async function stateFacts(
  { cluster }: Pick<Ledger, "cluster">,
  parts: FactParts & { readonly log: Pick<Log, "warn">; readonly must_agree: boolean },
): Promise<void> {
  if (cluster === null) return;
  const differences = await cluster.state(getClusterFacts(parts), parts.must_agree);
  if (differences.length > 0) parts.log.warn({ event: "cluster_differs", differences });
}
