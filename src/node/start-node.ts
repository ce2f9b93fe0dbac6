import { createNodeStates, createStateWatch } from "../admin/node-state.ts";
import type { NodeStates } from "../admin/operated-node.ts";
import { endSwitches } from "../admin/switch-desk.ts";
import { createDoubtWatch } from "../alerts/conditions/doubt-conditions.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import { sleep, systemTimers } from "../core/clock.ts";
import type { PaymentCounts } from "../core/clock-watch.ts";
import { messageOf } from "../core/errors.ts";
import { endStart } from "../core/jit-patience.ts";
import { isPreviewJob } from "../jobs/previews.ts";
import type { Scheduler } from "../jobs/scheduler.ts";
import { createCatalogChanges } from "../pages/changes/catalog-changes.ts";
import { createStatusSamples } from "../pages/uptime/status-samples.ts";
import { familyOf } from "../payments/networks/families.ts";
import { composeAlerts } from "./compose-alerts.ts";
import { setUpChannels } from "./compose-channels.ts";
import { composeCore } from "./compose-core.ts";
import { composeGate, composeRoutes, type Routes } from "./compose-http.ts";
import { composeJobs } from "./compose-jobs.ts";
import { composeListener } from "./compose-listener.ts";
import { digestMethods } from "./compose-methodology.ts";
import { composeMoney } from "./compose-payments.ts";
import { livePast } from "./live-past.ts";
import type { Core, Gate, Listener, Money, RunningNode, StartOptions } from "./parts.ts";
import { createReload } from "./reload.ts";

/** The whole node, wired. */
interface Parts {
  readonly core: Core;
  readonly money: Money;
  readonly listener: Listener;
  readonly gate: Gate;
  readonly scheduler: Scheduler;
}

/**
 * Wires and starts the whole node: the only place that knows every part.
 * @throws whatever keeps it from starting: a taken port or data folder, a faulty ledger, a faulty built-in product.
 */
export async function startNode(options: StartOptions): Promise<RunningNode> {
  const done = { asked: false, reconciled: false };
  const core = await composeCore(options);
  const money = composeMoney(options, core, await setUpChannels(options.config, core.identity));
  const listener = composeListener(options, core);
  core.notePublicURL(listener.public_url);
  const gate = composeGate(options, core, { money, listener });
  const { checkState, waiting, notes } = composeStateLook(options, core, { money, done, states: () => states });
  const samples = composeSamples(options, core, () => states);
  const jobs = composeJobs(options, core, {
    watchState: checkState,
    takeSample: samples.take,
    watchAlerts: async () => (done.asked ? alerts.pass() : undefined),
    lookOutside: () => alerts.lookOutside(),
    endSwitches: () => endSwitches(desk),
    money,
    ...jobPartsOf(gate),
    refreshDocuments: () => routes.refreshDocuments(),
  });
  const past = options.sandbox?.seed_history ? beginPast(options, core, gate) : null;
  const asked = money.pool.refresh().then(() => {
    done.asked = true;
  });
  const { ledger, catalog, identity, operator_token, new_ledger } = core;
  const { pool, wallets, seller } = money;
  const checked = seller.pass();
  const states = createNodeStates({ core, money, waiting, notes });
  const alerts = composeAlerts(options, { core, money, states, claims: gate.channels?.claimer.failing });
  const parts: Parts = { core, money, listener, gate, scheduler: jobs.scheduler };
  const { reload, explain, desk } = createReload(options, core, {
    gate,
    renewRoutes: () => routes.renew(),
    renewJobs: jobs.renew,
    configureAlerts: alerts.configure,
  });
  const told = { alerts: alerts.book, testAlerts: alerts.test, reload, explain, switch_desk: desk };
  const routes = composeRoutes(options, core, { ...parts, ...told, states, ...samples });
  const { refreshDocuments, metrics } = routes;
  pool.onChange(() => {
    gate.challenges.refresh();
    refreshDocuments();
  });
  const { ready, settled } = beginWork(options, parts, { asked, checked, past, done, refreshDocuments });
  return {
    url: listener.http.url,
    public_url: listener.public_url,
    identity,
    operator_token,
    new_ledger,
    catalog,
    wallets,
    setLimits: (enabled) => listener.limits.switch(enabled),
    refreshChallenges: () => gate.challenges.refresh(),
    audit: ledger.audit,
    state: states.read,
    checkState,
    reload,
    endSwitches: () => endSwitches(desk),
    checkAlerts: alerts.pass,
    facilitators: pool.status,
    asked,
    checked,
    ready,
    settled,
    lost: ledger.cluster?.lost ?? new Promise(() => undefined),
    whyUnpayable: seller.whyNot,
    checkSellers: seller.pass,
    ...steerGate(core, gate),
    async checkSettlements() {
      await Promise.all([money.landing.check.pass(), money.reconciler.resolveAll()]);
    },
    ...listServed(routes),
    listener: listener.http,
    async release({ socket, late, onWait }) {
      // Jobs may take seconds: calls are not held back for them.
      await Promise.race([jobs.scheduler.stop(), late]);
      routes.closeStreams();
      listener.letGo();
      listener.http.divert(socket);
      await metrics?.stop();
      await finish(options, parts, { onWait, late, close: () => whenAnswered(listener) });
    },
    async stop(onWait) {
      routes.closeStreams();
      await stopNode(options, parts, onWait);
      await metrics?.stop();
      await core.tracer?.stop();
    },
  };
}

/** What is served, and where the figures are. */
const listServed = ({ list, metrics }: Routes) => ({ routes: list, metrics_url: metrics?.url ?? null });

interface StateLookParts {
  readonly money: Money;
  /** How far the start is. */
  readonly done: { readonly asked: boolean; readonly reconciled: boolean };
  readonly states: () => NodeStates;
}

/** What the node's state is told by, and what finds it out and tries products again that have no source. */
function composeStateLook({ log }: StartOptions, core: Core, { money, done, states }: StateLookParts) {
  const tell = createStateWatch(() => states().read(), log);
  const doubts = createDoubtWatch(money.landing.trust);
  return {
    waiting: (): readonly string[] => [
      ...(done.asked ? [] : ["facilitators have not been asked yet"]),
      ...(done.reconciled ? [] : ["open settlements have not been looked up yet"]),
    ],
    notes: () => [...listClockFaults(core), ...doubts.reasons()],
    async checkState(): Promise<void> {
      // A ledger that does not answer is not waited for: it is reported itself, and earlier doubts stay.
      doubts.refresh().catch((error: unknown) => log.info({ event: "doubts_not_read", error: messageOf(error) }));
      core.clock_watch?.notePayments(countPayments(core));
      await revive(core, states());
      if (done.asked) tell();
    },
  };
}

/** Payments that were turned away for their time, and those that were taken, since the start. */
function countPayments({ stats }: Core): PaymentCounts {
  const products = [...stats.totals().products.values()];
  const expired = products.reduce((sum, { refused }) => sum + (refused.get("payment_expired") ?? 0), 0);
  return { expired, taken: products.reduce((sum, { paid }) => sum + (paid.get("payment") ?? 0), 0) };
}

const listClockFaults = ({ clock_watch }: Core): readonly string[] => {
  const off = clock_watch?.judge() ?? null;
  return off === null ? [] : [`this machine's clock is ${off}`];
};

const jobPartsOf = ({ challenges, channels, prepaid, watches }: Gate) => ({
  challenges,
  channels: channels?.job ?? null,
  watches: watches?.jobs ?? [],
  slots: prepaid.slots,
});

/** A look at what is watched; what lies in channels, and a round of what brings it home. */
const steerGate = ({ ledger, stand_ins }: Core, { channels, watches }: Gate) => ({
  checkWatches: async () => watches?.pass(),
  runChannels: async (how?: { readonly all?: boolean }) => channels?.claimer.run(how),
  channelTotals: () => ledger.channels.totals(),
  refundPeerChannels: async () => stand_ins?.channels?.refundIdle(),
});

/** What the node notes of itself every five minutes: how it is, and what became different in its catalog. */
function composeSamples({ clock }: StartOptions, core: Core, states: () => NodeStates) {
  const status_samples = createStatusSamples(core, { states, clock });
  const catalog = () => core.catalog;
  const catalog_changes = createCatalogChanges({ catalog, history: core.history, clock, methods: digestMethods });
  const take = async (): Promise<void> => {
    await status_samples.take();
    await catalog_changes.note();
  };
  return { status_samples, catalog_changes, take };
}

/** Lives a new sandbox's past; never rejects. */
const beginPast = (options: StartOptions, core: Core, { challenges }: Gate): Promise<void> =>
  core.past.begin(async (letGo) => {
    // What the start itself does comes first.
    await new Promise((resolve) => setImmediate(resolve));
    const onSampled = (later: ReadonlySet<string>) => {
      letGo(later);
      challenges.refresh();
    };
    await livePast(options, core, { onSampled }).catch((error: unknown) =>
      options.log.error({ event: "past_failed", error: messageOf(error) }),
    );
    challenges.refresh();
  });

/** What was begun when the listener came up. */
interface Begun {
  readonly asked: Promise<void>;
  readonly checked: Promise<void>;
  /** Of a new sandbox, when it has been lived. */
  readonly past: Promise<void> | null;
  readonly done: { reconciled: boolean };
  readonly refreshDocuments: () => void;
  /** Whether no jobs run before their first mark. */
  readonly is_idle: boolean;
  readonly onReady: () => void;
}

/** What follows once facilitators were asked. */
function beginWork(
  { log, sandbox }: StartOptions,
  parts: Parts,
  begun: Omit<Begun, "is_idle" | "onReady">,
): Pick<RunningNode, "ready" | "settled"> {
  endStart();
  parts.scheduler.start("upkeep");
  parts.gate.watches?.begin(parts.scheduler.runNow);
  const ready = Promise.withResolvers<void>();
  const settled = begun.asked
    // Once more: the manifest is dated only when every facilitator has had its say.
    .then(begun.refreshDocuments)
    .then(() => settle(parts, { ...begun, is_idle: sandbox?.is_idle === true, onReady: ready.resolve }))
    .catch((error: unknown) => log.error({ event: "start_failed", error: messageOf(error) }))
    .finally(ready.resolve);
  return { ready: ready.promise, settled };
}

/** Products that are not offered for money have nobody who calls them: the node itself finds out when they are back. */
async function revive({ catalog, runner }: Core, states: NodeStates): Promise<void> {
  const shut = catalog.products.filter((product) => states.whyUnavailable(product) !== null);
  // Nobody pays for it, so no peer is paid: a call of unknown ways is passed on to none.
  const request = (product: CatalogProduct) => ({ ...product.params.defaults, came_through: null });
  await Promise.all(shut.map((product) => runner.produce(product, request(product)).catch(() => undefined)));
}

const JOBS_AFTER_MS = 50;

/** What is done after the listener is up, in the order buyers need it. */
async function settle(parts: Parts, begun: Begun): Promise<void> {
  const { core, money, gate, scheduler } = parts;
  const { asked, checked, past, done, refreshDocuments, is_idle, onReady } = begun;
  await asked;
  await money.reconciler.resolveAll();
  done.reconciled = true;
  onReady();
  // Calls that waited for the start are answered before the node does its own work.
  if (!is_idle && past === null) await sleep(systemTimers, JOBS_AFTER_MS);
  // A sandbox's previews come from its past.
  await past;
  if (past !== null && (await core.openings.refresh())) refreshDocuments();
  scheduler.start();
  if (!is_idle) await scheduler.runAtStart((id) => past === null || !isPreviewJob(id));
  await checked;
  if (await core.openings.refresh()) refreshDocuments();
  gate.challenges.refresh();
  for (const { network } of money.wallets) await familyOf(network).warmUp();
}

async function stopNode(options: StartOptions, parts: Parts, onWait: (what: string) => void): Promise<void> {
  const { http } = parts.listener;
  http.refuseNew();
  parts.listener.letGo();
  await finish(options, parts, { onWait, close: () => http.stop(false) });
}

const LOOK_EVERY_MS = 5;

/** Resolves when every request that was taken has its answer. */
async function whenAnswered({ http_calls }: Listener): Promise<void> {
  while (http_calls.active > 0) await sleep(systemTimers, LOOK_EVERY_MS);
}

interface Finishing {
  readonly onWait: (what: string) => void;
  /** Resolves when no request is worked on any more. */
  readonly close: () => Promise<void>;
  /** Resolves when what is in flight is waited for no longer: the next start takes it up. */
  readonly late?: Promise<void>;
}

/** Finishes what is in flight, writes everything to disk, gives the data folder back. */
async function finish({ log }: StartOptions, parts: Parts, { onWait, close, late }: Finishing): Promise<void> {
  const { core, money, listener, gate, scheduler } = parts;
  const { flights } = gate.payment;
  const waiting = setInterval(() => {
    const what = [
      flights.size > 0 ? `${flights.size} payments in flight` : "",
      listener.http_calls.active > 0 ? `${listener.http_calls.active} requests` : "",
    ].filter((text) => text !== "");
    onWait(what.length > 0 ? what.join(", ") : "jobs and the ledger");
  }, 1_000);
  try {
    const inTime = (work: Promise<unknown>) => (late === undefined ? work : Promise.race([work, late]));
    await inTime(Promise.all([flights.idle(), close()]));
    await inTime(Promise.all([scheduler.stop(), flights.idle()]));
    money.pool.stop();
    core.workshop.close();
    core.upstream.close();
    // A collector that hangs must not hold up the successor.
    void core.tracer?.stop();
    await core.ledger.close();
    await core.inputs?.close();
    core.stores.close();
    core.market.close();
  } finally {
    clearInterval(waiting);
    core.unlock();
    log.flush();
  }
}
