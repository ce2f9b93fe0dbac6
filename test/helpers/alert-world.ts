import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { type AlertBook, createAlertBook } from "../../src/alerts/alert-book.ts";
import type { AlertMessage } from "../../src/alerts/types.ts";
import { type BudgetLimits, createBudget, type SpentOnModel } from "../../src/models/budget.ts";
import { type ModelSettings, PICODOLLARS_PER_USD } from "../../src/models/model-settings.ts";
import { createModels, type ModelEngine } from "../../src/models/models.ts";
import type { AlertParts } from "../../src/node/alert-conditions.ts";
import { passAlerts } from "../../src/node/compose-alerts.ts";
import { createTurns } from "../../src/node/compose-models.ts";
import { createOutsideWatch } from "../../src/node/look-outside.ts";
import { createNodeStates } from "../../src/node/node-state.ts";
import { createSourceShapes } from "../../src/node/source-shapes.ts";
import { createQuotaBook, type SpentQuota } from "../../src/upstream/quotas.ts";
import { createManualTimers, type ManualTimers } from "./manual-timers.ts";

/** What a test breaks and mends; it outlives the node's process. */
export interface WorldState {
  now_ms: number;
  ledger_trouble: string | null;
  facilitator_ok: boolean;
  network_off: string | null;
  gas_warning: string | null;
  missing: number;
  unknown: number;
  suspended: number;
  provider_down: boolean;
  product_broken: boolean;
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

const START_MS = Date.UTC(2026, 10, 22, 6);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SOURCE_ANSWER = Type.Object({});
const VERSION = "1.0.0";
const QUOTAS = { day: 100 };
const LIMITS: BudgetLimits = { daily: 5 * PICODOLLARS_PER_USD, guests: 0, of_model: {}, of_product: {} };
const FREE_MODEL: ModelSettings = {
  ...{ id: "local", base_url: "http://127.0.0.1/v1", model: "m", api_key: null, classes: [], uses: ["compose"] },
  ...{ context_tokens: 8_192, price_in: 0, price_out: 0, daily_max: null, timeout_ms: 1_000, parallel: 1 },
  is_local: true,
};
const COMPLETION = { model: "m", choices: [{ message: { role: "assistant", content: "yes" }, finish_reason: "stop" }] };
const MODEL_RUN = { what: "/price", use: "compose", price_atomic: null, is_urgent: true } as const;
const PRODUCT = {
  ...{ id: "price", path: "/price", providers: [{ id: "source" }] },
  definition: { requires: [[{ id: "source" }]] },
};

export function createAlertWorld(data_dir: string): AlertWorld {
  const state: WorldState = {
    ...{ now_ms: START_MS, ledger_trouble: null, facilitator_ok: true, network_off: null, gas_warning: null },
    ...{
      missing: 0,
      unknown: 0,
      suspended: 0,
      provider_down: false,
      product_broken: false,
      dataset_fault: null,
      answer: { price: 1 },
      models_down: false,
    },
    ...{ certificate_ends_ms: START_MS + 90 * DAY_MS, clock_level: "ok", newest_version: VERSION },
    ...{ table_ends: "2027-12-08", disk: { free: 9e9, total: 2e10 } },
  };
  const sent: AlertMessage[] = [];
  const kept: Kept = { quotas: [], spent: new Map(), sales: [] };
  const start = () => startProcess({ state, data_dir, kept, sent });
  let running = start();
  return {
    ...{ state, data_dir, sent },
    kindsOf: (event) => sent.filter((one) => one.event === event).map(({ kind }) => kind),
    openEvents: () => running.book.list().map(({ id }) => id.split(":")[0] ?? id),
    findOut: () => running.findOut(),
    look: () => passAlerts(running.parts, running.book),
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
const createLedger = (state: WorldState, sales: Kept["sales"]) => ({
  get trouble() {
    return state.ledger_trouble;
  },
  landings: { countUnknown: async () => state.unknown },
  keys: { suspended: async () => Array.from({ length: state.suspended }, (_, n) => ({ public_id: `key_${n}` })) },
  receipts: {
    totals: async (since_ms = 0) => {
      const found = sales.filter(({ at_ms }) => at_ms >= since_ms);
      return { organic: { count: found.length, amount: found.reduce((sum, { amount }) => sum + amount, 0n) } };
    },
  },
});

const createPool = (state: WorldState) => ({
  status: () => [
    {
      ...{ id: "main", ok: state.facilitator_ok, networks: ["base"], url: "http://127.0.0.1", last_error: null },
      warnings: state.gas_warning === null ? [] : [{ network: "base", why: state.gas_warning }],
    },
  ],
  unavailable: () => (state.network_off === null ? [] : [{ network: "solana", why: state.network_off }]),
  offers: [{}],
});

const createCatalog = (state: WorldState) => ({
  ...{ products: [PRODUCT], providers: PRODUCT.providers },
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

/** Runs of the one product, and what a process remembers of them. */
function createRuns(state: WorldState, now: () => number) {
  const failing_since = new Map<string, number>();
  const last_run = new Map<string, boolean>();
  let shut_since_ms: number | null = null;
  const run = () => {
    const ok = !state.provider_down && !state.product_broken;
    shut_since_ms = state.provider_down ? (shut_since_ms ?? now()) : null;
    last_run.set(PRODUCT.id, ok);
    if (ok) failing_since.delete(PRODUCT.id);
    else if (!failing_since.has(PRODUCT.id)) failing_since.set(PRODUCT.id, now());
  };
  const status = () =>
    last_run.get(PRODUCT.id) === true
      ? [{ provider: PRODUCT.providers[0]?.id, last_ok_at: "2026-11-22T06:00:00Z" }]
      : [];
  return { known: { failing_since, last_run }, shutSince: () => shut_since_ms, status, run };
}

interface ProcessOptions {
  readonly state: WorldState;
  readonly data_dir: string;
  readonly kept: Kept;
  readonly sent: AlertMessage[];
}

function startProcess({ state, data_dir, kept, sent }: ProcessOptions) {
  const clock = { now: () => state.now_ms };
  const started_at_ms = clock.now();
  const quotas = createQuotaBook(clock, {
    read: () => kept.quotas,
    write: (row) => {
      kept.quotas = [...kept.quotas.filter(({ starts_at_ms }) => starts_at_ms !== row.starts_at_ms), row];
    },
  });
  const budget = createBudget({
    ...{ clock, limits: LIMITS, onShare: () => undefined },
    store: {
      read: (day) => [...kept.spent.values()].filter((row) => row.day === day),
      write: (row) => void kept.spent.set(`${row.day} ${row.what} ${row.model}`, row),
    },
  });
  const timers = createManualTimers();
  const models = createModels({
    ...{ settings: [FREE_MODEL], budget, createTurns, parallel: 1, timers, clock, random: () => 0 },
    ...{ cost_share: { compose: 1, door: 1 }, run_cost_share: 1, user_agent: "test", log: () => undefined },
    fetch: async () => (state.models_down ? new Response("", { status: 500 }) : Response.json(COMPLETION)),
  });
  const askModel = createAsker(models, timers);
  const shapes = createSourceShapes({
    ...{ data_dir, clock, later: (look: () => void) => look() },
    onFault: (error) => {
      throw error;
    },
  });
  const answer = () =>
    shapes.note({ provider: "source", path: "/quotes", body: "", schema: SOURCE_ANSWER, value: state.answer });

  const runs = createRuns(state, clock.now);
  const refused_datasets = new Map<string, string | null>();
  const config = {
    ...{ node: { public_url: "https://node.example.com" }, chains: {}, plugins: { tables: {} } },
    ...{ providers: { tables: {} }, upgrade: { url: "https://releases.example.com", key: "R".repeat(56) } },
    backup: { dir: join(data_dir, "backups"), every: "1d", keep: 7 },
  };
  const upstream = {
    quotas: ({ id }: { readonly id: string }) => quotas.status(id, QUOTAS),
    shutSince: runs.shutSince,
    status: runs.status,
  };
  const outside = createOutsideWatch({
    ...{ config: () => config as never, catalog: { providers: [] }, now: clock.now },
    looks: {
      certificate: async () => state.certificate_ends_ms,
      clock: async () => ({ level: state.clock_level, says: "61.0 s behind 3 servers" }),
      version: async () => state.newest_version,
    },
  });
  const core = {
    ...{ ...runs.known, catalog: createCatalog(state), clock, in_force: { config }, models, refused_datasets },
    ...{ started_at_ms, upstream, ledger: createLedger(state, kept.sales), source_changes: shapes.changes },
  };
  const money = {
    pool: createPool(state),
    landing: { trust: { last24h: async () => [{ missing: state.missing }] } },
    wallets: [{}],
  };
  // Each part has what alerts read of it, and nothing else.
  const states = createNodeStates({ core, money, waiting: () => [] } as never);
  const readDisk = () => state.disk;
  const parts = { config, data_dir, core, money, states, outside, readDisk, version: VERSION } as unknown as AlertParts;
  const channel = { name: "test", wants: () => true, send: async (one: AlertMessage) => void sent.push(one) };
  const book: AlertBook = createAlertBook({
    ...{ file: join(data_dir, "alerts.json"), clock, channels: [channel], log: () => undefined },
  });
  const findOut = async () => {
    runs.run();
    answer();
    refused_datasets.set("lists/eu", state.dataset_fault);
    for (let calls = 0; calls < 3; calls += 1) await askModel();
    await outside.pass();
  };
  return { parts, book, findOut, quotas, budget, answer };
}
