import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { collectProviders } from "../../catalog/catalog.ts";
import type { Config } from "../../config/schema.ts";
import { systemClock } from "../../core/clock.ts";
import { getOwn } from "../../core/own.ts";
import { keyFileOf, loadIdentity } from "../../files/identity-file.ts";
import type { RunningNode } from "../../node/parts.ts";
import { startNode } from "../../node/start-node.ts";
import { VERSION } from "../../releases/version.ts";
import type { Log } from "../../telemetry/log.ts";
import { renderConfig } from "../init-file.ts";
import { loadConfigText } from "../load-config-file.ts";
import { createSetupAccess, type SetupPlace } from "./access.ts";
import { createSetupDesk, type SetupDesk } from "./desk.ts";
import { enteredFileOf, readEntered, writeEntered } from "./entered.ts";
import { createSetupRoutes } from "./routes.ts";
import { runTestSale } from "./test-sale.ts";
import { createWalletClaims } from "./wallet-claims.ts";

export interface SetupOptions {
  /** Path of the configuration file, which does not exist yet. */
  readonly file: string;
  readonly place: SetupPlace;
  readonly log: Log;
  /** A monotonic clock, ms. */
  readonly elapsed_ms?: () => number;
  /** The port of the preview; default: that of the configuration. */
  readonly port?: number;
}

/** A shop that shows previews and takes no payments, with the pages of the set-up. */
export interface RunningSetup {
  readonly node: RunningNode;
  /** The code that opens the set-up once, within an hour. */
  readonly setup_url: string;
  /** Resolves when the configuration file is written. */
  readonly written: Promise<void>;
  /** Drops the preview's open troubles after its stop, so that no alert reports the end of "nothing can be paid". */
  forgetTroubles(): void;
}

/**
 * Starts the preview of a node that has no configuration file yet.
 * @returns the running preview, or the reason against a start here, as text for people.
 * @throws any error that prevents the start of a node.
 */
export async function startSetup(options: SetupOptions): Promise<RunningSetup | { readonly faults: string }> {
  const { file, log, elapsed_ms = () => performance.now() } = options;
  const loaded = await loadConfigText(renderConfig({}), file);
  if ("faults" in loaded) return loaded;
  const { config, plugins } = loaded;
  const data_dir = resolve(config.data.dir);
  const faults = findOtherNode(data_dir, file);
  if (faults !== null) return { faults };
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  writeEntered(data_dir, readEntered(data_dir));

  const access = createSetupAccess(elapsed_ms);
  const written = Promise.withResolvers<void>();
  let desk: SetupDesk | null = null;
  const identity = loadIdentity(data_dir);
  const claims = createWalletClaims(identity, systemClock.now);
  const node = await startNode({
    config: asPreview(config, options),
    data_dir,
    clock: systemClock,
    log,
    version: VERSION,
    sandbox: null,
    plugins,
    setup_routes: createSetupRoutes({
      access,
      desk: () => desk,
      place: options.place,
      isOver: () => existsSync(file),
      readSecrets: () => ({
        node_key: readFileSync(keyFileOf(data_dir), "utf8"),
        operator_token: readFileSync(join(data_dir, "operator.token"), "utf8").trim(),
      }),
      claims,
      sell: (draft) => runTestSale(draft, data_dir),
      onWritten: written.resolve,
      log: log.info,
    }),
  });
  const { node_id } = identity;
  const products = node.catalog.products.map(({ path, price_usd }) => ({ path, price_usd }));
  const providers = collectProviders(plugins.known).filter(({ key }) => key !== undefined);
  desk = createSetupDesk({ file, data_dir, sellable: { products, providers }, node_id });
  const forgetTroubles = () => rmSync(join(data_dir, "alerts.json"), { force: true });
  const { port } = new URL(node.url);
  const origins: Readonly<Record<string, string>> = { here: node.url, lan: `http://localhost:${port}` };
  const origin = getOwn(origins, options.place) ?? options.place;
  return { node, setup_url: `${origin}/setup?code=${access.code}`, written: written.promise, forgetTroubles };
}

/** The databases in a node's data folder; with the books in PostgreSQL, the first one is absent. */
const DATABASES = ["ledger.db", "kept.db", "market.db"] as const;

/** A folder with databases but without a set-up belongs to a node that lost its file, which must be put back. */
function findOtherNode(data_dir: string, file: string): string | null {
  if (existsSync(enteredFileOf(data_dir))) return null;
  const found = DATABASES.find((name) => existsSync(join(data_dir, name)));
  if (found === undefined) return null;
  const what =
    found === "ledger.db"
      ? `${data_dir} holds the books of a node`
      : `${data_dir} holds ${found} of a node (without ledger.db: its books may be in PostgreSQL)`;
  return (
    `${file} is not there, but ${what}: put its configuration file back, write one with "intel-node init", ` +
    "or start in another folder for a new node"
  );
}

/** A preview takes no payments, sends no alerts, and answers only this machine unless the operator allows more. */
function asPreview(config: Config, { place, port }: SetupOptions): Config {
  const { dir: _, ...backup } = config.backup;
  const { public_url: __, node_id: ___, ...node } = config.node;
  return {
    ...config,
    node: { ...node, cluster: false },
    server: {
      ...config.server,
      host: place === "here" ? "127.0.0.1" : config.server.host,
      ...(port === undefined ? {} : { port }),
      trusted_proxies: [],
    },
    wallets: {},
    facilitators: [],
    alerts: [],
    peers: { ...config.peers, urls: [] },
    welcome: { ...config.welcome, enabled: false },
    ledger: { lease: config.ledger.lease },
    backup,
  };
}
