import type { CatalogProduct } from "../catalog/catalog.ts";
import { explainThrown } from "../catalog/describe-thrown.ts";
import { outcomeOf } from "../catalog/failover.ts";
import { createPreviews } from "../catalog/previews.ts";
import { createRunner } from "../catalog/runner.ts";
import { type Clock, systemTimers } from "../core/clock.ts";
import { listMarks } from "../jobs/list-marks.ts";
import { createPluginJobs } from "../jobs/plugin-jobs.ts";
import type { Schedule, ScheduledJob } from "../jobs/scheduler.ts";
import { createMemoryRecords, type MemoryRecords } from "../records/memory-records.ts";
import type { WritableRecords } from "../records/record-chain.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { type BuildOrder, buildDataset } from "../stores/dataset-build.ts";
import { takeIn } from "../stores/dataset-intake.ts";
import { createNodeSigner } from "../trust/node-signer.ts";
import type { RunBooks } from "../upstream/client.ts";
import { withSimulatedWindows } from "../upstream/series/simulated-windows.ts";
import { composeUpstream } from "./compose-catalog.ts";
import type { Core, StartOptions } from "./parts.ts";

const DAY_MS = 86_400_000;
/** A preview is taken a little earlier than it has to be. */
const MARGIN_MS = 60_000;

/** Something that happened in the past, and when. */
interface Moment {
  readonly at_ms: number;
  readonly live: () => Promise<void>;
}

/** Time that is set from moment to moment, and runs on while one is lived. */
function createPastClock(): Clock & { moveTo(to_ms: number): void } {
  let offset_ms = 0;
  return {
    now: () => Math.floor(systemTimers.elapsed_ms() + offset_ms),
    moveTo(to_ms) {
      offset_ms = to_ms - systemTimers.elapsed_ms();
    },
  };
}

const askNobody = () => Promise.reject(new Error("a dataset asks for no product"));
const noPeers = { count: 0, ask: async () => [] };

/** Whether a schedule came round since the moment that was lived before. */
type IsDue = (schedule: Schedule) => boolean;

/** The node as it was: its own upstreams, runner and jobs on another clock, over the same stores. */
function composePast(
  options: StartOptions,
  core: Core,
  { sandbox, clock, records }: { sandbox: Sandbox; clock: Clock; records: WritableRecords },
) {
  const { config, log, version } = options;
  const { catalog, identity, market, stores } = core;
  const history = withSimulatedWindows(stores.history, sandbox.world, { until: clock.now });
  const books: RunBooks = {
    records,
    signer: createNodeSigner(identity),
    peers: noPeers,
    table: stores.table,
    node: core.facts,
    askStranger: sandbox.strangersAt(clock.now).ask,
    dataset: async (dataset) => stores.datasets.open(dataset, clock.now()),
  };
  const fetch = sandbox.fetchAt(clock.now);
  const upstream = composeUpstream({ config, plugins: catalog.plugins, clock, log, version, sandbox, books, fetch });
  const { createContext, usable } = upstream;
  const runner = createRunner({
    node_id: identity.node_id,
    sandbox: true,
    clock,
    history,
    createContext,
    models: core.models,
    find: catalog.get,
    onRun: ({ id }) => core.noteRun(id, true),
    // What failed then says nothing of now: it may only have asked for records that are not told yet.
    onFailure: () => undefined,
    onSuccess: () => undefined,
  });
  const previews = createPreviews({ node_id: identity.node_id, sandbox: true, clock, store: market, runner });
  const { plugins } = catalog;
  const { createAsk } = runner;
  const jobs = createPluginJobs({ plugins, clock, timers: systemTimers, history, usable, createContext, createAsk });
  /** Simulated files are small: they are taken in without a worker. */
  const takeInDatasets = async (concerned: ReadonlySet<string>, isDue: IsDue): Promise<void> => {
    const of_these = plugins.filter(({ id }) => concerned.has(id));
    for (const dataset of of_these.flatMap((plugin) => plugin.datasets ?? [])) {
      if (!dataset.providers.some(usable) || !isDue({ cron: dataset.schedule })) continue;
      const { signal } = new AbortController();
      const run = {
        ...createContext({ now_ms: clock.now(), signal, history, purpose: "job" }),
        payer: null,
        model: null,
        ask: askNobody,
      };
      const parts = { store: stores.datasets, build: (order: BuildOrder) => buildDataset(dataset, order) };
      // What cannot be had is missing from the past, as it would have been.
      await outcomeOf(takeIn(dataset, run, parts));
    }
  };
  return { previews, jobs, takeInDatasets };
}

/** As many as the ledger takes in one go. */
const KEPT_AT_ONCE = 200;

/** Copies records into the ledger, each with its own times. What a chain of the ledger holds already is left alone. */
async function keepRecords({ ledger, sales_first }: Core, records: MemoryRecords): Promise<void> {
  let now_ms = 0;
  const kept = ledger.records("sandbox", { now: () => now_ms });
  for (const [chain, rows] of records.all()) {
    if ((await kept.head(chain)).length > 0) continue;
    for (let from = 0; from < rows.length; from += KEPT_AT_ONCE) {
      const some = rows.slice(from, from + KEPT_AT_ONCE);
      const drafts = some.map(({ record, beside, recorded_at_ms }) => ({
        chain,
        beside,
        build() {
          now_ms = recorded_at_ms;
          return record;
        },
      }));
      await kept.appendAll(drafts);
      await sales_first.turn();
      // Written in one go as well: the ledger joins what comes at once.
      const graded = some.flatMap(({ seq, outcome }) => (outcome === null ? [] : [{ chain, seq, ...outcome }]));
      await Promise.all(
        graded.map(({ scored_at_ms, ...draft }) =>
          ledger.records("sandbox", { now: () => scored_at_ms }).settle(draft),
        ),
      );
    }
  }
}

/** Records that are not reported yet: a product that asks for them is noted, and has to try again. */
function createUntoldRecords(): { readonly records: WritableRecords; readonly wasAsked: () => boolean } {
  let asked = false;
  const refuse = () => {
    asked = true;
    return Promise.reject(new Error("the records of this past are not written yet"));
  };
  return {
    records: { head: refuse, read: refuse, append: refuse, appendAll: refuse, settle: refuse },
    wasAsked() {
      const was = asked;
      asked = false;
      return was;
    },
  };
}

/** The products that have no preview yet: of a sandbox that was there before, none. */
const listUnseen = ({ catalog, previews }: Core): readonly CatalogProduct[] =>
  catalog.products.filter(
    (product) => product.definition.plan === undefined && previews.find(product, product.previewRequests()[0]) === null,
  );

/** Plugins whose past is missing: all of a new sandbox; of one that was there before, those that came since. */
const listConcerned = ({ catalog }: Core, unseen: readonly CatalogProduct[]): ReadonlySet<string> => {
  const is_new = catalog.products.every((product) => product.definition.plan !== undefined || unseen.includes(product));
  return new Set(is_new ? catalog.plugins.map(({ id }) => id) : unseen.map(({ plugin }) => plugin));
};

/** What becomes of a sandbox's past while it is lived. */
export interface PastListener {
  /** Series and previews are there, but for those of the products named, which show records. */
  readonly onSampled: (later: ReadonlySet<string>) => void;
}

/**
 * Gives a new sandbox a past, in two passes over its stores. First, before every moment of which a preview is due,
 * jobs sample the market once, and the previews are taken. Then the jobs that keep a record are lived at each of
 * their marks, for as many days as they say, and the previews that show one are taken. The simulated market can be
 * read at any time, so nothing of it takes the way over a socket, and no clock is set: the node answers meanwhile.
 */
export async function livePast(options: StartOptions, core: Core, { onSampled }: PastListener): Promise<void> {
  const products = listUnseen(core);
  if (!options.sandbox || products.length === 0) return;
  const { world: sandbox, history_days = Number.POSITIVE_INFINITY } = options.sandbox;
  const now_ms = options.clock.now();
  const { log } = options;
  const { sales_first } = core;
  const attempt = (of: Readonly<Record<string, string>>, run: () => Promise<void>): Promise<void> =>
    run().catch((error: unknown) => log.warn({ event: "past_failed", ...of, error: explainThrown(error) }));
  const momentOf = (product: CatalogProduct): number => now_ms - product.preview_delay_ms - MARGIN_MS;

  const clock = createPastClock();
  const untold = createUntoldRecords();
  const sampling = composePast(options, core, { sandbox, clock, records: untold.records });
  const concerned = listConcerned(core, products);
  const isConcerned = ({ id }: ScheduledJob): boolean => concerned.has(id.slice(0, id.indexOf("/")));
  const samplers = sampling.jobs.filter((job) => job.sandbox_days === undefined && isConcerned(job));
  const later = new Set<CatalogProduct>();
  let lived_ms: number | null = null;
  for (const at_ms of [...new Set(products.map(momentOf))].sort((a, b) => a - b)) {
    clock.moveTo(at_ms);
    const from_ms = lived_ms;
    // What is due once a day is not done again for a moment an hour later.
    const isDue: IsDue = (schedule) =>
      from_ms === null || listMarks(schedule, { from_ms, to_ms: at_ms, marks_max: 1 }).length > 0;
    await attempt({ of: "datasets" }, () => sampling.takeInDatasets(concerned, isDue));
    for (const { id, schedule, run } of samplers) {
      await sales_first.turn();
      const lived = isDue(schedule) ? await outcomeOf(run()) : null;
      // A product that reads records comes too early in this pass: no fault, and no effect on the next product.
      const is_early = untold.wasAsked();
      if (lived?.ok === false && !is_early) {
        log.warn({ event: "past_failed", job: id, error: explainThrown(lived.error) });
      }
    }
    lived_ms = at_ms;
    for (const product of products.filter((one) => momentOf(one) === at_ms)) {
      await sales_first.turn();
      const failed = await outcomeOf(sampling.previews.refresh(product));
      if (untold.wasAsked()) later.add(product);
      else if (!failed.ok)
        log.warn({ event: "past_failed", product: product.id, file: product.file, error: explainThrown(failed.error) });
    }
  }
  onSampled(new Set([...later].map(({ id }) => id)));

  const records = createMemoryRecords(clock.now);
  const recording = composePast(options, core, { sandbox, clock, records });
  const moments: Moment[] = [...later].map((product) => ({
    at_ms: momentOf(product),
    live: () => attempt({ product: product.id }, () => recording.previews.refresh(product)),
  }));
  for (const job of recording.jobs.filter(isConcerned)) {
    const from_ms = now_ms - Math.min(history_days, job.sandbox_days ?? 0) * DAY_MS;
    for (const at_ms of job.sandbox_days === undefined ? [] : listMarks(job.schedule, { from_ms, to_ms: now_ms })) {
      moments.push({ at_ms, live: () => attempt({ job: job.id }, job.run) });
    }
  }
  for (const { at_ms, live } of moments.sort((a, b) => a.at_ms - b.at_ms)) {
    clock.moveTo(at_ms);
    await live();
    await sales_first.turn();
  }
  await keepRecords(core, records);
}
