import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { assertOperator } from "../admin/status.ts";
import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import { createPreviews } from "../catalog/previews.ts";
import { type Answer, createRunner } from "../catalog/runner.ts";
import type { Config } from "../config/schema.ts";
import type { Clock, SettableClock } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { createRequestIds } from "../core/ids.ts";
import { createApp } from "../http/app.ts";
import { createExchanges, type Handler } from "../http/exchange.ts";
import { createDocuments, createFreeRoutes } from "../http/free-routes.ts";
import { createRateLimits, isLoopback } from "../http/limits.ts";
import { createResponder } from "../http/respond.ts";
import { startServer } from "../http/server.ts";
import { createLedgerJobs } from "../jobs/ledger-jobs.ts";
import { createPluginJobs } from "../jobs/plugin-jobs.ts";
import { createPreviewJobs } from "../jobs/previews.ts";
import { createScheduler, type JobStatus } from "../jobs/scheduler.ts";
import type { AuditReport } from "../ledger/audit.ts";
import { openLedger } from "../ledger/ledger.ts";
import { lockDataDirectory } from "../ledger/open.ts";
import { createChallenges } from "../payments/challenges.ts";
import type { FacilitatorStatus } from "../payments/facilitators/pool.ts";
import { createPaymentAccess } from "../payments/gate/payment-access.ts";
import { familyOf } from "../payments/networks/families.ts";
import { createReconciler } from "../payments/reconcile.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { renderErrors } from "../surfaces/errors.ts";
import { renderPricing } from "../surfaces/pricing.ts";
import type { Log } from "../telemetry/log.ts";
import { createStats } from "../telemetry/stats.ts";
import { openMarketDb } from "../upstream/market-db.ts";
import { composeCatalog, composeUpstream, type LoadedPlugins, loadPlugins, NODE_PATHS } from "./compose-catalog.ts";
import { createPool, operatorAddresses, type Wallet, walletsOf } from "./compose-payments.ts";
import { loadIdentity, loadOperatorToken } from "./identity-file.ts";
import { renderLive } from "./live.ts";
import { seedSandboxHistory } from "./seed-sandbox.ts";

export interface StartOptions {
  readonly config: Config;
  readonly data_dir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Set by `demo`: money, and unless data is live also upstreams, come from it. */
  readonly sandbox: SandboxOptions | null;
  /** Loaded already when the configuration was checked; saves a second import. */
  readonly plugins?: LoadedPlugins;
}

export interface SandboxOptions {
  readonly world: Sandbox;
  readonly clock: SettableClock;
  readonly live_data: boolean;
  /** Live through a moment before now first, so that previews are ready at once. */
  readonly seed_history: boolean;
}

export interface RunningNode {
  readonly url: string;
  readonly public_url: string;
  readonly identity: NodeIdentity;
  readonly operator_token: string;
  readonly catalog: Catalog;
  readonly wallets: readonly Wallet[];
  readonly setLimits: (enabled: boolean) => void;
  /** Renders every 402 again, with the newest previews. */
  readonly refreshChallenges: () => void;
  readonly audit: () => AuditReport;
  readonly facilitators: () => readonly FacilitatorStatus[];
  readonly jobs: () => readonly JobStatus[];
  /** Resolves when facilitators were asked, open settlements looked up and the first previews taken. */
  readonly settled: Promise<void>;
  /**
   * Refuses what is new, finishes and settles what is in flight, writes everything to disk.
   * @param onWait told once a second what it still waits for.
   */
  stop(onWait: (what: string) => void): Promise<void>;
}

const CHALLENGE_REFRESH_MS = 30_000;

/** Wires the whole node: the only place that knows every module. */
export async function startNode(options: StartOptions): Promise<RunningNode> {
  const { config, data_dir, clock, log, version } = options;
  const sandbox = options.sandbox?.world ?? null;
  const started_at_ms = clock.now();
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  chmodSync(data_dir, 0o700);
  const unlock = lockDataDirectory(data_dir);
  const identity = loadIdentity(data_dir);
  const operator_token = loadOperatorToken(data_dir);
  const { node_id } = identity;

  // Books and data.
  const ledger = openLedger({ file: join(data_dir, "ledger.db"), clock });
  ledger.onHalt((reason) => log.error({ event: "ledger_halted", reason }));
  const recovered = await ledger.payments.recover();
  if (recovered.abandoned + recovered.unknown > 0) log.warn({ event: "recovered", ...recovered });
  // Simulated series must never be read as real ones: they get a file of their own.
  const simulated = options.sandbox && !options.sandbox.live_data ? sandbox : null;
  const market_file = simulated ? "market-sandbox.db" : "market.db";
  const market = openMarketDb(join(data_dir, market_file), { clock, log: (event) => log.warn({ ...event }) });
  const upstream = composeUpstream({ config, clock, log, version, sandbox: simulated });
  const catalog = composeCatalog(config, options.plugins ?? (await loadPlugins(config)), upstream);
  for (const fault of catalog.faults) log.error({ event: "plugin_refused", ...fault });

  // Money.
  const wallets = walletsOf(config, sandbox !== null || config.payments.testnet);
  const operator_addresses = operatorAddresses(config);
  const pool = createPool({ config, wallets, clock, log });
  const labelOf = (payer: string, pay_to: string) =>
    operator_addresses.has(payer) || payer === pay_to.toLowerCase() ? ("operator-test" as const) : ("organic" as const);
  const rpc_urls = (chain: string) => (sandbox ? [sandbox.rpcUrl(chain)] : (config.chains[chain]?.rpc ?? []));
  const reconciler = createReconciler({ ledger, clock, rpc_urls, labelOf, log: log.info });

  // Products.
  const last_success = new Map<string, { at_ms: number; as_of_ms: number }>();
  const runner = createRunner({
    node_id,
    sandbox: sandbox !== null,
    clock,
    history: market.history,
    createContext: upstream.createContext,
    onFailure: (product: CatalogProduct, error: unknown) =>
      log.warn({ event: "product_failed", product: product.id, error: messageOf(error) }),
    onSuccess: (product: CatalogProduct, { as_of_ms }: Answer) =>
      last_success.set(product.id, { at_ms: clock.now(), as_of_ms }),
  });
  const previews = createPreviews({ node_id, sandbox: sandbox !== null, clock, store: market, runner });

  // HTTP. The server listens first, because a free port becomes part of the public address.
  const stats = createStats(clock);
  const { server: net } = config;
  const limits = createRateLimits({
    per_minute: config.limits.free_per_minute,
    enabled: config.limits.enabled,
    loopback_exempt: config.limits.loopback_exempt,
    clock,
  });
  const starting: Handler = ({ request_id }) =>
    new Response(JSON.stringify({ status: "starting", request_id }), { status: 503, headers: { "Retry-After": "1" } });
  let fetch: ((request: Request) => Response | Promise<Response>) | null = null;
  const responderAt = (url: string) => createResponder({ public_url: url });
  let responder = responderAt(config.node.public_url ?? `http://${net.host}:${net.port}`);
  const exchanges = createExchanges({
    newRequestId: createRequestIds(),
    log,
    stats,
    limits,
    trusted_proxies: new Set(net.trusted_proxies),
    responder: () => responder,
  });
  const http = startServer({
    host: net.host,
    port: net.port,
    body_bytes_max: net.body_bytes_max,
    exchanges,
    fetch: (request) => fetch?.(request) ?? exchanges.run(request, null, starting),
    log,
  });
  const public_url = config.node.public_url ?? http.url;
  responder = responderAt(public_url);
  const service_name = config.node.name;
  const challenges = createChallenges({ catalog, previews, pool, public_url, service_name });
  const payment = createPaymentAccess({
    ledger,
    pool,
    reconciler,
    runner,
    clock,
    public_url,
    service_name,
    operator_addresses,
    duplicate_guard_ms: config.payments.duplicate_guard_s * 1000,
    replay_window_ms: parseDuration(config.payments.replay_window),
    produce_slots: config.limits.produce_slots,
    log: log.info,
  });

  let asked = false;
  let reconciled = false;
  const notReady = (): readonly string[] => [
    ...(ledger.halted ? [`ledger stopped: ${ledger.halted}`] : []),
    ...(asked ? [] : ["facilitators have not been asked yet"]),
    ...(reconciled ? [] : ["open settlements have not been looked up yet"]),
    ...pool.unavailable().map(({ network, why }) => `${network}: ${why}`),
  ];
  const documents = createDocuments(
    [
      {
        path: "/get-pricing",
        render: () =>
          renderPricing({
            catalog,
            node_id,
            sandbox: sandbox !== null,
            now_ms: clock.now(),
            networks: pool.offers.map(({ network, pay_to }) => ({ network: network.id, asset: network.asset, pay_to })),
            free_paths: [...NODE_PATHS],
            rate_limits: { enabled: limits.enabled, free_per_minute: config.limits.free_per_minute },
          }),
      },
      { path: "/errors", render: renderErrors },
    ],
    responder,
  );
  const live = () =>
    renderLive({ version, started_at_ms, clock, catalog, ledger, pool, stats, upstream, last_success });
  const now_ms = clock.now;
  const free = createFreeRoutes({
    responder,
    catalog,
    ledger,
    previews,
    node_id,
    now_ms,
    sandbox: sandbox !== null,
    live,
    notReady,
  });
  const scheduler = createScheduler({
    seed: node_id,
    log: log.warn,
    jobs: [
      ...createPluginJobs({
        plugins: catalog.plugins,
        clock,
        history: market.history,
        usable: upstream.usable,
        createContext: upstream.createContext,
      }),
      ...createPreviewJobs(catalog, previews, challenges.refresh),
      ...createLedgerJobs({
        ledger,
        reconciler,
        clock,
        replay_window_ms: parseDuration(config.payments.replay_window),
        log: log.info,
      }),
      {
        id: "challenge-samples",
        schedule: { every_ms: CHALLENGE_REFRESH_MS },
        at_start: false,
        run: async () => challenges.refresh(),
      },
    ],
  });
  const adminStatus: Handler = ({ request, request_id }) => {
    assertOperator(request.headers, operator_token);
    const status = { facilitators: pool.status(), jobs: scheduler.status(), upstreams: upstream.status() };
    const headers = responder.headers({ "Cache-Control": "no-store", "X-Request-Id": request_id });
    return new Response(JSON.stringify({ ...status, withheld: catalog.withheld, faults: catalog.faults }), { headers });
  };
  const control: Handler = async ({ request, peer }) => {
    const here = sandbox !== null && isLoopback(peer);
    return here ? sandbox.handleControl(request) : new Response(null, { status: 404 });
  };
  const app = createApp({
    catalog,
    product: {
      responder,
      previews,
      access: [payment],
      challengeOf: challenges.get,
      default_protocol: config.payments.challenge_body === "v1" ? 1 : 2,
      body_bytes_max: net.body_bytes_max,
      stats,
      now_ms,
    },
    free: [...documents.routes, ...free, { path: "/admin/status", methods: ["GET"], handler: adminStatus }],
    doors: sandbox ? [{ prefix: "/__sandbox", handler: control }] : [],
    exchanges,
    responder,
    server: () => http.server,
  });
  fetch = app.fetch;
  pool.onChange(() => {
    challenges.refresh();
    documents.refresh();
  });

  const settled = (async () => {
    await pool.refresh();
    asked = true;
    await reconciler.resolveAll();
    reconciled = true;
    if (options.sandbox?.seed_history) {
      await seedSandboxHistory({ clock: options.sandbox.clock, catalog, previews, scheduler });
    }
    await scheduler.runAtStart();
    scheduler.start();
    challenges.refresh();
    for (const { network } of wallets) await familyOf(network).warmUp();
  })().catch((error: unknown) => log.error({ event: "start_failed", error: messageOf(error) }));

  return {
    url: http.url,
    public_url,
    identity,
    operator_token,
    catalog,
    wallets,
    setLimits: (enabled) => limits.switch(enabled),
    refreshChallenges: () => challenges.refresh(),
    audit: ledger.audit,
    facilitators: pool.status,
    jobs: scheduler.status,
    settled,
    async stop(onWait) {
      http.refuseNew();
      const waiting = setInterval(() => {
        const what = [
          payment.flights.size > 0 ? `${payment.flights.size} payments in flight` : "",
          exchanges.active > 0 ? `${exchanges.active} requests` : "",
        ].filter((text) => text !== "");
        onWait(what.length > 0 ? what.join(", ") : "jobs and the ledger");
      }, 1_000);
      try {
        await Promise.all([payment.flights.idle(), http.stop(false)]);
        await Promise.all([scheduler.stop(), payment.flights.idle()]);
        pool.stop();
        await ledger.close();
        market.close();
      } finally {
        clearInterval(waiting);
        unlock();
        log.flush();
      }
    },
  };
}
