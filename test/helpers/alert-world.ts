import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { createNodeStates } from "../../src/admin/node-state.ts";
import { type AlertBook, createAlertBook } from "../../src/alerts/alert-book.ts";
import type { AlertParts } from "../../src/alerts/conditions/alert-parts.ts";
import { createOutsideWatch } from "../../src/alerts/conditions/look-outside.ts";
import { passAlerts } from "../../src/alerts/conditions/pass-alerts.ts";
import { eventOf } from "../../src/alerts/plan-messages.ts";
import type { AlertChannel, AlertMessage } from "../../src/alerts/types.ts";
import { type Clock, renderTime } from "../../src/core/clock.ts";
import { NodeError } from "../../src/core/errors.ts";
import { type BudgetLimits, createBudget, type SpentOnModel } from "../../src/models/budget.ts";
import { type ModelSettings, PICODOLLARS_PER_USD } from "../../src/models/model-settings.ts";
import { createModels, type ModelEngine } from "../../src/models/models.ts";
import { createTurns } from "../../src/node/compose-models.ts";
import type { IncomeComparison } from "../../src/payments/landing/compare-income.ts";
import { createQuotaBook, type SpentQuota } from "../../src/upstream/quotas.ts";
import { createSourceShapes } from "../../src/upstream/source-shapes.ts";
import { createManualTimers, type ManualTimers } from "./manual-timers.ts";

/** What a test breaks and mends; it outlives the node's process. */
export interface WorldState {
  now_ms: number;
  ledger_trouble: string | null;
  facilitator_ok: boolean;
  facilitator_networks: readonly string[];
  network_off: string | null;
  gas_warning: string | null;
  missing: number;
  /** Transfers to a wallet that stand in no book. */
  unbooked: number;
  doubted: number;
  unknown: number;
  suspended: number;
  /** Claims of payment channels that failed in a row. */
  claims_failed: number;
  /** Channels with peers that are paid from no more. */
  stuck_channels: number;
  /** Receivers of watches, of a host each, that take no events; one more takes them. */
  dead_webhooks: number;
  /** When a public timestamp was made that no calendar has taken. */
  untaken_since_ms: number | null;
  provider_down: boolean;
  product_broken: boolean;
  /** A product's first source is shut off and the spare one fails otherwise. */
  spare_fails: boolean;
  /** What the look at the sources' answers throws. */
  source_fault: string | null;
  /** Reads of the ledger fail, or never end. */
  ledger_reads: "work" | "fail" | "hang";
  /** Reads of it so far. */
  ledger_asked: number;
  dataset_fault: string | null;
  /** What the source answers. */
  answer: object;
  models_down: boolean;
  certificate_ends_ms: number;
  clock_level: string;
  newest_version: string;
  table_ends: string;
  disk: { readonly free: number; readonly total: number };
}

/** A node's alerts over everything they look at, in one process after another on the same folder. */
export interface AlertWorld {
  readonly state: WorldState;
  readonly data_dir: string;
  readonly sent: readonly AlertMessage[];
  kindsOf(event: string): readonly string[];
  openEvents(): readonly string[];
  /** Runs the product, the dataset's job and a model, and looks outside. */
  findOut(): Promise<void>;
  /** One pass of the alerts' job. */
  look(): Promise<void>;
  /** Passes of the alerts' job for so long, on its quarters of a minute; all is found out before each. */
  watch(for_ms: number): Promise<void>;
  ledgerReads(): number;
  /** What the operator wants to be told by, from now on; one channel that takes all unless set. */
  setChannels(channels: readonly Partial<AlertChannel>[]): void;
  /** Another process, which knows what was kept. */
  restart(): void;
  /** Percent of a provider's daily quota. */
  spendQuota(percent: number): void;
  /** The source answers once an hour, that often. */
  answerHourly(times: number): void;
  /** A part of what the models may cost today. */
  spendOnModels(share: number): void;
  /** A call that may cost more than is left. */
  askDear(): Promise<void>;
  sell(amount: bigint): void;
}

const PASS_MS = 15_000;
const START_MS = Date.UTC(2026, 10, 22, 6);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SOURCE_ANSWER = Type.Object({});
const VERSION = "1.0.0";
const QUOTAS = { day: 100 };
const LIMITS: BudgetLimits = { daily: 5 * PICODOLLARS_PER_USD, guests: 0, of_model: {}, of_product: {} };
const FREE_MODEL: ModelSettings = {
  id: "local",
  base_url: "http://127.0.0.1/v1",
  model: "m",
  api_key: null,
  classes: [],
  uses: ["compose"],
  context_tokens: 8_192,
  price_in: 0,
  price_out: 0,
  daily_max: null,
  timeout_ms: 1_000,
  parallel: 1,
  is_local: true,
};
const COMPLETION = { model: "m", choices: [{ message: { role: "assistant", content: "yes" }, finish_reason: "stop" }] };
const MODEL_RUN = { what: "/price", use: "compose", price_atomic: null, is_urgent: true } as const;
const SPARED = {
  id: "quote",
  path: "/quote",
  providers: [{ id: "first" }, { id: "spare" }],
  definition: { requires: [[{ id: "first" }, { id: "spare" }]] },
};
const PRODUCT = {
  id: "price",
  path: "/price",
  providers: [{ id: "source" }],
  definition: { requires: [[{ id: "source" }]] },
};

const createComparison = ({ unbooked, now_ms }: WorldState): IncomeComparison => ({
  network: "eip155:8453",
  pay_to: "0xa",
  from_ms: 0,
  until_ms: now_ms,
  transactions: unbooked,
  equal: 0,
  unbooked: Array.from({ length: unbooked }, (_, n) => ({
    transaction: `0x${n}`,
    from: "0xb",
    amount: 250_000n,
    at_ms: now_ms,
  })),
  explained: [],
  dust: { count: 0, amount: 0n },
  unopened: 0,
  not_on_chain: [],
});

export function createAlertWorld(data_dir: string): AlertWorld {
  const state: WorldState = {
    now_ms: START_MS,
    ledger_trouble: null,
    facilitator_ok: true,
    network_off: null,
    gas_warning: null,
    facilitator_networks: ["base"],
    missing: 0,
    unbooked: 0,
    doubted: 0,
    unknown: 0,
    suspended: 0,
    claims_failed: 0,
    stuck_channels: 0,
    dead_webhooks: 0,
    untaken_since_ms: null,
    provider_down: false,
    product_broken: false,
    spare_fails: false,
    source_fault: null,
    ledger_reads: "work",
    ledger_asked: 0,
    dataset_fault: null,
    answer: { price: 1 },
    models_down: false,
    certificate_ends_ms: START_MS + 90 * DAY_MS,
    clock_level: "ok",
    newest_version: VERSION,
    table_ends: "2027-12-08",
    disk: { free: 9e9, total: 2e10 },
  };
  const sent: AlertMessage[] = [];
  const kept: Kept = { quotas: [], spent: new Map(), sales: [] };
  const taken: AlertChannel = { name: "test", wants: () => true, send: async (one) => void sent.push(one) };
  const channels = [taken];
  const start = () => startProcess({ state, data_dir, kept, channels });
  let running = start();
  return {
    state,
    data_dir,
    sent,
    kindsOf: (event) => sent.filter(({ alerts }) => alerts.some((id) => eventOf(id) === event)).map(({ kind }) => kind),
    openEvents: () => running.book.list().map(({ id }) => id.split(":")[0] ?? id),
    findOut: () => running.findOut(),
    look: () => passAlerts(running.parts, running.book),
    async watch(for_ms) {
      for (let passed_ms = 0; passed_ms < for_ms; passed_ms += PASS_MS) {
        await running.findOut();
        await running.pass();
        state.now_ms += PASS_MS;
      }
    },
    ledgerReads: () => state.ledger_asked,
    setChannels(wanted) {
      channels.splice(0, channels.length, ...wanted.map((one) => ({ ...taken, ...one })));
    },
    restart: () => {
      running = start();
    },
    spendQuota: (cost) =>
      void running.quotas.spend({ provider: PRODUCT.providers[0]?.id ?? "", quotas: QUOTAS, cost, is_urgent: true }),
    answerHourly(times) {
      for (let hour = 0; hour < times; hour += 1) {
        state.now_ms += HOUR_MS;
        running.answer();
      }
    },
    spendOnModels(share) {
      const cost = share * LIMITS.daily;
      const call = running.budget.reserve({ what: "/price", model: "dear", worst: cost });
      call?.commit(cost, { prompt_tokens: 1, completion_tokens: 1, is_estimated: false });
    },
    async askDear() {
      await running.budget.reserveTogether({ what: "/price", model: "dear", worst: LIMITS.daily });
    },
    sell: (amount) => void kept.sales.push({ at_ms: state.now_ms, amount }),
  };
}

/** What is on disk. */
interface Kept {
  quotas: SpentQuota[];
  readonly spent: Map<string, SpentOnModel>;
  readonly sales: { readonly at_ms: number; readonly amount: bigint }[];
}

/** The books, as far as alerts read them. */
function createLedger(state: WorldState, sales: Kept["sales"]) {
  const read = async <T>(find: () => T): Promise<T> => {
    state.ledger_asked += 1;
    if (state.ledger_reads === "hang") return new Promise<T>(() => undefined);
    if (state.ledger_reads === "fail") throw new NodeError("ledger_unavailable", "The ledger cannot be read now.");
    return find();
  };
  return {
    get trouble() {
      return state.ledger_trouble;
    },
    copied: null,
    channels: { totals: () => read(() => []) },
    landings: { countUnknown: () => read(() => state.unknown) },
    keys: {
      suspended: () => read(() => Array.from({ length: state.suspended }, (_, n) => ({ public_id: `key_${n}` }))),
    },
    receipts: {
      page: () =>
        read(() => {
          const network = "eip155:8453";
          const rows = sales.map(({ at_ms, amount }) => ({ product: "price", network, amount, settled_at_ms: at_ms }));
          return { rows: rows.toReversed(), next_before: null };
        }),
      totals: (since_ms = 0) =>
        read(() => {
          const found = sales.filter(({ at_ms }) => at_ms >= since_ms);
          return { organic: { count: found.length, amount: found.reduce((sum, { amount }) => sum + amount, 0n) } };
        }),
    },
  };
}

const createAnchorStub = (state: WorldState) => ({
  troubles: async () => ({ untaken_since_ms: state.untaken_since_ms, unattested_since_ms: null, reason: null }),
});

const createPool = (state: WorldState) => ({
  status: () => [
    {
      id: "main",
      ok: state.facilitator_ok,
      networks: state.facilitator_networks,
      url: "http://127.0.0.1",
      last_error: null,
      warnings: state.gas_warning === null ? [] : [{ network: "base", why: state.gas_warning }],
    },
  ],
  listedInstead: () => "",
  unavailable: () => (state.network_off === null ? [] : [{ network: "solana", why: state.network_off }]),
  get offers() {
    return state.facilitator_ok ? [{}] : [];
  },
});

const createCatalog = (state: WorldState) => ({
  products: [PRODUCT, SPARED],
  providers: [...PRODUCT.providers, ...SPARED.providers],
  plugins: [
    {
      datasets: [{ name: "lists/eu" }],
      dated: () => [{ what: "Meetings", last_day: state.table_ends, extend: "[plugins.x] dates" }],
    },
  ],
});

/** One call of a product's to the models, whatever comes of it. */
const createAsker = (models: ModelEngine, timers: ManualTimers) => async () => {
  // The pause of the breaker, and more.
  await timers.advance(DAY_MS);
  const asked = { messages: [{ role: "user" as const, content: "?" }], max_tokens: 10 };
  const time = { signal: new AbortController().signal, left_ms: () => 60_000 };
  await models
    .open({ ...MODEL_RUN, ...time })
    .complete(asked)
    .catch(() => undefined);
};

/** Runs of the two products, and what a process remembers of them and of their sources. */
function createRuns(state: WorldState, now: () => number) {
  const failing_since = new Map<string, number>();
  const last_run = new Map<string, boolean>();
  const shut = new Map<string, number>();
  const called = new Map<string, { provider: string; ok: boolean; calls: number; last_ok_at?: string }>();
  const noteRun = (id: string, ok: boolean) => {
    last_run.set(id, ok);
    if (ok) failing_since.delete(id);
    else if (!failing_since.has(id)) failing_since.set(id, now());
  };
  const noteSource = (provider: string, ok: boolean) => {
    const { calls, last_ok_at } = called.get(provider) ?? { calls: 0 };
    const reached = ok ? renderTime(now()) : last_ok_at;
    called.set(provider, { provider, ok, calls: calls + 1, ...(reached === undefined ? {} : { last_ok_at: reached }) });
    if (ok) shut.delete(provider);
    else if (!shut.has(provider)) shut.set(provider, now());
  };
  const run = () => {
    noteRun(PRODUCT.id, !state.provider_down && !state.product_broken);
    noteSource("source", !state.provider_down);
    noteRun(SPARED.id, !state.spare_fails);
    noteSource("first", !state.spare_fails);
  };
  return {
    known: { failing_since, last_run },
    shutSince: (id: string) => shut.get(id) ?? null,
    status: () => [...called.values()],
    run,
  };
}

interface ProcessOptions {
  readonly state: WorldState;
  readonly data_dir: string;
  readonly kept: Kept;
  readonly channels: readonly AlertChannel[];
}

/** Without the wait for the disk itself: these worlds look thousands of times. */
const writeQuickly = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
};

/** What may be spent, and what was. */
function openSpending(kept: Kept, clock: Clock) {
  const quotas = createQuotaBook(clock, {
    read: () => kept.quotas,
    write: (row) => {
      kept.quotas = [...kept.quotas.filter(({ starts_at_ms }) => starts_at_ms !== row.starts_at_ms), row];
    },
  });
  const budget = createBudget({
    clock,
    limits: LIMITS,
    onShare: () => undefined,
    store: {
      read: (day) => [...kept.spent.values()].filter((row) => row.day === day),
      write: (row) => void kept.spent.set(`${row.day} ${row.what} ${row.model}`, row),
    },
  });
  return { quotas, budget };
}

/** The world around, as it is broken and mended. */
const createOutside = (state: WorldState, config: object) =>
  createOutsideWatch({
    config: () => config as never,
    catalog: { providers: [] },
    now: () => state.now_ms,
    looks: {
      certificate: async () => state.certificate_ends_ms,
      clock: async () => ({ level: state.clock_level, says: "61.0 s behind 3 servers" }),
      version: async () => state.newest_version,
    },
  });

type ModelsParts = Parameters<typeof createModels>[0];

/** One model that costs nothing, and answers while it is not said to be down. */
const createFreeModels = ({
  state,
  ...given
}: Pick<ModelsParts, "budget" | "timers" | "clock"> & Pick<ProcessOptions, "state">) =>
  createModels({
    ...given,
    settings: [FREE_MODEL],
    createTurns,
    parallel: 1,
    random: () => 0,
    cost_share: { compose: 1, door: 1 },
    run_cost_share: 1,
    user_agent: "test",
    log: () => undefined,
    fetch: async () => (state.models_down ? new Response("", { status: 500 }) : Response.json(COMPLETION)),
  });

function createMoney(state: ProcessOptions["state"]) {
  const contradicted = async () => [
    { facilitator: "main", network: "eip155:8453", doubted: state.doubted, missing: state.missing, disbelieved: 0 },
  ];
  return {
    pool: createPool(state),
    landing: { trust: { contradicted } },
    income: { found: () => [createComparison(state)] },
    wallets: [{}],
  };
}

const createTroubles = ({ dead_webhooks }: WorldState) => ({
  used: dead_webhooks + 1,
  failing: Array.from({ length: dead_webhooks }, (_, n) => ({
    url: `https://receiver-${n}.example/hook`,
    last_error: "it answered 503",
  })),
});

const createAlertConfig = (data_dir: string) => ({
  node: { public_url: "https://node.example.com" },
  chains: {},
  plugins: { tables: {} },
  providers: { tables: {} },
  upgrade: { url: "https://releases.example.com", key: "R".repeat(56) },
  backup: { dir: join(data_dir, "backups"), every: "1d", keep: 7 },
});

function startProcess({ state, data_dir, kept, channels }: ProcessOptions) {
  const clock = { now: () => state.now_ms };
  const started_at_ms = clock.now();
  const { quotas, budget } = openSpending(kept, clock);
  const timers = createManualTimers();
  const models = createFreeModels({ state, budget, timers, clock });
  const askModel = createAsker(models, timers);
  const shapes = createSourceShapes({
    data_dir,
    clock,
    later: (look: () => void) => look(),
    onFault: (error) => {
      throw error;
    },
  });
  const answer = () =>
    shapes.note({ provider: "source", path: "/quotes", body: "", schema: SOURCE_ANSWER, value: state.answer });

  const runs = createRuns(state, clock.now);
  const refused_datasets = new Map<string, string | null>();
  const config = createAlertConfig(data_dir);
  const upstream = {
    quotas: ({ id }: { readonly id: string }) => quotas.status(id, QUOTAS),
    shutSince: runs.shutSince,
    status: runs.status,
  };
  const outside = createOutside(state, config);
  const source_changes = () => {
    if (state.source_fault !== null) throw new Error(state.source_fault);
    return shapes.changes();
  };
  const core = {
    ...runs.known,
    catalog: createCatalog(state),
    clock,
    in_force: { config },
    models,
    refused_datasets,
    started_at_ms,
    upstream,
    ledger: createLedger(state, kept.sales),
    anchors: createAnchorStub(state),
    source_changes,
  };
  const money = createMoney(state);
  // Each part has what alerts read of it, and nothing else.
  const states = createNodeStates({ core, money, waiting: () => [] } as never);
  const readDisk = () => state.disk;
  const claims = () => ({ times: state.claims_failed, why: "no gas" });
  // Of those only the alerts' own wait for an answer makes use.
  const waits = createManualTimers();
  const parts = {
    config,
    data_dir,
    core,
    money,
    states,
    outside,
    readDisk,
    version: VERSION,
    timers: waits,
    claims,
    webhooks: () => createTroubles(state),
    stuck_channels: () =>
      Array.from({ length: state.stuck_channels }, (_, n) => ({
        id: `0x${n}`,
        network: "eip155:8453",
        why: "it is of another channel",
        left: 4_000n,
      })),
  } as unknown as AlertParts;
  const book: AlertBook = createAlertBook({
    file: join(data_dir, "alerts.json"),
    clock,
    channels,
    log: () => undefined,
    write: writeQuickly,
  });
  const findOut = async () => {
    runs.run();
    answer();
    refused_datasets.set("lists/eu", state.dataset_fault);
    for (let calls = 0; calls < 3; calls += 1) await askModel();
    await outside.pass();
  };
  const pass = async () => {
    const passed = passAlerts(parts, book);
    if (state.ledger_reads === "hang") await waits.expire(10_000);
    await passed;
  };
  return { parts, book, findOut, pass, quotas, budget, answer };
}
