import { setSystemTime } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobContext } from "../../src/catalog/context.ts";
import { loadPlugins } from "../../src/node/compose-catalog.ts";
import type { RunningNode } from "../../src/node/parts.ts";
import { startNode } from "../../src/node/start-node.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { simulators } from "../../src/sandbox/simulators.gen.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { loadSandboxConfig } from "../helpers/sandbox-config.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";
import { createDrivenClock, createDrivenTimers, type DrivenClock, type DrivenTimers } from "./driven-timers.ts";

/** What a plugin's job did so far, in all lives of the node. */
export interface JobDiary {
  readonly runs_at_ms: number[];
  readonly failures: string[];
  running: number;
  /** Most runs at one time. */
  most: number;
}

/** One life of the node, from a start to a stop. */
export interface Life {
  readonly node: RunningNode;
  readonly timers: DrivenTimers;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends newly signed money for a product. */
  order(path: string): Promise<Response>;
  /** What a buyer gets for it; throws when it is no answer. */
  buy(path: string): Promise<Readonly<Record<string, unknown>>>;
  stop(): Promise<void>;
}

export interface DayWorld {
  readonly clock: DrivenClock;
  readonly data: string;
  readonly diary: ReadonlyMap<string, JobDiary>;
  /** Lets a job's upstream answer nothing until it is called: as slow as it likes to be. */
  hold(job_id: string): () => void;
  start(): Promise<Life>;
  close(): Promise<void>;
}

/** A simulated world with a data folder, in which a node starts, lives by a driven clock, stops and starts again. */
export async function createDayWorld(start_ms: number): Promise<DayWorld> {
  const data = mkdtempSync(join(tmpdir(), "day-"));
  const clock = createDrivenClock(start_ms);
  const settable = { now: clock.now, set: clock.moveTo, advance: (ms: number) => clock.moveTo(clock.now() + ms) };
  const sandbox = await createSandbox({ seed: "test", clock: settable, simulators });
  const diary = new Map<string, JobDiary>();
  const held = new Map<string, Promise<void>>();
  const waiting = new Set<JobContext>();
  const config = loadSandboxConfig({ data, facilitator_url: sandbox.facilitatorUrl() });
  const built_in = await loadPlugins(config);

  /** The context of a job whose upstream may be slow. */
  const slow = (job_id: string, context: JobContext): JobContext => ({
    ...context,
    async get(provider, request) {
      const gate = held.get(job_id);
      if (gate) {
        waiting.add(context);
        await gate;
        waiting.delete(context);
      }
      return context.get(provider, request);
    },
  });
  const plugins = {
    ...built_in,
    plugins: built_in.plugins.map((plugin) => ({
      ...plugin,
      jobs: plugin.jobs.map((job) => {
        const entry: JobDiary = { runs_at_ms: [], failures: [], running: 0, most: 0 };
        diary.set(job.id, entry);
        return {
          ...job,
          async run(context: JobContext) {
            entry.runs_at_ms.push(clock.now());
            entry.running += 1;
            entry.most = Math.max(entry.most, entry.running);
            try {
              await job.run(slow(job.id, context));
            } catch (error) {
              entry.failures.push(String(error));
              throw error;
            } finally {
              entry.running -= 1;
            }
          },
        };
      }),
    })),
  };

  return {
    clock,
    data,
    diary,
    hold(job_id) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(job_id, promise);
      return () => {
        held.delete(job_id);
        resolve();
      };
    },
    async start() {
      const timers = createDrivenTimers(clock, () => waiting.size);
      const node = await startNode({
        config,
        data_dir: data,
        clock,
        log: createLog({ level: "silent", format: "json", secrets: [] }),
        version: "0.0.0-test",
        sandbox: { world: sandbox, clock: settable, live_data: false, seed_history: false },
        plugins,
        job_timers: timers,
      });
      await node.settled;
      const get: Life["get"] = (path, headers = {}) => fetch(`${node.url}${path}`, { headers });
      const order: Life["order"] = async (path) => {
        // Buyers sign at the system's time.
        setSystemTime(new Date(clock.now()));
        try {
          const payment = await createPaymentPayload(await get(path), newPayer());
          return await get(path, { "PAYMENT-SIGNATURE": payment });
        } finally {
          setSystemTime();
        }
      };
      return {
        node,
        timers,
        get,
        order,
        async buy(path) {
          const response = await order(path);
          if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
          return (await response.json()) as Record<string, unknown>;
        },
        stop: () => node.stop(() => undefined),
      };
    },
    async close() {
      await sandbox.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
