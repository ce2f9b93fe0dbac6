import { join } from "node:path";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Config } from "../../config/schema.ts";
import { systemClock } from "../../core/clock.ts";
import { findIdentity } from "../../files/identity-file.ts";
import { composeFacilitators } from "../../node/compose-facilitators.ts";
import { walletsOf } from "../../node/compose-payments.ts";
import type { LoadedPlugins } from "../../node/parts.ts";
import { createExtensionAnswers } from "../../payments/facilitators/extension-answers.ts";
import { createChainReader } from "../../payments/landing/chain-reader.ts";
import { readSpentQuotas } from "../../stores/quota-rows.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Upstream } from "../../upstream/client.ts";
import { compareClock } from "../../upstream/compare-clock.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { askFacilitators } from "./ask-facilitators.ts";
import { askPublicURL } from "./ask-public-url.ts";
import { askRPCs } from "./ask-rpcs.ts";
import { askWallets } from "./ask-wallets.ts";
import type { CheckFinding } from "./finding.ts";
import { lookAtCopy } from "./look-at-copy.ts";
import { lookAtAlerts, lookAtBackup, lookAtDisk, lookAtPort, lookAtProxies } from "./look-at-machine.ts";
import type { Recorder } from "./record-answers.ts";
import { rehearseProviders } from "./rehearse-providers.ts";

export interface OnlineParts {
  readonly config: Config;
  readonly plugins: LoadedPlugins;
  readonly catalog: Catalog;
  readonly upstream: Upstream;
  readonly log: Log;
  /** Records the answers of providers. */
  readonly recorder?: Recorder | undefined;
  /** Called with the progress, because the check takes a minute or more. */
  readonly onProgress?: ((done: string) => void) | undefined;
}

/**
 * Contacts everyone named in this configuration: facilitators, chains, providers, the public address. It buys and
 * settles nothing, and opens nothing in the data folder for writing, so it may run beside the node.
 */
export async function checkOnline(parts: OnlineParts): Promise<readonly CheckFinding[]> {
  const { config, catalog } = parts;
  const { now } = systemClock;
  const wallets = walletsOf(config, config.payments.testnet);
  const node_id = findIdentity(config.data.dir)?.node_id ?? null;
  const { public_url } = config.node;
  const paid_path = catalog.products.find(({ definition }) => !definition.plan)?.path;
  const folder = createTemporaryFolder("intel-node-check-");
  try {
    const looks: Readonly<Record<string, Promise<readonly CheckFinding[]>>> = {
      facilitators: askFacilitators(listFacilitators(parts, folder.path), wallets),
      chains: askRPCs(listChains(config, wallets), now()),
      wallets: askWallets(config, wallets),
      providers: rehearseProviders({
        ...parts,
        quotas: readSpentQuotas(join(config.data.dir, "market.db")),
        folder: folder.path,
      }),
      clock: compareClock(listServers(config, catalog), now).then((finding) => [finding]),
      // The proxy's headers are known once a request has come through it.
      "public address": askPublicURL({ public_url, node_id, paid_path, now_ms: now() }).then(async (findings) => [
        ...findings,
        ...(await lookAtProxies(config)),
      ]),
      port: lookAtPort(config, node_id).then((finding) => [finding]),
    };
    const found = await Promise.all(tellProgress(looks, parts.onProgress));
    const copy = await lookAtCopy(config);
    const written = parts.recorder ? [parts.recorder.write()] : [];
    return [
      ...found.flat(),
      lookAtDisk(config),
      lookAtBackup(config, now()),
      ...copy,
      lookAtAlerts(config),
      ...written,
    ];
  } finally {
    folder.leaveSignals();
    folder.remove();
  }
}

/** Reports each check when it ends, and the checks still running. */
function tellProgress(
  looks: Readonly<Record<string, Promise<readonly CheckFinding[]>>>,
  tell: OnlineParts["onProgress"],
): readonly Promise<readonly CheckFinding[]>[] {
  const waiting = new Set(Object.keys(looks));
  tell?.(`asking: ${[...waiting].join(", ")}`);
  return Object.entries(looks).map(async ([name, look]) => {
    const found = await look;
    waiting.delete(name);
    tell?.(`${name}: done${waiting.size > 0 ? `; still asking: ${[...waiting].join(", ")}` : ""}`);
    return found;
  });
}

const rpcOf = (config: Config) => (chain: string) => config.chains[chain]?.rpc ?? [];

/** The facilitators, created as in a node. The gas budget of an embedded one is kept in the temporary folder. */
function listFacilitators({ config, log }: OnlineParts, data_dir: string) {
  const rpc_urls = rpcOf(config);
  const access = (chain: string) => {
    const { indexer = [], headers = {} } = config.chains[chain] ?? {};
    return { indexer_urls: indexer, headers };
  };
  const chain = createChainReader({ rpc_urls, access, log: log.info });
  const extension_answers = createExtensionAnswers(log.info);
  return composeFacilitators({ config, data_dir, clock: systemClock, log, rpc_urls, access, chain, extension_answers });
}

function listChains({ chains }: Config, wallets: ReturnType<typeof walletsOf>) {
  const paid_on = new Set(wallets.map(({ network }) => network.chain));
  return [...new Set([...paid_on, ...Object.keys(chains)])].map((chain) => ({
    chain,
    rpc: chains[chain]?.rpc ?? [],
    headers: chains[chain]?.headers ?? {},
    is_paid_on: paid_on.has(chain),
  }));
}

/** Servers used to compare the clock, first those that money depends on. */
const listServers = ({ facilitators, chains, providers }: Config, { providers: known }: Catalog): readonly string[] => [
  ...facilitators.flatMap(({ url }) => url ?? []),
  ...Object.values(chains).flatMap(({ rpc }) => rpc),
  ...known.flatMap(({ id, base_urls }) => providers.tables[id]?.base_url ?? base_urls[0] ?? []),
];
