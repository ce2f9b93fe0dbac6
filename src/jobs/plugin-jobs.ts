import type { JobContext, JobSourceContext, RunPurpose, WritableHistory } from "../catalog/context.ts";
import { type Model, type Models, NO_MODELS } from "../catalog/model.ts";
import type { JobDefinition, LoadedPlugin } from "../catalog/plugin.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import { guardProviders } from "../catalog/provider-guard.ts";
import type { AskingRunner } from "../catalog/runner.ts";
import { type Clock, startTimeLimit, type Timers } from "../core/clock.ts";
import type { ScheduledJob, Skipping } from "./scheduler.ts";
import { START_RANKS, type StartJob } from "./start-queue.ts";

export interface PluginJobOptions {
  readonly plugins: readonly LoadedPlugin[];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly history: WritableHistory;
  readonly usable: (provider: ProviderDefinition) => boolean;
  readonly createContext: (run: {
    now_ms: number;
    signal: AbortSignal;
    history: WritableHistory;
    mayCall: (provider: ProviderDefinition) => void;
    purpose: RunPurpose;
    limit_ms: number;
  }) => JobSourceContext;
  /** How a run asks for products. */
  readonly createAsk: AskingRunner["createAsk"];
  /** None unless given. */
  readonly models?: Models;
  /** Whether a product, by its default path, is switched off; default: no product is. */
  readonly isOff?: (path: string) => boolean;
}

/** The models a job may ask: nobody waits for it, and it costs what the budget of a job allows. */
function openModel(
  { models = NO_MODELS, timers }: PluginJobOptions,
  what: string,
  { signal, limit_ms }: { readonly signal: AbortSignal; readonly limit_ms: number },
): Model | null {
  if (models.whyNot("compose") !== null) return null;
  const until_ms = timers.elapsed_ms() + limit_ms;
  const left_ms = () => until_ms - timers.elapsed_ms();
  return models.open({ what, use: "compose", price_atomic: null, is_urgent: false, signal, left_ms });
}

/** Records as a job may use them that does not say that it writes any: it would write them once on every node. */
function readOnly(records: JobContext["records"], what: string): JobContext["records"] {
  const refuse = (): never => {
    throw new Error(`${what} writes records: it has to say so (writes_records: true)`);
  };
  return { ...records, append: refuse, appendAll: refuse, settle: refuse };
}

/** One with many runs kept tries again and again: what it needs need only be there at its last ones. */
const skippingOf = ({ runs_kept, asks = {} }: JobDefinition): Skipping =>
  runs_kept === undefined ? {} : { runs_kept, feeds: true, reads: runs_kept === 1 && Object.keys(asks).length > 0 };

/** How the id of a job begins that takes in a dataset. */
export const DATASET_JOB = "dataset-";

/** What the start has to know of it. */
const startOf = ({ id, asks = {}, providers }: JobDefinition): Omit<StartJob, "id"> => {
  const reads_stored = Object.keys(asks).length > 0;
  const storing = id.startsWith(DATASET_JOB) ? START_RANKS.lists : START_RANKS.series;
  return {
    start_rank: reads_stored ? START_RANKS.asking : storing,
    reads_stored,
    provider_ids: providers.map((provider) => provider.id),
  };
};

/**
 * The jobs that plugins bring, each under its own deadline; those that ask products come last, for what the others
 * store is what products read. One whose providers are all off, or all of whose products are, is not scheduled.
 */
export function createPluginJobs(options: PluginJobOptions): readonly ScheduledJob[] {
  const { clock, history, isOff = () => false } = options;
  const rests = ({ serves = [], asks = {} }: JobDefinition): boolean =>
    (serves.length > 0 && serves.every(isOff)) ||
    Object.entries(asks).some(([path, how]) => how === "needed" && isOff(path));
  // One for all: they are cancelled together, when the node stops.
  const stopping = new AbortController();
  const cancel = () => stopping.abort(new DOMException("the node stops", "AbortError"));
  const run =
    (job: JobDefinition, { id, file }: LoadedPlugin) =>
    async () => {
      const limit = startTimeLimit(options.timers, job.deadline_ms, stopping.signal);
      const { signal } = limit;
      const what = `job ${id}/${job.id} (${file})`;
      const { mayCall, assertKept } = guardProviders(job.providers, what);
      const base = options.createContext({
        now_ms: clock.now(),
        signal,
        history,
        mayCall,
        purpose: "job",
        limit_ms: job.deadline_ms,
      });
      const ask = options.createAsk({ what, asks: job.asks, signal, payer: null, cite: base.cite });
      try {
        const model = openModel(options, `job ${id}/${job.id}`, { signal, limit_ms: job.deadline_ms });
        const records = job.writes_records ? base.records : readOnly(base.records, what);
        await job.run({ ...base, records, ask, payer: null, model });
        assertKept();
      } finally {
        limit.end();
      }
    };
  const jobs = options.plugins.flatMap((plugin): ScheduledJob[] =>
    plugin.jobs
      .filter((job) => (job.providers.length === 0 || job.providers.some(options.usable)) && !rests(job))
      .map((job) => ({
        id: `${plugin.id}/${job.id}`,
        schedule: { cron: job.schedule },
        at_start: job.at_start,
        ...startOf(job),
        retries: true,
        ...(job.sandbox_days === undefined ? {} : { sandbox_days: job.sandbox_days }),
        skipping: skippingOf(job),
        one_runner: job.writes_records === true,
        run: run(job, plugin),
        cancel,
      })),
  );
  return jobs.toSorted((a, b) => Number(a.reads_stored) - Number(b.reads_stored));
}
