import { renderAdminLandings, renderLive } from "../admin/live.ts";
import { createMetricFamilies } from "../admin/metric-families.ts";
import { createSlots, type SlotSettings } from "../calls/slots.ts";
import type { FreeContext } from "../catalog/free-route.ts";
import type { Config } from "../config/schema.ts";
import { renderTime, systemTimers } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import { keepFor } from "../core/keep-for.ts";
import { meter } from "../core/metering.ts";
import { getOwn } from "../core/own.ts";
import type { WorkingTasks } from "../doors/a2a/tasks.ts";
import { createAnchorRoutes } from "../http/anchor-routes.ts";
import { createApp, type ServedRoute } from "../http/app.ts";
import { createBundleRoutes } from "../http/bundle-routes.ts";
import { createChangesRoutes } from "../http/changes-routes.ts";
import { dressRoutes } from "../http/data-pages.ts";
import type { FreeRoute } from "../http/free-route.ts";
import { createFreeRoutes } from "../http/free-routes.ts";
import { createGallery } from "../http/gallery.ts";
import type { Handler } from "../http/http-call.ts";
import { createLogRoutes } from "../http/log-routes.ts";
import { createMethodologyRoutes, type MethodologyRouteOptions } from "../http/methodology-routes.ts";
import { createMetricsRoute, type MetricsListener, startMetricsListener } from "../http/metrics-route.ts";
import { forOperator } from "../http/operator-door.ts";
import type { ReadProduct } from "../http/page-routes.ts";
import { createPaymentPage } from "../http/page-routes.ts";
import { createPaymentRoutes } from "../http/payment-routes.ts";
import { createPictureRoutes } from "../http/picture-routes.ts";
import { createPluginRoutes } from "../http/plugin-routes.ts";
import { createProblemPage } from "../http/problem-pages.ts";
import type { ProductRouteOptions } from "../http/product-routes.ts";
import { createPurseShop, type PurseShop } from "../http/purse-shop.ts";
import { createReceiptRoutes } from "../http/receipt-routes.ts";
import type { Responder } from "../http/respond.ts";
import { createSandboxDoor } from "../http/sandbox-door.ts";
import { createSealRoutes } from "../http/seal-routes.ts";
import { createStatusRoutes } from "../http/status-routes.ts";
import { createSurfaces } from "../http/surface-routes.ts";
import { createTrackRoutes } from "../http/track-routes.ts";
import { createVerifyRoutes } from "../http/verify-routes.ts";
import { createWitnessRoutes } from "../http/witness-routes.ts";
import { readStatusLists } from "../pages/uptime/status-samples.ts";
import { createChallenges } from "../payments/challenges.ts";
import { createFaults } from "../payments/gate/faults.ts";
import { createPaymentAccess } from "../payments/gate/payment-access.ts";
import { createSignatureChecks } from "../payments/gate/signature-checks.ts";
import { recoverCall } from "../payments/keys/recover-call.ts";
import { createEarlierPrices } from "../payments/pricing/earlier-prices.ts";
import { describeOwnProgram } from "../releases/own-program.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { createSales, type Sell } from "../sell/sales.ts";
import { surfaces } from "../surfaces/surfaces.gen.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { createMetricsPage, type RenderMetrics } from "../telemetry/metrics.ts";
import { createPictures } from "../threads/pictures.ts";
import { createKeyFinder, renderDIDDocument } from "../trust/did.ts";
import { createOfferSigner } from "../trust/offers.ts";
import { createReceiptSigner } from "../trust/receipts.ts";
import { IMAGINED } from "../upstream/imagined.gen.ts";
import { type Admin, composeAdmin, isPublished } from "./compose-admin.ts";
import { composeChanges } from "./compose-changes.ts";
import { composeChannels } from "./compose-channels.ts";
import { composeDoors } from "./compose-doors.ts";
import { composePrepaid, readSlots, readWorkSizes } from "./compose-keys.ts";
import { readLimits } from "./compose-listener.ts";
import { listMethods } from "./compose-methodology.ts";
import { listModelBudgets } from "./compose-models.ts";
import { composeMPP } from "./compose-mpp.ts";
import { composePages, gatherFacts, type PageParts, readCardFigures } from "./compose-pages.ts";
import { createProductReader } from "./compose-product-page.ts";
import { composePeerRoutes, readCameThrough } from "./compose-stand-ins.ts";
import { createSurfaceModel } from "./compose-surfaces.ts";
import { readTrack } from "./compose-track.ts";
import { composeSignIn, composeWalletRoutes } from "./compose-wallet.ts";
import { composeWatches } from "./compose-watches.ts";
import type { Core, Gate, Listener, Money, RouteParts, StartOptions } from "./parts.ts";
import { createSelfPaymentRoutes, findOwnPaths } from "./self-payment.ts";
import { createRouteTrace, traceAccess } from "./traces.ts";

/** /live reads the ledger: a flood of it must not. */
const LIVE_KEPT_MS = 500;

/** Of the produce slots' number, for questions about what strangers signed; each address waits in its own queue. */
const STRANGERS_SHARE = 8;
const readStrangerSlots = ({ produce_slots }: Config["limits"]): SlotSettings => ({
  slots: Math.max(2, Math.ceil(produce_slots / STRANGERS_SHARE)),
  shares: [1],
  dedicated_share: 0,
});

const composeSignatureChecks = ({ config, clock }: StartOptions, limitOf: (client: string) => string | null) =>
  createSignatureChecks({ clock, limitOf, per_minute: config.limits.signature_checks_per_minute });

/** How offers are signed, where the operator wants that. */
const composeSignedOffers = ({ config, clock }: StartOptions, { identity }: Core, public_url: string) =>
  config.trust.signed_offers === "body" ? { clock, sign: createOfferSigner(identity, { public_url }) } : undefined;

export function composeGate(
  options: StartOptions,
  core: Core,
  { money, listener }: { money: Money; listener: Listener },
) {
  const { config, clock, log } = options;
  const { catalog, previews, openings, ledger, runner } = core;
  const { pool, reconciler, labelOf, rpc_urls, access } = money;
  const { public_url, limits } = listener;
  const changes = composeChanges(options, core);
  const prepaid = composePrepaid(options, core, { listener, changes });
  const { limitOf } = limits;
  const signer = createReceiptSigner(core.identity, { public_url, sandbox: options.sandbox !== null });
  const earlier_prices = createEarlierPrices(clock);
  const stranger_slots = createSlots({ ...readStrangerSlots(config.limits), queue_max: 400, holder_queue_max: 40 });
  const signatures = composeSignatureChecks(options, limitOf);
  const { mpp, guardChallenge } = composeMPP(core.identity, { public_url, clock });
  const gate: Gate = {
    channels: composeChannels(options, core, { money, listener, prepaid, stranger_slots, changes }),
    watches: composeWatches(options, core, { listener, prepaid }),
    prepaid,
    signer,
    earlier_prices,
    sign_in: composeSignIn(options, core, { money, listener, signatures }),
    configure(given) {
      limits.configure(readLimits(given));
      prepaid.slots.configure(readSlots(given));
      prepaid.work.configure(readWorkSizes(given));
      stranger_slots.configure(readStrangerSlots(given));
      signatures.configure(given.signature_checks_per_minute);
    },
    challenges: createChallenges({
      catalog,
      previews,
      openings,
      pool,
      public_url,
      service_name: config.node.name,
      off: { v1: config.payments.v1_off, v2: config.payments.v2_off },
      mpp,
      signed_offers: composeSignedOffers(options, core, public_url),
    }),
    payment: createPaymentAccess({
      ledger,
      pool,
      reconciler,
      runner,
      clock,
      public_url,
      service_name: config.node.name,
      labelOf,
      duplicate_guard_ms: config.payments.duplicate_guard_s * 1000,
      replay_window_ms: parseDuration(config.payments.replay_window),
      slots: prepaid.slots,
      stranger_slots,
      signatures,
      earlier_prices,
      guardChallenge,
      faults: createFaults({ clock, limitOf }),
      work: prepaid.work,
      limitOf,
      countRefused: limits.countRefused,
      countFree: (client) => void limits.count(client),
      rpc_urls,
      access,
      produce: async (call, buyer) => {
        const { plan } = call.product.definition;
        const make = () => runner.produce(call.product, call.request);
        const makeSeen = () => (call.watch ? call.watch.produce(make) : make());
        if (plan === undefined && call.request.since === undefined) return makeSeen();
        if (plan === undefined) {
          const base = await changes.findForPayer(call, buyer.payer);
          const made = await makeSeen();
          const price = buyer.is_metered ? meter(call.product, made.counted)?.charge : undefined;
          return changes.renderFixed(call, base, { ...made, price });
        }
        const { body, ...purchase } = await prepaid.purchases.prepare(call, plan, buyer);
        return { body, purchase };
      },
      findPassedOn: (id, answer) => {
        const product = catalog.products.find((one) => one.id === id);
        if (product?.definition.passed_on === undefined) return null;
        const { data } = JSON.parse(answer) as { readonly data: never };
        return product.definition.passed_on(data);
      },
      revealStored: prepaid.purchases.revealStored,
      settlementExtensions: async (receipt_id, sold) => {
        const row = sold ?? (await ledger.receipts.get(receipt_id));
        return row ? signer.settlementExtension(row) : undefined;
      },
      log: (told) => {
        if (told.event === "settle") {
          core.stats.countSettle(String(told.network), String(told.facilitator), String(told.kind));
        }
        log.info(told);
      },
      alarm: log.error,
    }),
  };
  return gate;
}

export interface Routes {
  readonly refreshDocuments: () => void;
  /** The route table. */
  readonly list: () => readonly ServedRoute[];
  /** Puts all of them in place anew, over what is sold now; calls in flight end on the old ones. */
  readonly renew: () => void;
  /** Ends connections that would never end on their own. */
  readonly closeStreams: () => void;
  /** Null unless it has its own listener. */
  readonly metrics: MetricsListener | null;
}

/** Puts every route in place. */
export function composeRoutes(options: StartOptions, core: Core, parts: RouteParts): Routes {
  const { version, config, log } = options;
  const render = createMetricsPage(createMetricFamilies({ ...parts, core, version, jobs: parts.scheduler.status }));
  const working: WorkingTasks = new Map();
  const admin = composeAdmin(options, core, parts);
  const laid = { ...parts, working, render, admin };
  const layOut = () => layOutRoutes({ ...options, config: core.in_force.config }, core, laid);
  let laid_out = layOut();
  const { listen } = config.metrics;
  const metrics = listen === undefined ? null : startMetricsListener(listen, render, log);
  if (metrics) log.info({ event: "metrics", url: metrics.url });
  return {
    refreshDocuments: () => laid_out.refresh(),
    list: () => laid_out.routes,
    renew() {
      laid_out = layOut();
    },
    closeStreams() {
      admin.close();
      parts.gate.watches?.close();
    },
    metrics,
  };
}

interface LayOutParts extends RouteParts {
  readonly working: WorkingTasks;
  readonly render: RenderMetrics;
  readonly admin: Admin;
}

interface LaidOut {
  /** Renders the static documents again. */
  readonly refresh: () => void;
  readonly routes: readonly ServedRoute[];
}

/** The door that steers the sandbox, where the node has one. */
const listControlDoors = (
  options: StartOptions,
  core: Core,
  given: Omit<Parameters<typeof controlDoor>[2], "world">,
) => {
  const { sandbox } = options;
  if (!sandbox) return [];
  return [{ prefix: "/__sandbox", handler: controlDoor(options, core, { ...given, world: sandbox.world }) }];
};

type MethodologyParts = Pick<MethodologyRouteOptions, "responder" | "model" | "stamp" | "readChanges"> & {
  readonly readProduct: ReadProduct;
};

/** How figures are made, each example worked out on the product's free sample. */
const composeMethodology = (core: Core, { readProduct, ...given }: MethodologyParts) =>
  createMethodologyRoutes({
    ...given,
    families: () => listMethods(core.catalog.products),
    readSample: async (product, words) => (await readProduct(product, words)).sample,
  });

/** How calls of products are sold, wherever they are asked for. */
const listSelling = (
  { payments, server }: Config,
  by: Pick<ProductRouteOptions, "responder" | "sell">,
): Omit<ProductRouteOptions, "page"> => ({
  responder: by.responder,
  sell: by.sell,
  default_protocol: payments.challenge_body === "v1" ? 1 : 2,
  body_bytes_max: server.body_bytes_max,
});

/** Heads in the forms of other logs, those of peers with this node's cosignature, and public timestamps. */
const composeProofRoutes = (
  { proof }: StartOptions["config"],
  { anchors, logs, witness }: Core,
  parts: Pick<Parameters<typeof createAnchorRoutes>[0], "responder" | "stamp">,
): readonly FreeRoute[] => [
  ...createLogRoutes({ ...parts, logs }),
  ...createWitnessRoutes({ ...parts, witness }),
  ...createAnchorRoutes({ ...parts, anchors, calendars: proof.anchor.calendars }),
];

function layOutRoutes(options: StartOptions, core: Core, parts: LayOutParts): LaidOut {
  const { config } = options;
  const { catalog } = core;
  const { listener, gate } = parts;
  const { responder } = listener;
  const { challenges } = gate;
  const createModel = () => createSurfaceModel(options, core, { ...parts, challenges });
  const rendered = createSurfaces(surfaces, createModel, responder);
  const sell = composeSales(options, core, parts);
  const { model } = rendered;
  const sold_by = listSelling(config, { responder, sell });
  const { public_url } = listener;
  const shop = createPurseShop({ products: () => catalog.products, public_url, route: { ...sold_by, page: null } });
  const own = composeFreeRoutes(options, core, { ...parts, model, shop });
  const free = dressRoutes([...rendered.routes, ...own], responder, model);
  const problem_page = createProblemPage(responder, model);
  const doors = composeDoors(options, core, { ...parts, sell, model: rendered.model, free });
  const readProduct = createProductReader(options, core, { model, status_samples: parts.status_samples });
  const stamp = createStamp(options, core);
  const readChanges = keepFor(LIVE_KEPT_MS, options.clock.now, parts.catalog_changes.read);
  const pages = [
    ...composePages(core, { ...parts, responder, clock: options.clock, model, readProduct }),
    ...createTrackRoutes({
      responder,
      clock: options.clock,
      model,
      stamp,
      readTrack: (words) => readTrack(core, words),
      heads: core.history_heads,
      peer_heads: core.peer_heads,
    }),
    ...composeProofRoutes(config, core, { responder, stamp }),
    ...createStatusRoutes({
      responder,
      clock: options.clock,
      model,
      stamp,
      readHealth: () => gatherFacts(core, parts),
      readSamples: parts.status_samples.read,
      readLists: () => readStatusLists(core, parts.states),
      started_at_ms: core.started_at_ms,
    }),
    ...composeLinkRoutes(options, core, { ...parts, responder, model, readProduct }),
    ...composeMethodology(core, { responder, model, stamp, readProduct, readChanges }),
  ];
  const { render } = parts;
  const app = createApp({
    catalog,
    product: { ...sold_by, page: createPaymentPage({ model: rendered.model, readProduct }) },
    free: [
      ...free,
      ...doors,
      ...pages,
      adminRoute(core, parts),
      ...parts.admin.routes,
      ...(options.setup_routes ?? []),
      createMetricsRoute(responder, { ...core, render }),
    ],
    doors: listControlDoors(options, core, { model, responder }),
    http_calls: listener.http_calls,
    responder,
    problem_page,
    trace: createRouteTrace(core.tracer, config.server.trusted_proxies),
  });
  listener.serve(app.fetch, problem_page);
  return { refresh: rendered.refresh, routes: app.routes };
}

/** The one way to the gate, for every door. */
const composeSales = (
  { log, clock, sandbox }: StartOptions,
  { previews, past, sales_first, stats, tracer, catalog, identity, past_answers }: Core,
  { gate, states }: RouteParts,
): Sell => {
  const { challenges, prepaid, payment, channels } = gate;
  const by_channel = channels === null ? [] : [channels.access];
  return createSales({
    past: past.waitFor,
    first: sales_first,
    assertKept: past_answers.assertKept,
    whyUnavailable: states.whyUnavailable,
    readCameThrough,
    onSale: (sale) => log.info({ event: "sale", ...sale }),
    previews,
    access: traceAccess([prepaid.key, prepaid.coupon, ...by_channel, payment], tracer),
    challengeOf: challenges.get,
    parts: {
      find: catalog.get,
      answerer: { node_id: identity.node_id, sandbox: sandbox !== null },
      now_ms: clock.now,
    },
    stats,
  });
};

/** Members of every free answer. */
const createStamp =
  ({ clock, sandbox }: StartOptions, { identity }: Core) =>
  (): Record<string, unknown> => ({
    node_id: identity.node_id,
    generated_at: renderTime(clock.now()),
    ...(sandbox === null ? {} : { sandbox: true }),
  });

type LinkParts = Pick<RouteParts, "catalog_changes"> & Pick<PageParts, "responder" | "model" | "readProduct">;

/** What others take from here: the feed of changes, and pictures for link previews. */
function composeLinkRoutes(options: StartOptions, core: Core, parts: LinkParts): readonly FreeRoute[] {
  const { clock, timers = systemTimers } = options;
  const { responder, model, readProduct, catalog_changes } = parts;
  const { started_at_ms } = core;
  const stamp = createStamp(options, core);
  return [
    ...createPictureRoutes({
      responder,
      clock,
      model,
      readProduct,
      draw: createPictures(timers).draw,
      readFigures: () => readCardFigures(core),
      off: () => core.catalog.off,
    }),
    ...createChangesRoutes({ responder, clock, model, stamp, started_at_ms, readChanges: catalog_changes.read }),
  ];
}

/** Everything that costs nothing and is not a static document. */
function composeFreeRoutes(
  options: StartOptions,
  core: Core,
  parts: RouteParts & { readonly model: () => SurfaceModel; readonly shop: PurseShop },
): readonly FreeRoute[] {
  const { config, clock, version } = options;
  const { ledger, identity } = core;
  const { listener, gate, money, model } = parts;
  const { responder, public_url } = listener;
  const { signer } = gate;
  const { node_id } = identity;
  const findKey = createKeyFinder(identity);
  const trusted = identity.retired.filter(({ compromised }) => !compromised);
  const earlier_ids = identity.retired.map((key) => key.node_id);
  const sandbox = options.sandbox !== null;
  const now_ms = clock.now;
  const { body_bytes_max } = config.server;
  const live = keepFor(LIVE_KEPT_MS, clock.now, () =>
    renderLive({ version, ...money, ...core, state: parts.states.read }),
  );
  const stamp = createStamp(options, core);
  const state = parts.states.read;
  const call = (id: string, headers: Headers) => recoverCall(ledger, id, headers);
  const { markOwn } = money;
  const { coming } = parts.scheduler;
  const own_paths = findOwnPaths(config, core.in_force.loaded);
  return [
    ...createFreeRoutes({ ...core, responder, node_id, now_ms, sandbox, live, state, coming, body_bytes_max, model }),
    ...createPluginRoutes({ ...composeRouteContext(options, core), responder, clock, stamp }),
    ...gate.prepaid.routes,
    ...(gate.watches?.routes(stamp, parts.shop) ?? []),
    gate.prepaid.welcome(() => coming().length),
    ...createPaymentRoutes({ responder, recovery: gate.payment.recovery, recoverCall: call, stamp }),
    ...composeWalletRoutes(options, core, { gate, listener, stamp, model }),
    ...createReceiptRoutes({ responder, ledger, signer, public_url, stamp, model }),
    ...createSealRoutes({ responder, receipts: ledger.receipts, seals: core.receipt_seals, stamp }),
    ...composePeerRoutes(options, core, { responder, stamp }),
    ...createBundleRoutes({
      responder,
      receipts: ledger.receipts,
      seals: core.receipt_seals,
      signer,
      recoverCall: call,
      recovery: gate.payment.recovery,
      inputs: core.inputs,
      now_ms,
      catalog: () => core.catalog,
      did: () => renderDIDDocument(public_url, { name: identity.key_name, public_key: identity.public_key }, trusted),
      program: describeOwnProgram,
    }),
    ...createVerifyRoutes({
      responder,
      ledger,
      signer,
      stamp,
      node_id,
      findKey,
      earlier_ids,
      public_url,
      sandbox,
      model,
    }),
    ...own_paths.flatMap((path) =>
      createSelfPaymentRoutes({ options, core, responder, path, url: () => listener.http.url, markOwn }),
    ),
  ];
}

/** What free routes of plugins are answered with: all but the way to upstreams. */
function composeRouteContext({ clock, log, timers = systemTimers }: StartOptions, core: Core) {
  const createContext = (signal: AbortSignal): FreeContext => {
    const { history } = core;
    const {
      now_ms,
      records,
      table,
      dataset,
      signer,
      usable,
      config,
      simulated = false,
    } = core.upstream.createContext({
      now_ms: clock.now(),
      signal,
      history,
    });
    return { now_ms, history, records, table, dataset, signer, usable, config, simulated, node: core.facts };
  };
  const onFault = (path: string, error: unknown) => log.error({ event: "route_failed", path, error: messageOf(error) });
  return { routes: core.catalog.routes, timers, createContext, onFault };
}

/** What only the operator may see. */
function adminRoute(
  { operator_token, upstream, models, catalog, ledger }: Core,
  { money, scheduler, listener, alerts }: RouteParts,
): FreeRoute {
  const headers = listener.responder.headers({ "Cache-Control": "no-store" });
  const handler: Handler = async ({ request_id }) => {
    const status = {
      facilitators: money.pool.status(),
      extensions: money.extension_answers.list(),
      ...(await renderAdminLandings(ledger, money.landing)),
      untrusted_proxies: listener.proxies.untrusted(),
      unnamed_origin: listener.proxies.unnamed_origin(),
      alerts: { open: alerts.list(), undelivered: alerts.undelivered },
      jobs: scheduler.status(),
      upstreams: upstream.status(),
      // Whose first real answer is the first proof of its reader.
      imagined: Object.fromEntries(
        catalog.providers.flatMap(({ id }) => {
          const { imagined } = getOwn(IMAGINED, id) ?? {};
          return imagined ? [[id, imagined]] : [];
        }),
      ),
      models: models.status(),
      model_budgets: listModelBudgets(models),
      withheld: catalog.withheld,
      withheld_values: catalog.withheld_values,
      faults: catalog.faults,
    };
    const response = new Response(JSON.stringify(status), { headers });
    response.headers.set("X-Request-Id", request_id);
    return response;
  };
  return { path: "/admin/status", methods: ["GET"], handler: forOperator(operator_token, handler) };
}

/** What steers the sandbox, and the gallery of charts, which is for eyes. */
function controlDoor({ config }: StartOptions, { operator_token }: Core, parts: SandboxDoorParts): Handler {
  const { world, ...pages } = parts;
  const showGallery = createGallery(pages);
  return createSandboxDoor({
    handle: async (request) => (await showGallery(request)) ?? world.handleControl(request),
    operator_token,
    is_published: isPublished({ config }),
  });
}

interface SandboxDoorParts {
  readonly world: Sandbox;
  readonly model: () => SurfaceModel;
  readonly responder: Responder;
}
