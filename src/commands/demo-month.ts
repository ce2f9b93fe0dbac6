import { mkdirSync, rmSync } from "node:fs";
import type { SettableClock } from "../core/clock.ts";
import { startNode } from "../node/start-node.ts";
import { registry } from "../plugins/registry.gen.ts";
import { VERSION } from "../releases/version.ts";
import { createSandbox } from "../sandbox/index.ts";
import { simulators } from "../sandbox/simulators.gen.ts";
import { createLog } from "../telemetry/log.ts";
import { loadDemoConfig } from "./demo-config.ts";

/** A small node in its own sandbox, whose clock only moves when the tour moves it. */
export interface MonthNode {
  readonly url: string;
  readonly now_ms: () => number;
  /** Whether all of its books are exact. */
  readonly isExact: () => Promise<boolean>;
  stop(): Promise<void>;
}

export interface MonthOptions {
  /** Simulators of the world, the same as the tour's. */
  readonly seed: string;
  /** Folder of its data until it stops. */
  readonly folder: string;
  /** Everything it sells, by path. */
  readonly path: string;
}

/** Always the same month, so that every run of the step shows the same changes. */
const START_MS = Date.parse("2026-01-24T00:30:00Z");

function createStandingClock(): SettableClock {
  let now_ms = START_MS;
  return {
    now: () => now_ms,
    set: (to_ms) => {
      now_ms = to_ms;
    },
    advance: (ms) => {
      now_ms += ms;
    },
  };
}

/** Sells only one product and runs no jobs of plugins, so that a month takes seconds. */
function loadOnly(path: string) {
  const plugins = registry.map((plugin) => ({
    ...plugin,
    products: plugin.products.filter(({ product }) => product.path === path),
    jobs: [],
  }));
  const sold = plugins.filter(({ products }) => products.length > 0);
  return { plugins: sold, known: sold, faults: [] };
}

/** Starts the node. Each move of the sandbox's clock evaluates the watches that are due, as a real node's job does. */
export async function startMonthNode({ seed, folder, path }: MonthOptions): Promise<MonthNode> {
  const clearFolder = (): void => rmSync(folder, { recursive: true, force: true });
  // Removes the data of an interrupted run.
  clearFolder();
  mkdirSync(folder, { mode: 0o700 });
  const clock = createStandingClock();
  let checkWatches = async (): Promise<void> => undefined;
  const sandbox = await createSandbox({
    seed,
    clock,
    simulators,
    async liveTo(to_ms) {
      clock.set(to_ms);
      await checkWatches();
    },
  });
  const own = { port: 0, data: folder, facilitator_url: sandbox.facilitatorUrl() };
  const loaded = await loadDemoConfig({ config: undefined, plugins: undefined, ...own });
  if ("faults" in loaded) throw new Error(loaded.faults);
  const { proof, ...config } = loaded.config;
  const node = await startNode({
    // The inputs of answers are large, and nobody recomputes these answers.
    config: { ...config, proof: { ...proof, inputs: { ...proof.inputs, max_mb: 0 } } },
    data_dir: folder,
    clock,
    log: createLog({ level: "error", format: "json", secrets: [] }),
    version: VERSION,
    sandbox: { world: sandbox, clock, live_data: false, seed_history: false, is_idle: true },
    plugins: loadOnly(path),
  });
  ({ checkWatches } = node);
  await node.ready;
  return {
    url: node.url,
    now_ms: clock.now,
    isExact: async () => (await node.audit()).ok,
    async stop() {
      await node.stop(() => undefined);
      await sandbox.stop();
      clearFolder();
    },
  };
}
