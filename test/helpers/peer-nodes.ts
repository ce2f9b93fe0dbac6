import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineJob, definePlugin } from "../../src/catalog/plugin.ts";
import { systemTimers } from "../../src/core/clock.ts";
import { createClockTimers } from "../../src/jobs/clock-timers.ts";
import type { RunningNode } from "../../src/node/parts.ts";
import { startNode } from "../../src/node/start-node.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { createLongHistory } from "./long-history.ts";
import { loadSandboxConfig } from "./sandbox-config.ts";
import { createStillClock } from "./still-clock.ts";

const NOW_MS = Date.UTC(2026, 9, 2, 12);
const KEY_FILE = "node-key.pem";

/** Whole nodes that are each other's peers, each at an address that outlives it, on one clock. */
export interface PeerNodes {
  readonly urls: Readonly<Record<string, string>>;
  readonly nodeOf: (name: string) => RunningNode;
  readonly linesOf: (name: string) => readonly string[];
  /** Lives so long: what is due by then has run, and has ended. */
  live(seconds: number): Promise<void>;
  /** At the address of a node another one runs from now on, with its key and a history of that many other signals. */
  replaceHistory(name: string, alpha: string): Promise<void>;
  stop(): Promise<void>;
}

/** @param length how many signals each writes down, in the first hour of its life. */
export async function startPeerNodes(names: readonly string[], length: number): Promise<PeerNodes> {
  const clock = createStillClock(NOW_MS);
  const timers = createClockTimers(clock, systemTimers);
  const sandbox = await createSandbox({ seed: "test", clock, simulators: [], liveTo: timers.liveTo });
  const folder = mkdtempSync(join(tmpdir(), "peer-nodes-"));
  const nodes = new Map<string, RunningNode>();
  const stopped = new Set<RunningNode>();
  const lines = new Map<string, string[]>(names.map((name) => [name, []]));
  const doors = names.map((name) => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => {
        const node = nodes.get(name);
        return node === undefined ? new Response(null, { status: 503 }) : forward(node.url, request);
      },
    });
    return { name, server, url: `http://127.0.0.1:${server.port}` };
  });
  const urls = Object.fromEntries(doors.map(({ name, url }) => [name, url]));

  async function launch(name: string, { data, alpha }: { readonly data: string; readonly alpha: string }) {
    const peers = names.filter((other) => other !== name).map((other) => urls[other]);
    const more = `[node]\npublic_url = "${urls[name]}"\n[peers]\nurls = ${JSON.stringify(peers)}\n`;
    const plugin = definePlugin({ id: "test", title: "Test", jobs: [createHistoryJob(length, alpha)] });
    const entry = { ...plugin, file: "test", origin: "built-in" as const, routes: [], simulators: [], products: [] };
    const own_lines = lines.get(name) ?? [];
    const node = await startNode({
      config: loadSandboxConfig({ data, facilitator_url: sandbox.facilitatorUrl(), more }),
      data_dir: data,
      clock,
      version: "0.0.0-test",
      job_timers: timers,
      log: createLog({ level: "error", format: "json", secrets: [], write: (text) => void own_lines.push(text) }),
      sandbox: { world: sandbox, clock, live_data: false, seed_history: false, is_idle: true },
      plugins: { plugins: [{ ...entry, jobs: plugin.jobs ?? [] }], known: [], faults: [] },
    });
    await node.settled;
    nodes.set(name, node);
  }
  const nodeOf = (name: string): RunningNode => {
    const node = nodes.get(name);
    if (node === undefined) throw new Error(`there is no node ${name}`);
    return node;
  };
  for (const name of names) await launch(name, { data: join(folder, name), alpha: "66.4" });
  const stopNode = async (node: RunningNode): Promise<void> => {
    if (stopped.has(node)) return;
    stopped.add(node);
    await node.stop(() => undefined);
  };
  return {
    urls,
    nodeOf,
    linesOf: (name) => lines.get(name) ?? [],
    live: (seconds) => timers.liveTo(clock.now() + seconds * 1_000),
    async replaceHistory(name, alpha) {
      await stopNode(nodeOf(name));
      const data = join(folder, `${name}-again`);
      mkdirSync(data, { mode: 0o700 });
      copyFileSync(join(folder, name, KEY_FILE), join(data, KEY_FILE));
      await launch(name, { data, alpha });
    },
    async stop() {
      for (const node of nodes.values()) await stopNode(node);
      for (const { server } of doors) server.stop(true);
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Writes a history down once, as the jobs of signals do hour by hour. */
function createHistoryJob(length: number, alpha: string) {
  return defineJob({
    id: "test-history",
    schedule: "5 * * * *",
    providers: [],
    at_start: false,
    deadline_ms: 60_000,
    writes_records: true,
    async run({ records }) {
      if ((await records.head("signals")).length > 0) return;
      const { records: written } = await createLongHistory(length, alpha);
      for (const { record, beside } of await written.read("signals")) {
        await records.append("signals", (link) => ({ ...record, ...link }), beside);
      }
    },
  });
}

async function forward(to: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = request.method === "POST" ? await request.arrayBuffer() : null;
  const headers = new Headers(request.headers);
  for (const name of ["host", "connection", "content-length"]) headers.delete(name);
  const response = await fetch(`${to}${pathname}${search}`, { method: request.method, headers, body });
  const told = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length"]) told.delete(name);
  return new Response(await response.arrayBuffer(), { status: response.status, headers: told });
}
