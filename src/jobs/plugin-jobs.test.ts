import { expect, test } from "bun:test";
import type { JobDefinition, LoadedPlugin } from "../catalog/plugin.ts";
import { systemTimers } from "../core/clock.ts";
import { registry } from "../plugins/registry.gen.ts";
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

test("a job rests while all it serves is switched off, or anything it needs", () => {
  const job = (id: string, more: object) => ({ ...silent, id, asks: {}, ...more });
  const jobs = [
    job("serves-both", { serves: ["/one", "/two"] }),
    job("serves-one", { serves: ["/one"] }),
    job("needs-one", { asks: { "/one": "needed" } }),
    job("may-ask-one", { asks: { "/one": "optional" } }),
    job("serves-all", {}),
  ];
  const list = (off: readonly string[]) =>
    createPluginJobs({
      plugins: [{ id: "p", file: "p.ts", jobs } as unknown as LoadedPlugin],
      usable: () => true,
      isOff: (path: string) => off.includes(path),
    } as unknown as PluginJobOptions).map(({ id }) => id.slice(2));
  expect(list([])).toHaveLength(5);
  expect(list(["/one"]).toSorted()).toEqual(["may-ask-one", "serves-all", "serves-both"]);
  expect(list(["/one", "/two"]).toSorted()).toEqual(["may-ask-one", "serves-all"]);
});

test("what a built-in job serves is a product", () => {
  const paths = new Set(registry.flatMap(({ products }) => products.map(({ product }) => product.path as string)));
  const served = registry.flatMap(({ jobs }) => jobs.flatMap(({ serves = [] }) => serves));
  expect(served.length).toBeGreaterThan(10);
  expect(served.filter((path) => !paths.has(path))).toEqual([]);
});

test("a job that does not say that it writes records cannot, and one that says so has one runner", async () => {
  const append = (context: { records: { append(): unknown } }) => Promise.resolve(context.records.append());
  const writer = { ...silent, id: "quiet", run: append } as unknown as JobDefinition;
  const plugin = { id: "macro", file: "macro.ts", jobs: [writer, { ...writer, id: "open", writes_records: true }] };
  let written = 0;
  const records = { append: () => (written += 1) };
  const jobs = createPluginJobs({
    plugins: [plugin as unknown as LoadedPlugin],
    clock: { now: () => 0 },
    timers: systemTimers,
    usable: () => true,
    createContext: (run: object) => ({ ...run, records }),
    createAsk: () => () => Promise.reject(new Error("asks for nothing")),
  } as unknown as PluginJobOptions);
  const run = async (leads: boolean) => {
    const failures: unknown[] = [];
    const log = (event: Readonly<Record<string, unknown>>) => failures.push(event.error);
    const scheduler = createScheduler({ jobs, seed: "a", log, now_ms: () => 0, leads: () => leads });
    await scheduler.runAtStart();
    const elsewhere = scheduler
      .status()
      .filter((job) => job.elsewhere)
      .map(({ id }) => id);
    return { failures, elsewhere };
  };
  const refused = "job macro/quiet (macro.ts) writes records: it has to say so (writes_records: true)";
  expect(await run(false)).toEqual({ failures: [refused], elsewhere: ["macro/open"] });
  expect(written).toBe(0);
  expect(await run(true)).toEqual({ failures: [refused], elsewhere: [] });
  expect(written).toBe(1);
});

test("a job that asks products comes after all that ask none, whatever plugin is first", async () => {
  const named = (id: string, asks: object) => ({ ...silent, id, asks }) as unknown as JobDefinition;
  const plugins = [
    { id: "ai", file: "ai.ts", jobs: [named("editions", { "/br-curve": "needed" }), named("news", {})] },
    { id: "brazil", file: "brazil.ts", jobs: [named("settlements", {})] },
  ] as unknown as LoadedPlugin[];
  const jobs = createPluginJobs({ plugins, usable: () => true } as unknown as PluginJobOptions);
  expect(jobs.map(({ id }) => id)).toEqual(["ai/news", "brazil/settlements", "ai/editions"]);
});
