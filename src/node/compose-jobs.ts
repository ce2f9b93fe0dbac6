import type { Slots } from "../calls/slots.ts";
import { type Clock, systemTimers } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { TASKS_KEPT_MS } from "../doors/a2a/door.ts";
import { createBackupProcess } from "../files/backup-process.ts";
import { keepReserve } from "../files/disk-reserve.ts";
import { renderLedgerEnvironment } from "../files/ledger-place.ts";
import { pickTried } from "../http/try-route.ts";
import { createBackupJob } from "../jobs/backup-job.ts";
import { createLedgerJobs } from "../jobs/ledger-jobs.ts";
import { createPluginJobs } from "../jobs/plugin-jobs.ts";
import { createPreviewJobs } from "../jobs/previews.ts";
import { createScheduler, type ScheduledJob, type Scheduler } from "../jobs/scheduler.ts";
import { START_RANKS } from "../jobs/start-queue.ts";
import { SAMPLE_EVERY_MS } from "../pages/uptime/samples.ts";
import type { Challenges } from "../payments/challenges.ts";
import { createAnchorJob } from "./compose-anchors.ts";
import { addDatasetJobs } from "./compose-datasets.ts";
import { createSellerJob } from "./compose-seller.ts";
import type { Core, Money, StartOptions } from "./parts.ts";

const CHALLENGE_REFRESH_MS = 30_000;
const OPENINGS_REFRESH_MS = 60_000;
const STATE_WATCH_MS = 15_000;
const ALERTS_MS = 15_000;
const SWITCHES_MS = 15_000;
const OUTSIDE_MS = 3_600_000;
const RESERVE_MS = 3_600_000;
const PEER_CHANNELS_MS = 3_600_000;
const TASKS_PRUNED_MS = 600_000;
const TABLES_PRUNED_MS = 3_600_000;
/** Some documents say how long they hold: none may be older than this. */
const DOCUMENTS_REFRESH_MS = 86_400_000;
/** Five past, when every sale of the hour before is written. */
const RECEIPT_SEALS_AT = "5 * * * *";
/** Past the hour's grading. */
const HISTORY_HEADS_AT = "20 * * * *";
/** When peers have signed theirs, and before their votes are asked for. */
const PEER_HEADS_AT = "30 * * * *";
const SELF_CHECK_AT = "37 3 * * *";
const SELF_CHECKED_MS = 86_400_000;
/** The lowest class of the produce slots. */
const BACKGROUND = 0;

interface SchedulerParts {
  readonly money: Money;
  readonly challenges: Challenges;
  /** They look at what buyers watch; none where that is switched off. */
  readonly watches: readonly ScheduledJob[];
  /** Brings home what channels earned; null without channels. */
  readonly channels: ScheduledJob | null;
  readonly slots: Slots;
  /** Tries products again whose sources did not answer, and tells the operator when the node's state has changed. */
  readonly watchState: () => Promise<void>;
  /** Looks at the certificate, the clock and newer versions. */
  readonly lookOutside: () => Promise<void>;
  /** Notes how the node is, for /status. */
  readonly takeSample: () => Promise<void>;
  /** Looks for what the operator is alerted to. */
  readonly watchAlerts: () => Promise<void>;
  /** Switches on again what was off until now. */
  readonly endSwitches: () => Promise<void>;
  /** Renders every document again. */
  readonly refreshDocuments: () => void;
}

/** A job of the node's own, first run one period after the start. */
const repeat = (id: string, every_ms: number, run: () => Promise<void>): ScheduledJob => ({
  id,
  schedule: { every_ms },
  at_start: false,
  skipping: { runs_kept: 1 },
  run,
});

/** The jobs of the node, and what makes those anew that follow from what is sold. */
export interface Jobs {
  readonly scheduler: Scheduler;
  /** After a reload; resolves when jobs that are new have made their first run. */
  renew(): Promise<void>;
}

/** Every job of the node: the plugins' own, previews, the books. */
export function composeJobs(options: StartOptions, core: Core, parts: SchedulerParts): Jobs {
  const { clock, log, job_timers } = options;
  const missing = new Set<string>();
  const own = createOwnJobs(options, core, parts).map((job) => ({
    start_rank: START_RANKS.own,
    ...job,
    is_upkeep: true,
  }));
  const list = () => [...createSoldJobs(options, core, { ...parts, missing }), ...own];
  const scheduler = createScheduler({
    seed: core.identity.node_id,
    log: log.warn,
    jobs: list(),
    now_ms: clock.now,
    timers: job_timers,
    turn: core.sales_first.turn,
    leads: core.ledger.cluster?.leads,
  });
  return {
    scheduler,
    async renew() {
      const known = new Set(scheduler.status().map(({ id }) => id));
      scheduler.replace(list());
      await scheduler.runAtStart((id) => !known.has(id));
    },
  };
}

/** What follows from the catalog: jobs of plugins, previews. */
function createSoldJobs(
  { clock, log, timers = systemTimers }: StartOptions,
  core: Core,
  { challenges, slots, missing }: Pick<SchedulerParts, "challenges" | "slots"> & { readonly missing: Set<string> },
): readonly ScheduledJob[] {
  const { catalog, market, history, upstream, previews } = core;
  const { createContext, usable } = upstream;
  return [
    ...createPluginJobs({
      plugins: addDatasetJobs(catalog.plugins, { store: core.stores.datasets, log, refused: core.refused_datasets }),
      clock,
      timers,
      history,
      usable,
      createContext,
      createAsk: core.runner.createAsk,
      models: core.models,
      isOff: (path) => catalog.findOff(path) !== undefined,
    }),
    ...createPreviewJobs({
      catalog,
      missing,
      first: new Set(pickTried(catalog.products).map(({ product }) => product.id)),
      // What is given away waits until nobody who pays has to.
      refresh: (product) => slots.run({ priority: BACKGROUND, holder: "previews" }, () => previews.refresh(product)),
      onRefreshed: challenges.refresh,
      isFresh({ id, previewRequests, preview_every_ms }) {
        const [shown] = previewRequests();
        const newest = market.newestSnapshot(id, shown.key, clock.now());
        return newest !== null && clock.now() - newest.taken_at_ms < preview_every_ms;
      },
    }),
  ];
}

/** What the node does for itself, whatever it sells. */
function createOwnJobs(
  { config, clock, log, data_dir, sandbox }: StartOptions,
  core: Core,
  {
    money,
    challenges,
    refreshDocuments,
    watchState,
    watchAlerts,
    takeSample,
    lookOutside,
    channels,
    watches,
    endSwitches,
  }: SchedulerParts,
): readonly ScheduledJob[] {
  const { ledger } = core;
  const { reconciler, landing, income, seller } = money;
  const replay_window_ms = parseDuration(config.payments.replay_window);
  const samples = repeat("challenge-samples", CHALLENGE_REFRESH_MS, async () => challenges.refresh());
  const documents = repeat("documents", DOCUMENTS_REFRESH_MS, async () => refreshDocuments());
  const state: ScheduledJob = { ...repeat("state", STATE_WATCH_MS, watchState), at_start: true };
  const alerts = repeat("alerts", ALERTS_MS, watchAlerts);
  const { dir, every, keep } = config.backup;
  const backup = {
    every_ms: parseDuration(every),
    keep,
    clock,
    taker: createBackupProcess(data_dir, undefined, renderLedgerEnvironment(config.ledger)),
    log: log.info,
  };
  return [
    ...createLedgerJobs({ ledger, reconciler, landing: landing.check, income, clock, replay_window_ms, log: log.info }),
    ...(dir === undefined ? [] : [{ ...createBackupJob({ dir, ...backup }), one_runner: true }]),
    createSellerJob(seller),
    ...(channels === null ? [] : [channels]),
    ...createPeerJobs(config, core),
    ...watches,
    samples,
    {
      id: "receipt-seals",
      schedule: { cron: RECEIPT_SEALS_AT },
      at_start: true,
      retries: true,
      skipping: { runs_kept: 1 },
      one_runner: true,
      run: async () => void (await core.receipt_seals.seal()),
    },
    {
      id: "history-heads",
      schedule: { cron: HISTORY_HEADS_AT },
      at_start: true,
      retries: true,
      skipping: { runs_kept: 1 },
      one_runner: true,
      run: async () => void (await core.history_heads.sign()),
    },
    ...(config.proof.anchor.calendars.length === 0 ? [] : [createAnchorJob(core)]),
    createSelfCheckJob(core, clock),
    createOpeningsJob(core.openings, { challenges, refreshDocuments }),
    ...createStoreJobs(core, clock),
    documents,
    state,
    { ...repeat("status-samples", SAMPLE_EVERY_MS, takeSample), at_start: true },
    alerts,
    repeat("switches", SWITCHES_MS, endSwitches),
    // A sandbox asks nobody outside, and its books are worth no room.
    ...(sandbox ? [] : [repeat("outside", OUTSIDE_MS, lookOutside), createReserveJob(data_dir)]),
  ];
}

/** Products that had no data yet are asked every minute; 402 and price list change as soon as one has some. */
const createOpeningsJob = (
  openings: Core["openings"],
  { challenges, refreshDocuments }: Pick<SchedulerParts, "challenges" | "refreshDocuments">,
): ScheduledJob => ({
  id: "openings",
  schedule: { every_ms: OPENINGS_REFRESH_MS },
  at_start: false,
  skipping: { runs_kept: 1 },
  async run() {
    if (!(await openings.refresh())) return;
    challenges.refresh();
    refreshDocuments();
  },
});

/** Peers show how far their histories have come, and what they saw of others; and cosign how far this node's have. */
const createPeerHeadsJob = ({ peer_heads, own_cosignatures }: Core): ScheduledJob => ({
  id: "peer-heads",
  schedule: { cron: PEER_HEADS_AT },
  at_start: true,
  // A silent peer must not keep what is sold from beginning.
  start_rank: START_RANKS.series,
  skipping: { runs_kept: 1 },
  one_runner: true,
  async run() {
    await peer_heads.ask();
    await own_cosignatures.gather();
  },
});

/** Peers' histories are looked at, and money that lies with peers for nothing comes home. */
function createPeerJobs({ peers }: StartOptions["config"], core: Core): readonly ScheduledJob[] {
  const channels = core.stand_ins?.channels ?? null;
  return [
    ...(peers.urls.length === 0 ? [] : [createPeerHeadsJob(core)]),
    ...(channels === null ? [] : [repeat("peer-channels", PEER_CHANNELS_MS, channels.refundIdle)]),
  ];
}

/** The answers of the day before are made again, when few buy. */
const createSelfCheckJob = ({ self_check }: Core, clock: Clock): ScheduledJob => ({
  id: "self-check",
  schedule: { cron: SELF_CHECK_AT },
  at_start: false,
  skipping: { runs_kept: 1 },
  run: async () => void (await self_check.run(clock.now() - SELF_CHECKED_MS)),
});

/** Room for a start on a full disk, kept again once there is room. */
const createReserveJob = (data_dir: string): ScheduledJob => ({
  id: "disk-reserve",
  schedule: { every_ms: RESERVE_MS },
  at_start: true,
  start_rank: START_RANKS.series,
  skipping: { runs_kept: 1 },
  run: async () => void (await keepReserve(data_dir)),
});

/** What is only kept for a while goes. */
const createStoreJobs = ({ market, stores }: Core, clock: Clock): readonly ScheduledJob[] => [
  {
    id: "tasks",
    schedule: { every_ms: TASKS_PRUNED_MS },
    at_start: true,
    skipping: { runs_kept: 1 },
    run: async () => market.tasks.prune(clock.now() - TASKS_KEPT_MS),
  },
  {
    id: "tables",
    schedule: { every_ms: TABLES_PRUNED_MS },
    at_start: true,
    skipping: { runs_kept: 1 },
    run: () => stores.prune(clock.now()),
  },
];
