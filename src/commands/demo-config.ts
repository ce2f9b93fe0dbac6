import { resolve } from "node:path";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { loadPlugins } from "../node/compose-catalog.ts";
import type { LoadedPlugins } from "../node/parts.ts";
import { loadConfigFile } from "./load-config-file.ts";

/** The seller's addresses in the sandbox, from published development keys: never use them for real. */
const SELLERS = {
  base: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  /** Public key of the Ed25519 seed that is 32 bytes of 0x03. */
  solana: "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse",
  algorand: "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
} as const;

export interface DemoConfigOptions {
  /** The operator's own file. */
  readonly config: string | undefined;
  readonly plugins: string | undefined;
  readonly port: number;
  /** Whether to offer payment channels without a file, because the tour shows them. Default: no. */
  readonly offers_channels?: boolean;
  /** Calendars for public timestamps. Default: none, whatever the file says. */
  readonly calendars?: readonly string[];
  readonly data: string;
  readonly facilitator_url: string;
}

export interface DemoConfig {
  readonly config: Config;
  readonly plugins: LoadedPlugins;
  readonly read: LoadedConfig;
}

/**
 * Loads the configuration of a demo: the operator's own file, or one with all defaults.
 * @returns the configuration, in which the sandbox replaces everything that concerns real money or other machines, or
 * the file's faults as text for people.
 */
export async function loadDemoConfig(options: DemoConfigOptions): Promise<DemoConfig | { readonly faults: string }> {
  const found =
    options.config === undefined ? loadDefaults(options.offers_channels) : await loadConfigFile(options.config);
  if ("faults" in found) return found;
  const config = onSandbox(found.config, options);
  // The file's own plugins are already loaded, unless another folder is named.
  const plugins = found.plugins && !options.plugins ? found.plugins : await loadPlugins(config);
  return { config, plugins, read: found.read };
}

function loadDefaults(offers_channels = false): {
  readonly config: Config;
  readonly plugins: null;
  readonly read: LoadedConfig;
} {
  const channels = offers_channels ? "[payments.channels]\nenabled = true\n" : "";
  const text = `[node]\nname = "intel-node demo"\n${channels}`;
  const loaded = loadConfig({ text, file: "demo", env: {} });
  if (!loaded.ok) throw new Error(`the demo's own configuration is faulty: ${JSON.stringify(loaded.faults)}`);
  return { config: loaded.config, plugins: null, read: loaded };
}

/** Drops ownership proofs, because they belong to the real address, which a demo does not use. */
const onTestNetwork = (wallet: { readonly operator_test: string[] } | undefined, pay_to: string) => ({
  pay_to,
  proofs: [],
  operator_test: wallet?.operator_test ?? [],
});

/**
 * Keeps the operator's products, prices, plans, providers and plugins. Replaces everything about money: the seller's
 * accounts are the sandbox's, and no facilitator, peer, ledger or backup of the real node is used.
 */
function onSandbox(
  config: Config,
  { port, data, plugins, facilitator_url, calendars = [] }: DemoConfigOptions,
): Config {
  const { dir: _, ...backup } = config.backup;
  // A sandbox has its own key, so it never has the identity of the file's node.
  const { public_url: __, node_id: ___, ...node } = config.node;
  return {
    ...config,
    node: { ...node, cluster: false },
    server: { ...config.server, host: "127.0.0.1", port },
    data: { ...config.data, dir: data },
    wallets: {
      base: { ...onTestNetwork(config.wallets.base, SELLERS.base), networks: [] },
      solana: onTestNetwork(config.wallets.solana, SELLERS.solana),
      algorand: onTestNetwork(config.wallets.algorand, SELLERS.algorand),
    },
    facilitators: [{ kind: "sandbox", url: facilitator_url }],
    // Shorter than in a real node, so that a hanging facilitator can be watched, but long enough for a slow machine.
    payments: { ...config.payments, verify_timeout: "5s", settle_timeout: "10s" },
    limits: { ...config.limits, loopback_exempt: true },
    peers: { ...config.peers, urls: [] },
    // A sandbox sends nothing to public calendars.
    proof: { ...config.proof, anchor: { ...config.proof.anchor, calendars: [...calendars] } },
    // Test money never gets into the real books.
    ledger: { lease: config.ledger.lease },
    backup,
    plugins: { ...config.plugins, ...(plugins === undefined ? {} : { dir: resolve(plugins) }) },
  };
}
