import type { AnyDataset } from "../catalog/dataset.ts";
import { defineJob, type JobDefinition, type LoadedPlugin } from "../catalog/plugin.ts";
import { messageOf } from "../core/errors.ts";
import { DATASET_JOB } from "../jobs/plugin-jobs.ts";
import { takeIn } from "../stores/dataset-intake.ts";
import type { DatasetStore } from "../stores/dataset-store.ts";
import type { Log } from "../telemetry/log.ts";
import { buildInWorker } from "../threads/build-in-worker.ts";

/** The plugins with a job more for each of their datasets, which takes it in. */
export function addDatasetJobs(
  plugins: readonly LoadedPlugin[],
  {
    store,
    log,
    refused,
  }: { readonly store: DatasetStore; readonly log: Log; readonly refused: Map<string, string | null> },
): readonly LoadedPlugin[] {
  const toJob = (dataset: AnyDataset, { origin, file }: LoadedPlugin): JobDefinition => {
    const { name, schedule, providers, deadline_ms } = dataset;
    const plugin_file = origin === "built-in" ? null : file;
    return defineJob({
      id: `${DATASET_JOB}${name.slice(name.indexOf("/") + 1)}`,
      schedule,
      providers,
      at_start: true,
      deadline_ms,
      runs_kept: 1,
      async run(context) {
        const started_ms = performance.now();
        const taken = await takeIn(dataset, context, {
          store,
          build: (order, signal) => buildInWorker(dataset, order, { plugin_file, signal }),
        }).catch((error: unknown) => {
          refused.set(name, messageOf(error));
          throw error;
        });
        refused.set(name, null);
        if (taken === null) return;
        const { version, rows, bytes } = taken;
        log.info({
          event: "dataset_taken_in",
          dataset: name,
          version,
          rows,
          bytes,
          ms: performance.now() - started_ms,
        });
      },
    });
  };
  return plugins.map((plugin) => {
    const { datasets = [] } = plugin;
    if (datasets.length === 0) return plugin;
    return { ...plugin, jobs: [...plugin.jobs, ...datasets.map((dataset) => toJob(dataset, plugin))] };
  });
}
