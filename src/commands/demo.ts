import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { createSettableClock, systemTimers } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { createClockTimers } from "../jobs/clock-timers.ts";
import { loadPlugins } from "../node/compose-catalog.ts";
import type { RunningNode } from "../node/parts.ts";
import { startNode } from "../node/start-node.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { simulators } from "../sandbox/simulators.gen.ts";
import { createLog } from "../telemetry/log.ts";
import { runTour } from "./demo-tour.ts";
import { EXIT } from "./exit-codes.ts";
import { guardProcess } from "./guard-process.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { VERSION } from "./version.ts";
import { waitForStop } from "./wait-for-stop.ts";

export interface DemoOptions {
  /** Prints one JSON line per step instead of words. */
  readonly json: boolean;
  /** Stays up for outside clients instead of running the tour. */
  readonly serve: boolean;
  readonly port: number;
  /** Keeps ledger, market data and sandbox chain here; default: a temp folder that is removed on exit. */
  readonly data: string | undefined;
  /** Sandbox money, real upstreams. */
  readonly live_data: boolean;
  /** A plugin folder to load as well. */
  readonly plugins: string | undefined;
}

/** The seller's address in the sandbox: a published development key, worthless everywhere. */
const SANDBOX_SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
/** The same on Solana: the key of the Ed25519 seed of 32 bytes 0x03. */
const SANDBOX_SELLER_SOLANA = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
/** And on Algorand. */
const SANDBOX_SELLER_ALGORAND = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
const SEED = "intel-node";

const demoConfig = (options: DemoOptions, sandbox: Sandbox, data: string): Config => {
  const text = `
[node]
name = "intel-node demo"
[server]
port = ${options.port}
[data]
dir = ${JSON.stringify(data)}
[wallets.base]
pay_to = "${SANDBOX_SELLER}"
[wallets.solana]
pay_to = "${SANDBOX_SELLER_SOLANA}"
[wallets.algorand]
pay_to = "${SANDBOX_SELLER_ALGORAND}"
[[facilitators]]
kind = "sandbox"
url = "${sandbox.facilitatorUrl()}"
[payments]
verify_timeout = "2s"
settle_timeout = "3s"
[limits]
loopback_exempt = true
${options.plugins ? `[plugins]\ndir = ${JSON.stringify(resolve(options.plugins))}` : ""}
`;
  const loaded = loadConfig({ text, file: "demo", env: {} });
  if (!loaded.ok) throw new Error(`the demo's own configuration is faulty: ${JSON.stringify(loaded.faults)}`);
  return loaded.config;
};

/** The world in a box: the real node on sandbox money. Returns the exit code. */
export async function demoCommand(options: DemoOptions): Promise<number> {
  const temporary = options.data ? null : createTemporaryFolder("intel-node-demo-");
  const data = options.data ? resolve(options.data) : (temporary?.path ?? "");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const clock = createSettableClock();
  const job_timers = createClockTimers(clock, systemTimers);
  const log = createLog({ level: options.serve ? "info" : "error", format: "json", secrets: [] });
  guardProcess(log);
  let node: RunningNode | null = null;
  const persist_file = join(data, "sandbox-chain.jsonl");
  const sandbox = await createSandbox({
    seed: SEED,
    clock,
    simulators,
    persist_file,
    onLimits: (enabled) => node?.setLimits(enabled),
    liveTo: job_timers.liveTo,
    onClock: () => node?.refreshChallenges(),
  });
  try {
    const config = demoConfig(options, sandbox, data);
    const plugins = await loadPlugins(config);
    for (const plugin of plugins.plugins) sandbox.addSimulators(plugin.simulators);
    node = await startNode({
      config,
      data_dir: data,
      clock,
      log,
      version: VERSION,
      sandbox: { world: sandbox, clock, live_data: options.live_data, seed_history: !options.live_data },
      plugins,
      job_timers,
    });
    await (options.serve ? node.ready : node.settled);
    if (options.serve) {
      temporary?.leaveSignals();
      return await serve(node);
    }
    return await tour(node, options, { sandbox, now_ms: clock.now });
  } catch (error) {
    if (!messageOf(error).includes("ENETUNREACH")) throw error;
    console.error("the loopback interface is down; the demo talks to itself over 127.0.0.1: ip link set lo up");
    return EXIT.failed;
  } finally {
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
  console.log(JSON.stringify(ready));
  return waitForStop(node);
}

async function tour(
  node: RunningNode,
  options: DemoOptions,
  { sandbox, now_ms }: { sandbox: Sandbox; now_ms: () => number },
): Promise<number> {
  if (!options.json) {
    console.log(
      `intel-node ${VERSION}: a complete sale, offline, on sandbox money (Base Sepolia rules, real signatures)\n`,
    );
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
      control,
      chain: sandbox.readChain,
      audit: () => {
        const { ok: clean, accounts } = node.audit();
        return { ok: clean, accounts: accounts.length };
      },
      onStep: ({ step, title, lines, checks }) => {
        if (options.json) return console.log(JSON.stringify({ step, title, lines, checks }));
        console.log(`${step}. ${title}`);
        for (const line of lines) console.log(`   ${line}`);
        for (const { what, ok: held } of checks) console.log(`   ${held ? "ok  " : "FAIL"} ${what}`);
        return console.log("");
      },
    });
    const closing = ok ? "Every step was checked and held." : "A check failed: see FAIL above.";
    console.log(options.json ? JSON.stringify({ event: "done", ok }) : closing);
    return ok ? EXIT.ok : EXIT.failed;
  } finally {
    await node.stop(() => undefined);
  }
}
