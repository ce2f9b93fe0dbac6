import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { listSimulatorNotes } from "../catalog/author-notes.ts";
import { renderFault } from "../catalog/catalog.ts";
import { createSettableClock, systemTimers } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { keepLean, RUNTIME_MEMORY } from "../core/lean-memory.ts";
import { thread_turns } from "../core/thread-turns.ts";
import { createClockTimers } from "../jobs/clock-timers.ts";
import type { RunningNode } from "../node/parts.ts";
import { startNode } from "../node/start-node.ts";
import { VERSION } from "../releases/version.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { simulators } from "../sandbox/simulators.gen.ts";
import { createLog } from "../telemetry/log.ts";
import { loadDemoConfig } from "./demo-config.ts";
import { startMonthNode } from "./demo-month.ts";
import { runTour } from "./demo-tour.ts";
import { EXIT } from "./exit-codes.ts";
import { guardProcess } from "./guard-process.ts";
import { print, printError } from "./print.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { waitForStop } from "./wait-for-stop.ts";

export interface DemoOptions {
  /** Prints one JSON line per step instead of words. */
  readonly json: boolean;
  /** Keeps running for outside clients instead of running the tour. */
  readonly serve: boolean;
  readonly port: number;
  /** Folder for ledger, market data and sandbox chain; default: a temporary folder that is removed on exit. */
  readonly data: string | undefined;
  /** Sandbox money, real upstreams. */
  readonly live_data: boolean;
  /** A plugin folder to load as well. */
  readonly plugins: string | undefined;
  /** The operator's own file, run on sandbox money; default: none, with all defaults. */
  readonly config: string | undefined;
  /** Whether a new sandbox lives a past. Without one it starts as empty as a new node, and works only when called. */
  readonly history: boolean;
  /** The most days of records, such as graded signals, in that past; default: as many as each job says. */
  readonly history_days: number | undefined;
}

const SEED = "intel-node";
/**
 * Limits of memory. This process lives the past together with its upstreams, which leaves much garbage beside some
 * 230 MiB that stay; the limit is 300 MiB in all. A release of memory waits only for buyers, because the past always
 * has work waiting, which would delay every release.
 */
const LEAN = {
  from_mib: 200,
  step_mib: 16,
  most_mib: 270,
  every_ms: 50,
  isBusy: () => thread_turns.status().buyers > 0,
};

/** The world in a box: the real node on sandbox money. Returns the exit code. */
export async function demoCommand(options: DemoOptions): Promise<number> {
  const temporary = options.data ? null : createTemporaryFolder("intel-node-demo-");
  const data = options.data ? resolve(options.data) : (temporary?.path ?? "");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const clock = createSettableClock();
  const job_timers = createClockTimers(clock, systemTimers);
  const log = createLog({ level: options.serve ? "info" : "error", format: "json", secrets: [] });
  const { onHangup } = guardProcess(log);
  const stopLean = keepLean({ timers: systemTimers, ...LEAN, ...RUNTIME_MEMORY });
  let node: RunningNode | null = null;
  const persist_file = join(data, "sandbox-chain.jsonl");
  const sandbox = await createSandbox({
    seed: SEED,
    clock,
    simulators,
    persist_file,
    onLimits: (enabled) => node?.setLimits(enabled),
    // A node that has only just started has no ticks yet.
    async liveTo(to_ms) {
      await node?.settled;
      await job_timers.liveTo(to_ms);
    },
    onClock: () => node?.refreshChallenges(),
  });
  try {
    const load = async () => {
      const calendars = options.live_data ? [] : [sandbox.calendar_url];
      const own = { data, facilitator_url: sandbox.facilitatorUrl(), offers_channels: !options.serve, calendars };
      const read = await loadDemoConfig({ ...options, ...own });
      if ("faults" in read) return read;
      for (const plugin of read.plugins.plugins) sandbox.addSimulators(plugin.simulators);
      return { ...read, secrets: [] };
    };
    const loaded = await load();
    if ("faults" in loaded) {
      printError(loaded.faults);
      return EXIT.config;
    }
    const { config, plugins } = loaded;
    const not_played = listSimulatorNotes(plugins.plugins).map(renderFault);
    for (const note of not_played) log.warn({ event: "not_simulated", note });
    if (!options.serve) for (const note of not_played) printError(note);
    node = await startNode({
      config,
      data_dir: data,
      clock,
      log,
      version: VERSION,
      sandbox: {
        world: sandbox,
        clock,
        live_data: options.live_data,
        seed_history: options.history && !options.live_data,
        is_idle: !options.history,
        ...(options.history_days === undefined ? {} : { history_days: options.history_days }),
      },
      plugins,
      job_timers,
      source: { first: loaded.read, load },
    });
    const { reload } = node;
    onHangup(() => void reload());
    await (options.serve ? node.ready : node.settled);
    if (options.serve) {
      temporary?.leaveSignals();
      return await serve(node);
    }
    return await tour(node, options, { sandbox, now_ms: clock.now, folder: join(data, "demo-month") });
  } catch (error) {
    if (!messageOf(error).includes("ENETUNREACH")) throw error;
    printError("the loopback interface is down; the demo talks to itself over 127.0.0.1: ip link set lo up");
    return EXIT.failed;
  } finally {
    stopLean();
    await sandbox.stop();
    temporary?.remove();
  }
}

async function serve(node: RunningNode): Promise<number> {
  const ready = {
    event: "ready",
    url: node.url,
    sandbox_url: `${node.url}/__sandbox`,
    operator_token: node.operator_token,
  };
  print(JSON.stringify(ready));
  return waitForStop(node);
}

async function tour(
  node: RunningNode,
  options: DemoOptions,
  { sandbox, now_ms, folder }: { sandbox: Sandbox; now_ms: () => number; folder: string },
): Promise<number> {
  if (!options.json) {
    print(`intel-node ${VERSION}: a complete sale, offline, on sandbox money (Base Sepolia rules, real signatures)\n`);
  }
  const control = async (path: string, body: unknown) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${node.url}/__sandbox${path}`, init);
    if (!response.ok) throw new Error(`the sandbox refused ${path}: ${response.status} ${await response.text()}`);
  };
  try {
    const ok = await runTour({
      url: node.url,
      now_ms,
      has_past: options.history && !options.live_data,
      control,
      chain: sandbox.readChain,
      audit: async () => {
        const { ok: clean, accounts } = await node.audit();
        return { ok: clean, accounts: accounts.length };
      },
      claimChannels: () => node.runChannels({ all: true }),
      startMonth: (path) => startMonthNode({ seed: SEED, folder, path }),
      onStep: ({ step, title, lines, checks }) => {
        if (options.json) return print(JSON.stringify({ step, title, lines, checks }));
        print(`${step}. ${title}`);
        for (const line of lines) print(`   ${line}`);
        for (const { what, ok: held } of checks) print(`   ${held ? "ok  " : "FAIL"} ${what}`);
        return print("");
      },
    });
    const closing = ok ? "Every step was checked and held." : "A check failed: see FAIL above.";
    print(options.json ? JSON.stringify({ event: "done", ok }) : closing);
    return ok ? EXIT.ok : EXIT.failed;
  } finally {
    await node.stop(() => undefined);
  }
}
