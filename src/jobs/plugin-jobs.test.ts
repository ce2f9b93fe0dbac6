import { expect, test } from "bun:test";
import type { JobDefinition, LoadedPlugin } from "../catalog/plugin.ts";
import { systemTimers } from "../core/clock.ts";
import { createPluginJobs, type PluginJobOptions } from "./plugin-jobs.ts";
import { createScheduler } from "./scheduler.ts";

/** A plugin's job that asks an upstream which never answers. */
const silent = {
  id: "backfill",
  schedule: "0 0 * * *",
  at_start: true,
  deadline_ms: 600_000,
  providers: [],
  asks: [],
  run: ({ signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
} as unknown as JobDefinition;

test("a node that stops does not wait for what a plugin's job is asking", async () => {
  const plugin = { id: "macro", file: "macro.ts", jobs: [silent] } as unknown as LoadedPlugin;
  const jobs = createPluginJobs({
    plugins: [plugin],
    clock: { now: () => 0 },
    timers: systemTimers,
    usable: () => true,
    createContext: (run: object) => run,
    createAsk: () => () => Promise.reject(new Error("asks for nothing")),
  } as unknown as PluginJobOptions);
  const failures: unknown[] = [];
  const scheduler = createScheduler({ jobs, seed: "a", log: (event) => failures.push(event.error), now_ms: () => 0 });
  const started = scheduler.runAtStart();
  await scheduler.stop();
  await started;
  expect(failures).toEqual(["the node stops"]);
});
