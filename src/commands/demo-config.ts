import { resolve } from "node:path";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { loadPlugins } from "../node/compose-catalog.ts";
import type { LoadedPlugins } from "../node/parts.ts";
import { loadConfigFile } from "./load-config-file.ts";

/** The seller's addresses in the sandbox: of published development keys, worthless everywhere. */
const SELLERS = {
  base: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  /** The key of the Ed25519 seed of 32 bytes 0x03. */
  solana: "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse",
  algorand: "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
} as const;

export interface DemoConfigOptions {
  /** The operator's own file. */
  readonly config: string | undefined;
  readonly plugins: string | undefined;
  readonly port: number;
  /** Whether it offers payment channels where no file says so: the tour shows them. Default: no, as anywhere. */
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
 * What a demo runs on: the operator's own file, or one with everything at its default.
 * @returns the configuration with the sandbox in the place of everything that is about real money or other machines, or
 * the file's faults as text for people.
 */
export async function loadDemoConfig(options: DemoConfigOptions): Promise<DemoConfig | { readonly faults: string }> {
  const found =
    options.config === undefined ? loadDefaults(options.offers_channels) : await loadConfigFile(options.config);
  if ("faults" in found) return found;
  const config = onSandbox(found.config, options);
  // The file's own plugins are loaded already, unless another folder is named.
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

/** Proofs are of the real address, which is not used. */
const onTestNetwork = (wallet: { readonly operator_test: string[] } | undefined, pay_to: string) => ({
  pay_to,
  proofs: [],
  operator_test: wallet?.operator_test ?? [],
});

/**
 * Products, prices, plans, providers and plugins stay the operator's. Money does not: sellers are the sandbox's, whose
 * accounts its chains know, and no facilitator, peer, ledger or backup of the real node is touched.
 */
function onSandbox(
  config: Config,
  { port, data, plugins, facilitator_url, calendars = [] }: DemoConfigOptions,
): Config {
  const { dir: _, ...backup } = config.backup;
  // A sandbox has a key of its own: it is never the node of the file.
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
    // Shorter than in earnest, so that a facilitator that hangs can be watched; longer than a slow machine takes.
    payments: { ...config.payments, verify_timeout: "5s", settle_timeout: "10s" },
    limits: { ...config.limits, loopback_exempt: true },
    peers: { ...config.peers, urls: [] },
    // Nothing of a sandbox is put into public calendars.
    proof: { ...config.proof, anchor: { ...config.proof.anchor, calendars: [...calendars] } },
    // Play money never gets into the real books.
    ledger: { lease: config.ledger.lease },
    backup,
    plugins: { ...config.plugins, ...(plugins === undefined ? {} : { dir: resolve(plugins) }) },
  };
}
