import { mkdirSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import { loadIdentity, loadNextIdentity } from "../files/identity-file.ts";
import { NETWORKS, type Network } from "../payments/networks/table.ts";
import { loadConfigFile } from "./load-config-file.ts";

/** The wallet and the node of a statement. */
export interface Claimant {
  readonly config: Config;
  readonly origin: string;
  readonly node_id: string;
  readonly node_key: string;
  /** Networks on which the node takes payments. */
  readonly networks: readonly Network[];
}

/**
 * Reads configuration and node key. The key is made if the node has never run, so that a proof can come first.
 * @param next uses the key of the next rotation, which is made if it does not exist.
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
