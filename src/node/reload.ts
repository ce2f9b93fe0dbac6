import type { ReloadReport } from "../admin/operated-node.ts";
import type { SwitchDesk } from "../admin/switch-desk.ts";
import { type Catalog, CatalogError, renderFault } from "../catalog/catalog.ts";
import { loadOpenings } from "../catalog/openings.ts";
import type { LoadedPlugin } from "../catalog/plugin.ts";
import type { Switches } from "../catalog/switched-off.ts";
import { type ExplainedKey, explainConfig } from "../config/explain.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { systemTimers } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { readSwitches, type StoredSwitches } from "../files/switch-file.ts";
import { stateFacts } from "./cluster-facts.ts";
import { composeCatalog, composeUpstream } from "./compose-catalog.ts";
import { createModelRule, readModelsConfig } from "./compose-models.ts";
import { walletsOf } from "./compose-payments.ts";
import { listChanges, mergeConfig, needsRestart } from "./config-changes.ts";
import type { ConfigSource, Core, Gate, LoadedPlugins, Offered, StartOptions } from "./parts.ts";

export interface ReloadParts {
  readonly gate: Gate;
  /** Puts every route in place anew. */
  readonly renewRoutes: () => void;
  readonly renewJobs: () => Promise<void>;
  readonly configureAlerts: (config: Config) => void;
}

/** One reload after another: a request while one is under way gets the next one. */
export function createReload(options: StartOptions, core: Core, parts: ReloadParts): Reload {
  const { source, log } = options;
  let read = source?.first ?? null;
  let last: Promise<unknown> = Promise.resolve();
  const reload = async (): Promise<ReloadReport> => {
    if (!source) return { ok: false, faults: "This node was started without a configuration file." };
    const report = await reloadOnce(source, on, (next) => {
      read = next;
    });
    if (report.ok) log.warn({ event: "reloaded", changed: report.changed, needs_restart: report.needs_restart });
    else log.error({ event: "reload_refused", faults: report.faults });
    return report;
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const on = { ...options, core, parts };
  return {
    reload: () => inTurn(reload),
    desk: {
      config: () => core.in_force.config,
      stored: () => core.switches.stored,
      catalog: () => core.catalog,
      judge: (stored) => judge(on, nextOf(core, stored)),
      put: (change) => inTurn(() => putSwitches(on, change(core.switches.stored))),
      now_ms: core.clock.now,
    },
    explain: () => (read === null ? [] : explainConfig({ ...read, config: core.in_force.config })),
  };
}

export interface Reload {
  readonly reload: () => Promise<ReloadReport>;
  /** Switches products and providers off and on, one change after another, reloads among them. */
  readonly desk: SwitchDesk;
  /** Every key with its value in force; where it comes from as the file says now. */
  readonly explain: () => readonly ExplainedKey[];
}

type Reloading = StartOptions & { readonly core: Core; readonly parts: ReloadParts };

async function reloadOnce(
  source: ConfigSource,
  on: Reloading,
  onTaken: (read: LoadedConfig) => void,
): Promise<ReloadReport> {
  const { core } = on;
  const read = await source.load();
  if ("faults" in read) return { ok: false, faults: read.faults };
  const changes = listChanges(core.in_force.config, read.config);
  const held = holdBack(core, read.plugins);
  const config = mergeConfig(core.in_force.config, read.config);
  const prepared = await prepare(on, { config, loaded: held.loaded, stored: core.switches.stored });
  if ("faults" in prepared) return { ok: false, faults: prepared.faults };
  const renamed = listPluginChanges(core.in_force.loaded, held.loaded);
  onTaken(read.read);
  await commit(on, prepared, read.secrets);
  await on.parts.renewJobs();
  return {
    ok: true,
    changed: [...changes.filter((key) => !needsRestart(key, config)), ...renamed],
    needs_restart: [...changes.filter((key) => needsRestart(key, config)), ...held.needs_restart],
  };
}

/**
 * A plugin's tables and datasets are opened once. One that comes back changed, and keeps any, stays as it was until the
 * next start.
 */
function holdBack(core: Core, loaded: LoadedPlugins): { loaded: LoadedPlugins; needs_restart: readonly string[] } {
  const before = new Map(core.in_force.loaded.known.map((plugin) => [plugin.id, plugin]));
  const keeps = ({ tables = [], datasets = [] }: LoadedPlugin): readonly object[] => [...tables, ...datasets];
  const held = new Map<string, LoadedPlugin>();
  for (const plugin of loaded.known) {
    const old = before.get(plugin.id);
    if (!old || keeps(old).length === 0) continue;
    const [now, then] = [keeps(plugin), keeps(old)];
    if (now.length !== then.length || now.some((one, index) => one !== then[index])) held.set(plugin.id, old);
  }
  const pick = (plugins: readonly LoadedPlugin[]) => plugins.map((plugin) => held.get(plugin.id) ?? plugin);
  return {
    loaded: { ...loaded, plugins: pick(loaded.plugins), known: pick(loaded.known) },
    needs_restart: [...held.values()].map(({ id, file }) => `plugin ${id} (${file}): it keeps tables or datasets`),
  };
}

/** What is to be sold from now on. */
interface Next {
  readonly config: Config;
  readonly loaded: LoadedPlugins;
  readonly stored: StoredSwitches;
}

/** What would be sold: nothing of it is in force, and nobody is called. @throws CatalogError */
function judge(
  { clock, log, version, sandbox, timers = systemTimers }: Reloading,
  { config, loaded, stored }: Next,
): Catalog {
  const simulated = worldOf(sandbox);
  const upstream = composeUpstream({
    config,
    plugins: loaded.known,
    clock,
    timers,
    log,
    version,
    sandbox: simulated,
  });
  const models = createModelRule(config, simulated);
  return composeCatalog(config, loaded, { upstream, models, switches: readSwitches(config, stored, clock.now) });
}

/** @throws Error when it cannot be written; CatalogError. Nothing has changed then. */
async function putSwitches(on: Reloading, stored: StoredSwitches): Promise<void> {
  const { core, clock, log, parts } = on;
  const { config, loaded } = nextOf(core, stored);
  const catalog = judge(on, { config, loaded, stored });
  const openings = await loadOpenings({ products: catalog.products, records: core.records, clock });
  core.switches.store(stored);
  await commit(on, { config, loaded, catalog, openings }, null);
  log.warn({ event: "switched", ...nameSwitches(core.switches.read()) });
  // What was not asked for a while takes its time to answer: the reload does not wait for it.
  void parts.renewJobs().catch((error: unknown) => log.error({ event: "jobs_not_renewed", error: messageOf(error) }));
}

/** The same products and configuration, with other switches. */
const nextOf = ({ in_force: { config, loaded } }: Core, stored: StoredSwitches): Next => ({
  config,
  loaded: { ...loaded, faults: loaded.faults ?? [] },
  stored,
});

const nameSwitches = ({ products, providers }: Switches) => ({
  products_off: products.map(({ name }) => name),
  providers_off: providers.map(({ name }) => name),
});

/** Makes everything that may fail; nothing of it is in force yet. */
async function prepare(on: Reloading, next: Next): Promise<Offered | { readonly faults: string }> {
  const { core, clock, sandbox } = on;
  const { config, loaded } = next;
  const unseen = findUnseen(config, sandbox !== null);
  if (unseen.length > 0) return { faults: unseen.join("\n") };
  const known = new Set(core.catalog.faults.map(renderFault));
  try {
    const catalog = judge(on, next);
    const faults = [...catalog.faults, ...core.stores.add(loaded.plugins)].map(renderFault);
    const further = faults.filter((fault) => !known.has(fault));
    if (further.length > 0) return { faults: further.join("\n") };
    const openings = await loadOpenings({ products: catalog.products, records: core.records, clock });
    return { config, loaded, catalog, openings };
  } catch (error) {
    if (error instanceof CatalogError) return { faults: error.message };
    throw error;
  }
}

/** The world that plays the upstreams; null where they are the real ones. */
const worldOf = (sandbox: StartOptions["sandbox"]) => (sandbox && !sandbox.live_data ? sandbox.world : null);

/** Networks that would have to be seen on their chain, where a start without an endpoint would fail. */
const findUnseen = (config: Config, is_sandbox: boolean): readonly string[] =>
  config.payments.confirm_always && !is_sandbox
    ? walletsOf(config, config.payments.testnet)
        .filter(({ network }) => (config.chains[network.chain]?.rpc ?? []).length === 0)
        .map(({ network }) => `[payments] confirm_always: ${network.title} needs [chains.${network.chain}] rpc`)
    : [];

/**
 * Nothing in here may fail: everything is exchanged in one turn. The jobs follow.
 * @param secrets of the new configuration; null where it is the one in force.
 */
async function commit(
  { core, log, parts, sandbox }: Reloading,
  next: Offered,
  secrets: readonly string[] | null,
): Promise<void> {
  const { gate } = parts;
  const { config } = next;
  gate.earlier_prices.note(core.catalog.products, next.catalog.products);
  core.models.configure(readModelsConfig(config, worldOf(sandbox)));
  core.exchange(next);
  gate.configure(config.limits);
  gate.challenges.refresh();
  parts.renewRoutes();
  parts.configureAlerts(config);
  if (secrets !== null) log.configure({ level: config.log.level, secrets });
  // What no other node may start with while this one sells something else. The database may be away: it is said anew
  // with the next reload, and nobody's money depends on it.
  await stateFacts(core.ledger, {
    config,
    node_id: core.identity.node_id,
    catalog: next.catalog,
    log,
    must_agree: false,
  }).catch((error: unknown) => log.warn({ event: "cluster_not_told", error: messageOf(error) }));
}

/** Plugins that came, went, or whose file changed. */
function listPluginChanges(
  before: Pick<LoadedPlugins, "plugins">,
  after: Pick<LoadedPlugins, "plugins">,
): readonly string[] {
  const digest = ({ products, jobs }: LoadedPlugin): readonly object[] => [
    ...products.map((one) => one.product),
    ...jobs,
  ];
  const old = new Map(before.plugins.map((plugin) => [plugin.id, digest(plugin)]));
  const came = after.plugins.flatMap((plugin) => {
    const then = old.get(plugin.id);
    old.delete(plugin.id);
    if (then === undefined) return [`plugin ${plugin.id}: came`];
    const now = digest(plugin);
    const same = now.length === then.length && now.every((one, index) => one === then[index]);
    return same ? [] : [`plugin ${plugin.id}: changed`];
  });
  return [...came, ...[...old.keys()].map((id) => `plugin ${id}: went`)];
}
