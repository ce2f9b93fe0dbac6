import { mkdirSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import { loadIdentity, loadNextIdentity } from "../files/identity-file.ts";
import { NETWORKS, type Network } from "../payments/networks/table.ts";
import { loadConfigFile } from "./load-config-file.ts";

/** Who states something about which node. */
export interface Claimant {
  readonly config: Config;
  readonly origin: string;
  readonly node_id: string;
  readonly node_key: string;
  /** Networks the node may be paid on. */
  readonly networks: readonly Network[];
}

/**
 * Reads configuration and node key; the key is made when the node never ran, so that a proof can come first.
 * @param next of the key that is to follow at the next rotation, made when there is none.
 */
export async function loadClaimant(file: string, next: boolean): Promise<Claimant | { readonly faults: string }> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) return loaded;
  const { config } = loaded;
  const { public_url: origin } = config.node;
  if (origin === undefined) return { faults: `${file}: a proof names the node's address: set [node] public_url` };
  mkdirSync(config.data.dir, { recursive: true, mode: 0o700 });
  const { node_id, public_key: node_key } = next ? loadNextIdentity(config.data.dir) : loadIdentity(config.data.dir);
  const networks = NETWORKS.filter(({ testnet }) => testnet === config.payments.testnet);
  return { config, origin, node_id, node_key, networks };
}
