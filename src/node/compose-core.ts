import { join } from "node:path";
import { createPayeeProver, createPeerIdentities } from "../buyer/peer-identities.ts";
import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import { createDemandLog } from "../catalog/demand.ts";
import { describeThrown, isCodeFault } from "../catalog/describe-thrown.ts";
import { getRunKind } from "../catalog/failed-run.ts";
import { createLiveCatalog, type LiveCatalog } from "../catalog/live-catalog.ts";
import { loadOpenings, type Openings } from "../catalog/openings.ts";
import { createPastGate } from "../catalog/past-gate.ts";
import { createPreviews } from "../catalog/previews.ts";
import { type Answer, type AskingRunner, createRunner } from "../catalog/runner.ts";
import { createInForce, type InForce } from "../config/own-config.ts";
import { systemTimers } from "../core/clock.ts";
import { type ClockWatch, createClockWatch } from "../core/clock-watch.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf, type NodeError } from "../core/errors.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { createSalesFirst } from "../core/sales-first.ts";
import { findCopyOrder, whyNotCopied } from "../files/copy-order.ts";
import { assertNodeId, prepareDataFolder } from "../files/data-folder.ts";
import { freeReserve } from "../files/disk-reserve.ts";
import { findIdentity, keyFileOf, loadIdentity, loadInstance, loadOperatorToken } from "../files/identity-file.ts";
import { findLedgerPlace } from "../files/ledger-place.ts";
import { createSwitchBoard, type SwitchBoard } from "../files/switch-file.ts";
import type { Recovered } from "../ledger/cluster.ts";
import { type Ledger, openLedgerInPostgres, openLedgerInThread } from "../ledger/ledger.ts";
import { renderAddress } from "../ledger/postgres/address.ts";
import { LedgerOpenError } from "../ledger/sqlite/migrate.ts";
import { lockDataDirectory } from "../ledger/sqlite/open.ts";
import type { OwnedWallet } from "../payments/ownership.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { createPastAnswers } from "../stores/past-answers.ts";
import { createStats } from "../telemetry/stats.ts";
import type { NodeWorkshop } from "../threads/workshop.ts";
import { createNodeSigner } from "../trust/node-signer.ts";
import type { Fetch } from "../upstream/attempt.ts";
import type { RunBooks } from "../upstream/client.ts";
import { fetchPeer } from "../upstream/fetch-peer.ts";
import { withSimulatedWindows } from "../upstream/series/simulated-windows.ts";
import { composeSourceShapes } from "../upstream/source-shapes.ts";
import { nameInCluster, stateFacts } from "./cluster-facts.ts";
import { composeCatalog, composeUpstream, loadPlugins } from "./compose-catalog.ts";
import { composeModels, createModelRule } from "./compose-models.ts";
import { loadOwnership, sandboxOwnership } from "./compose-ownership.ts";
import { composePeers } from "./compose-peers.ts";
import { composeProof } from "./compose-proof.ts";
import { composeStores } from "./compose-stores.ts";
import { composeSelfFetch, composeStrangerFetch } from "./compose-stranger-fetch.ts";
import { composeWorkshop } from "./compose-workshop.ts";
import { createNodeFacts, type NodeFactsParts } from "./node-facts.ts";
import type { Core, LoadedPlugins, StartOptions } from "./parts.ts";
import { composeTracer, traceLedger, traceRunner } from "./traces.ts";

type FactParts = Pick<NodeFactsParts, "identity" | "ledger" | "models" | "askSelf">;

/** What the node knows of itself, and of the peers its operator named. */
const composeFacts = ({ config, version, clock }: StartOptions, parts: FactParts) => {
  const listPeers = createPeerIdentities({ urls: config.peers.urls, ask: fetchPeer, clock });
  return createNodeFacts({ config, version, clock, ...parts, listPeers, provePayee: createPayeeProver(clock) });
};

/** Hours of a skipped week pass in milliseconds. */
const WINDOW_WRITES = { write_every_ms: 1_000, elapsed_ms: systemTimers.elapsed_ms } as const;

/**
 * Opens the data folder and builds the catalog.
 * @throws NodeError when another process holds the folder; OwnershipError; LedgerOpenError; CatalogError
 */
export async function composeCore(options: StartOptions): Promise<Core> {
  const { config, clock, version, timers } = options;
  const sandbox = options.sandbox !== null;
  const simulated = options.sandbox && !options.sandbox.live_data ? options.sandbox.world : null;
  const tracer = await composeTracer(options);
  const { unlock, new_ledger } = takeDataFolder(options);
  const own_files = await readOwnFiles(options, unlock);
  const { identity } = own_files;

  const loaded = options.plugins ?? (await loadPlugins(config));
  const in_force = createInForce(config, loaded);
  const switches = createSwitches(options, { in_force, unlock });
  const { opened, live } = await openBesideCatalog(options, { in_force, loaded, unlock, switches });
  const ledger = traceLedger(opened, tracer);
  const { market, stores } = composeStores(options, { is_simulated: simulated !== null, plugins: loaded.plugins });
  const records = ledger.records(simulated ? "sandbox" : "live");
  const played = simulated?.strangersAt(clock.now);
  const askStranger = composeStrangerFetch(config.node.public_url, version, played);
  const signer = createNodeSigner(identity);
  const { peers, ...heads } = composePeers(options, { identity, records, signer, askStranger, stores });
  const spendTogether = ledger.cluster?.spend;
  const models = composeModels({ ...options, sandbox: simulated, store: stores.model_costs, spendTogether });
  const askSelf = played?.askSelf ?? composeSelfFetch(config.node.public_url, version);
  const own = composeFacts(options, { identity, ledger, models, askSelf });
  const books = { records, signer, peers, askStranger, ...openStored(stores, clock), node: own.facts };
  const clock_watch = sandbox ? null : createClockWatch({ clock, timers: timers ?? systemTimers });
  const shapes = composeSourceShapes(options, simulated !== null);
  const found = { in_force, plugins: loaded.plugins, sandbox: simulated, switches: switches.read };
  const reach = reachUpstreams(simulated, clock_watch);
  const watched = { tracer, onAnswer: shapes.note };
  const upstream = composeUpstream({ ...options, ...found, ...watched, ...reach, books, market, spendTogether });
  const { catalog } = live;
  await stateCatalog(options, { ledger, node_id: identity.node_id, catalog, unlock });
  own.noteCatalog(catalog);

  const history = readHistory(options, simulated, stores.history);
  const gates = { past: createPastGate(), sales_first: createSalesFirst() };
  const parts = { history, ...gates, upstream, catalog, models, tracer };
  const proof = composeProof(options, { node_id: identity.node_id, ledger, records, signer, catalog });
  const made_by = { node_id: identity.node_id, workshop: composeWorkshop(options, identity.node_id) };
  const running = composeRunner(options, { ...parts, ...heads, inputs: proof.inputs, ...made_by });
  const openings = await loadOpenings({ products: catalog.products, records, clock });
  return {
    in_force,
    switches,
    ...createExchange({ in_force, live, ...made_by }, openings),
    workshop: made_by.workshop,
    ...own_files,
    new_ledger,
    started_at_ms: clock.now(),
    clock,
    clock_watch,
    ledger,
    records,
    askStranger,
    ...heads,
    market,
    stores,
    ...proof,
    ...parts,
    facts: own.facts,
    notePublicURL: own.notePublicURL,
    source_changes: shapes.changes,
    ...running,
    previews: createPreviews({ node_id: identity.node_id, sandbox, clock, store: market, runner: running.runner }),
    stats: createStats(clock),
    refused_datasets: new Map(),
    unlock,
  };
}

/** What runs may read of what the node keeps. */
const openStored = (
  { table, datasets }: ReturnType<typeof composeStores>["stores"],
  clock: StartOptions["clock"],
): Pick<RunBooks, "table" | "dataset"> => ({
  table,
  dataset: async (dataset) => datasets.open(dataset, clock.now()),
});

/**
 * States in the books what this node sells, and says which plugins were refused. A start that fails here leaves
 * neither the books open nor the folder taken.
 */
async function stateCatalog(
  { config, log }: StartOptions,
  facts: { readonly ledger: Ledger; readonly node_id: string; readonly catalog: Catalog; readonly unlock: () => void },
): Promise<void> {
  const { ledger, node_id, catalog, unlock } = facts;
  try {
    await stateFacts(ledger, { config, node_id, catalog, log, must_agree: true });
  } catch (error) {
    await ledger.close();
    unlock();
    throw error;
  }
  for (const fault of catalog.faults) log.error({ event: "plugin_refused", ...fault });
}

/** What was stored before the node began is read off the simulated market; from then on its jobs store it. */
function readHistory(
  { clock, sandbox }: StartOptions,
  simulated: Sandbox | null,
  stored: Core["stores"]["history"],
): Core["stores"]["history"] {
  if (sandbox?.seed_history !== true || simulated === null) return stored;
  const begun_ms = clock.now();
  return withSimulatedWindows(stored, simulated.world, { ...WINDOW_WRITES, until: () => begun_ms });
}

/** The way to the sources: simulated ones, or the network with what its answers say of the clock. */
function reachUpstreams(simulated: Sandbox | null, watch: ClockWatch | null): { readonly fetch?: Fetch } {
  if (simulated !== null) return { fetch: simulated.fetch };
  if (watch === null) return {};
  return {
    async fetch(url, init) {
      const response = await fetch(url, init);
      watch.note(url, response.headers);
      return response;
    },
  };
}

interface First {
  readonly in_force: InForce;
  readonly loaded: LoadedPlugins;
  readonly unlock: () => void;
  readonly switches: SwitchBoard;
}

/** What is switched off. A start that fails here leaves the folder as it was. @throws Error see `loadSwitches` */
function createSwitches(
  { data_dir, clock }: StartOptions,
  { in_force, unlock }: Pick<First, "in_force" | "unlock">,
): SwitchBoard {
  try {
    return createSwitchBoard(data_dir, { in_force, now_ms: clock.now });
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Opens the books, and makes the catalog while their thread does so, which takes as long. A start that fails here
 * leaves neither the books open nor the folder taken.
 * @throws LedgerOpenError; CatalogError
 */
async function openBesideCatalog(
  options: StartOptions,
  first: First,
): Promise<{ readonly opened: Ledger; readonly live: LiveCatalog }> {
  const opening = openBooks(options);
  try {
    const live = createLiveCatalog(judgeCatalog(options, first));
    return { live, opened: await opening };
  } catch (error) {
    await opening.then(
      (opened) => opened.close(),
      () => undefined,
    );
    first.unlock();
    throw error;
  }
}

/** What is sold first, as a reload judges it: by the configuration alone. */
function judgeCatalog(
  { config, clock, log, version, sandbox }: StartOptions,
  { in_force, loaded, switches }: Pick<First, "in_force" | "loaded" | "switches">,
): Catalog {
  const simulated = sandbox && !sandbox.live_data ? sandbox.world : null;
  const upstream = composeUpstream({
    in_force,
    config,
    plugins: loaded.plugins,
    clock,
    log,
    version,
    sandbox: simulated,
  });
  const models = createModelRule(config, simulated);
  return composeCatalog(config, loaded, { upstream, models, switches: switches.read() });
}

/** Opens the books, and ends what a crash left open in them. */
async function openBooks({ config, data_dir, clock, log }: StartOptions): Promise<Ledger> {
  const { file, address } = findLedgerPlace(config.ledger, data_dir);
  const unfit = whyNotCopied(config);
  if (unfit !== null) throw new LedgerOpenError(unfit);
  const copy = findCopyOrder(config.copy, findIdentity(data_dir)) ?? undefined;
  const seat = {
    name: nameInCluster(config.node),
    seat_ms: parseDuration(config.ledger.lease),
    onRecovered: (left: Recovered) => log.warn({ event: "recovered_for_others", ...left }),
  };
  const ledger =
    address === null
      ? await openLedgerInThread({ file, clock, copy })
      : await openLedgerInPostgres({ address, clock, owner: loadInstance(data_dir), seat });
  if (address !== null) log.info({ event: "ledger_opened", database: renderAddress(address) });
  ledger.onHalt((reason) => log.error({ event: "ledger_halted", reason }));
  ledger.onTrouble((reason) =>
    log.error({ event: reason === null ? "ledger_writes_again" : "ledger_refuses", reason }),
  );
  const recovered = await ledger.payments.recover();
  const holds = await ledger.charges.recover();
  const coupons = await ledger.coupons.recover();
  const moves = await ledger.channels.recover();
  if (moves > 0) log.warn({ event: "recovered_channels", moves });
  if (recovered.abandoned + recovered.unknown + holds + coupons > 0) {
    log.warn({ event: "recovered", ...recovered, holds, coupons });
  }
  return ledger;
}

interface Exchanged {
  readonly in_force: InForce;
  readonly live: LiveCatalog;
  readonly workshop: NodeWorkshop;
}

/** What a reload puts in the place of what was sold before. */
function createExchange({ in_force, live, workshop }: Exchanged, first: Openings): Pick<Core, "exchange" | "openings"> {
  let openings = first;
  return {
    exchange(next) {
      in_force.exchange(next.config, next.loaded);
      live.exchange(next.catalog);
      workshop.renew();
      openings = next.openings;
    },
    openings: { get: (path) => openings.get(path), refresh: () => openings.refresh() },
  };
}

type RunnerParts = Pick<
  Core,
  "history" | "past" | "sales_first" | "upstream" | "catalog" | "models" | "tracer" | "inputs"
> & {
  readonly node_id: string;
  readonly stand_ins: Core["stand_ins"];
  readonly workshop: NodeWorkshop;
};

/** What runs the products, and what is known of their runs so far. */
function composeRunner(
  { clock, timers, log, sandbox }: StartOptions,
  { node_id, history, past, sales_first, upstream, catalog, models, tracer, inputs, stand_ins, workshop }: RunnerParts,
): Pick<Core, "runner" | "past_answers" | "last_success" | "last_run" | "failing_since" | "noteRun"> {
  const last_success = new Map<string, { at_ms: number; as_of_ms: number }>();
  const last_run = new Map<string, boolean>();
  const failing_since = new Map<string, number>();
  const noteRun = (id: string, ok: boolean): void => {
    last_run.set(id, ok);
    if (ok) failing_since.delete(id);
    else if (!failing_since.has(id)) failing_since.set(id, clock.now());
  };
  const noteDemand = createDemandLog({
    history,
    now: clock.now,
    onFault: (error) => log.warn({ event: "demand_not_noted", error: messageOf(error) }),
  });
  const runner = createRunner({
    node_id,
    sandbox: sandbox !== null,
    clock,
    timers,
    workshop,
    history,
    past: past.waitFor,
    standBack: sales_first.standBack,
    createContext: upstream.createContext,
    models,
    find: catalog.get,
    ...(inputs === null ? {} : { origins: inputs }),
    ...(stand_ins === null ? {} : { stand_ins }),
    onFailure: (product: CatalogProduct, error: unknown, answer: NodeError) => {
      const kind = getRunKind(answer);
      // What one request brought about changes nothing that others see.
      if (kind === "failed") noteRun(product.id, false);
      const event = kind === "failed" ? "product_failed" : "product_without_data";
      const told = { event, product: product.id, kind, ...describeThrown(error, product.definition) };
      if (kind !== "failed") log.info(told);
      else if (isCodeFault(error)) log.error(told);
      else log.warn(told);
    },
    onRun: ({ id }) => noteRun(id, true),
    onSuccess: (product: CatalogProduct, { as_of_ms }: Answer, is_wanted: boolean) => {
      last_success.set(product.id, { at_ms: clock.now(), as_of_ms });
      if (is_wanted) noteDemand(product.id);
    },
  });
  const past_answers = createPastAnswers({ inputs, clock });
  const with_past = past_answers.withPast(traceRunner(runner, tracer));
  return { runner: withoutOff(with_past, catalog), past_answers, last_success, last_run, failing_since, noteRun };
}

/** Makes nothing that is switched off: not for a call that began before, nor for one that brings an old payment. */
const withoutOff = (runner: AskingRunner, { findOff }: Pick<Catalog, "findOff">): AskingRunner => ({
  ...runner,
  fresh: (product, request) => (findOff(product.path) ? null : runner.fresh(product, request)),
  produce(product, request, by) {
    const off = findOff(product.path);
    return off ? Promise.reject(off.refuse()) : runner.produce(product, request, by);
  },
});

/** Takes the folder for this process, and says what is new in it. */
function takeDataFolder({ config, data_dir, listen, log }: StartOptions) {
  prepareDataFolder(data_dir);
  if (freeReserve(data_dir)) log.warn({ event: "disk_reserve_freed", folder: data_dir, hint: "The disk is full." });
  assertNodeId(data_dir, config.node.node_id);
  const unlock = lockDataDirectory(data_dir, { is_successor: listen?.handover_socket !== undefined });
  // Once it is locked: a hand-over that was cut off may have left the ledger without its name.
  const { new_ledger: no_file, new_identity } = prepareDataFolder(data_dir);
  const new_ledger = no_file && config.ledger.url === undefined;
  if (new_ledger) log.info({ event: "new_ledger", file: join(data_dir, "ledger.db") });
  if (new_identity && !no_file) {
    const hint = "The ledger had another key: receipts, prepaid keys and coupons of before do not hold. Put it back.";
    log.warn({ event: "new_identity", file: keyFileOf(data_dir), hint });
  }
  return { unlock, new_ledger };
}

/** What the data folder says of who the node is. @throws SecretFileError, OwnershipError */
async function readOwnFiles(options: StartOptions, unlock: () => void) {
  const { data_dir } = options;
  try {
    const identity = loadIdentity(data_dir);
    const operator_token = loadOperatorToken(data_dir);
    return { identity, operator_token, wallets: await readOwnership(options, identity) };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function readOwnership(options: StartOptions, identity: NodeIdentity): Promise<readonly OwnedWallet[]> {
  const { config, data_dir, sandbox, log } = options;
  if (sandbox !== null) return sandboxOwnership(config);
  const wallets = await loadOwnership({ config, data_dir, identity });
  for (const { network, proof, other_keys } of wallets) {
    if (proof === null && other_keys > 0) log.warn({ event: "wallet_names_another_key", network: network.id });
  }
  return wallets;
}
