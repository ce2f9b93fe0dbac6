import { createBasketPlugin } from "../catalog/basket.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { createCatalog } from "../catalog/catalog.ts";
import { type Models, NO_MODELS } from "../catalog/model.ts";
import { createPlanProducts, createPlans } from "../catalog/plans.ts";
import type { LoadedPlugin } from "../catalog/plugin.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import { type Switches, toSwitchReason } from "../catalog/switched-off.ts";
import { createInForce, type InForce } from "../config/own-config.ts";
import type { Config, ProviderTable } from "../config/schema.ts";
import type { Clock, Timers } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import type { SpendTogether } from "../core/shared-budget.ts";
import { loadOperatorPlugins } from "../plugin-host/load-plugins.ts";
import { registry } from "../plugins/registry.gen.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { FREE_ENDPOINTS } from "../surfaces/free-endpoints.ts";
import { surfaces } from "../surfaces/surfaces.gen.ts";
import type { Log } from "../telemetry/log.ts";
import type { Tracer } from "../telemetry/tracer.ts";
import type { Fetch } from "../upstream/attempt.ts";
import { createUpstream, type RunBooks, type Upstream } from "../upstream/client.ts";
import type { WatchCall } from "../upstream/flight-shared.ts";
import type { QuotaStore, Quotas } from "../upstream/quotas.ts";
import type { ProviderSettings } from "../upstream/settings.ts";
import type { SeenAnswer } from "../upstream/shape-watch.ts";
import type { LoadedPlugins } from "./parts.ts";
import { findOwnPaths } from "./self-payment.ts";
import { traceFetch, traceUpstream } from "./traces.ts";

/** Paths the node itself answers; a product that wants one is refused. */
const NODE_PATHS: readonly string[] = [
  ...surfaces.map(({ path }) => path),
  ...FREE_ENDPOINTS.map(({ path }) => path),
  "/badges",
  "/payments",
  "/.well-known",
  "/admin",
  "/mcp",
  "/a2a",
];

/** Limits protect the providers' servers; the simulated ones run in this process, and a sandbox starts at once. */
const SIMULATED_RATE_PER_S = 100_000;

/** Built-in plugins and the operator's, without the disabled ones. */
export async function loadPlugins({
  plugins: { dir, disabled },
}: {
  readonly plugins: { readonly dir?: string; readonly disabled: readonly string[] };
}): Promise<LoadedPlugins> {
  const own = dir ? await loadOperatorPlugins(dir) : { plugins: [], faults: [] };
  const seen = new Set(registry.map((plugin) => plugin.id));
  const faults = [...own.faults];
  const added: LoadedPlugin[] = [];
  for (const plugin of own.plugins) {
    if (seen.has(plugin.id)) faults.push({ file: plugin.file, message: `plugin id "${plugin.id}" is already taken` });
    else added.push(plugin);
    seen.add(plugin.id);
  }
  const known = [...registry, ...added];
  return { plugins: known.filter((plugin) => !disabled.includes(plugin.id)), known, faults };
}

interface UpstreamParts {
  readonly config: Config;
  /** Whose tables of the configuration runs may read. */
  readonly plugins: readonly LoadedPlugin[];
  /** Where the configuration may change while the node runs. */
  readonly in_force?: InForce;
  readonly clock: Clock;
  readonly timers?: Timers | undefined;
  readonly log: Log;
  readonly version: string;
  /** Set when upstreams are simulated. */
  readonly sandbox: Sandbox | null;
  /** The way to the upstreams; the network unless given. */
  readonly fetch?: Fetch;
  /** Where what is answered is kept as it came. */
  readonly watchCall?: WatchCall | undefined;
  /** Told of each good JSON answer as it came. */
  readonly onAnswer?: ((answer: SeenAnswer) => void) | undefined;
  /** Needed to run products or jobs. */
  readonly books?: RunBooks;
  /** Where what is spent of publishers' quotas is kept. */
  readonly market?: { readonly quotas: QuotaStore };
  /** Where several nodes spend from the same quotas. */
  readonly spendTogether?: SpendTogether | undefined;
  /** Where requests are traced. */
  readonly tracer?: Tracer | undefined;
  /** What is switched off, asked whenever it matters; nothing unless given. */
  readonly switches?: (() => Switches) | undefined;
}

/** The operator's own plan with a publisher. */
function quotasOf(table: ProviderTable | undefined): Quotas {
  return {
    ...(table?.quota_minute === undefined ? {} : { minute: table.quota_minute }),
    ...(table?.quota_hour === undefined ? {} : { hour: table.quota_hour }),
    ...(table?.quota_day === undefined ? {} : { day: table.quota_day }),
    ...(table?.quota_month === undefined ? {} : { month: table.quota_month }),
  };
}

export function composeUpstream(parts: UpstreamParts): Upstream {
  const { config, plugins, clock, timers, log, version, sandbox, books, market, spendTogether, tracer } = parts;
  const fetch = tracer === undefined ? parts.fetch : traceFetch(parts.fetch ?? globalThis.fetch, tracer);
  const { in_force = createInForce(config, { plugins, known: plugins }) } = parts;
  // The sandbox's publishers are nobody who could write.
  const contact = config.node.contact_email ?? (sandbox ? "sandbox@example.com" : undefined);
  const settings = (provider: ProviderDefinition): ProviderSettings => {
    const table = in_force.config.providers.tables[provider.id];
    const off = parts.switches?.().providers.find(({ name }) => name === provider.id);
    const rate_per_s = table?.rate_per_s ?? (sandbox ? SIMULATED_RATE_PER_S : undefined);
    return {
      enabled: table?.enabled ?? true,
      ...(off === undefined ? {} : { switched_off: toSwitchReason(off) }),
      terms_ack: table?.terms_ack ?? false,
      ...(table?.api_key === undefined ? {} : { api_key: table.api_key }),
      ...(table?.client_id === undefined ? {} : { client_id: table.client_id }),
      ...(table?.client_secret === undefined ? {} : { client_secret: table.client_secret }),
      quotas: quotasOf(table),
      host_url: (host) => (sandbox ? sandbox.upstreamUrl(provider.id, host) : table?.hosts?.[host]),
      ...(rate_per_s === undefined ? {} : { rate_per_s }),
      ...(table?.timeout === undefined ? {} : { timeout_ms: parseDuration(table.timeout) }),
      ...(sandbox && provider.chains === undefined
        ? { base_url: sandbox.upstreamUrl(provider.id) }
        : table?.base_url === undefined
          ? {}
          : { base_url: table.base_url }),
    };
  };
  const upstream = createUpstream({
    clock,
    ...(timers ? { timers } : {}),
    settings,
    version,
    get allow_terms() {
      return in_force.config.providers.allow_terms;
    },
    config: in_force.own,
    chain_rpc: (chain) => (sandbox ? [sandbox.rpcUrl(chain)] : in_force.config.chains[chain]?.rpc),
    simulated: sandbox !== null,
    ...(contact === undefined ? {} : { contact }),
    ...(market ? { quota_store: market.quotas } : {}),
    ...(spendTogether ? { spendTogether } : {}),
    ...(books ? { books } : {}),
    ...(fetch ? { fetch } : {}),
    ...(parts.onAnswer ? { onAnswer: parts.onAnswer } : {}),
    ...(parts.watchCall ? { watchCall: parts.watchCall } : {}),
    // A call that worked is in the answer's sources; the log is for what did not.
    log: (event) => {
      // A feed may be odd for weeks: the buyer's warnings and the metric say it, the log to who looks for it.
      if (event.event === "upstream_rows") return log.debug({ ...event });
      if (event.event !== "upstream_call" || !(event.ok || isAnswer(event))) log.info({ ...event });
    },
  });
  return traceUpstream(upstream, tracer);
}

/** A body that its request knows to mean "no such thing": an answer, of which a scan of markets has hundreds. */
const isAnswer = ({ error, status }: { readonly error?: string; readonly status?: number }): boolean =>
  error === "upstream_not_found" && status !== undefined && status < 400;

/** A share in hundredths of a percent, which is as fine as it is configured. */
const toBps = (share: number): bigint => BigInt(Math.round(share * 10_000));

interface CatalogParts {
  /** One that knows of no switches: they are put over it here. */
  readonly upstream: Upstream;
  readonly models?: Pick<Models, "whyNot">;
  /** What is switched off; nothing unless given. */
  readonly switches?: Switches;
}

/** @throws CatalogError when a built-in product is faulty. */
export function composeCatalog(
  config: Config,
  { plugins, known, faults }: LoadedPlugins,
  { upstream, models = NO_MODELS, switches }: CatalogParts,
): Catalog {
  const own_paths = findOwnPaths(config, { known });
  const sold = plugins.map((plugin) => ({
    ...plugin,
    products: plugin.products.filter(({ product }) => !own_paths.includes(product.path)),
  }));
  const on_sale = createPlans(config.plans);
  const catalog = createCatalog({
    plugins: [...(own_paths.length > 0 ? sold : plugins), createPlanProducts(on_sale, config.prices)],
    prices: config.prices,
    metering: config.metering,
    brand: config.node.brand,
    ...(config.node.public_url === undefined ? {} : { public_url: config.node.public_url }),
    aliases: config.aliases,
    ...(config.basket.enabled
      ? {
          beside: (sold, findOff) => createBasketPlugin(sold, { discount_bps: toBps(config.basket.discount), findOff }),
        }
      : {}),
    preview_delay_ms: parseDuration(config.preview.delay),
    reserved_paths: [...NODE_PATHS, ...own_paths],
    ...(switches === undefined ? {} : { switches }),
    whyNot: upstream.whyNot,
    whyNoModel: models.whyNot,
    config: upstream.config,
  });
  return { ...catalog, faults: [...faults, ...catalog.faults] };
}
