import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Servers on the first core, whoever calls them on the second: what the benchmarks of whole calls share. */
export const ROOT = join(import.meta.dir, "..");
export const BINARY = process.env.TEST_BINARY ?? join(ROOT, "dist", "intel-node");
export const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
/** A published development key, worthless everywhere. */
const BUYER_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const BUN = process.execPath;

const children: ReturnType<typeof Bun.spawn>[] = [];
const folders: string[] = [];

export const say = (text: string) => console.error(text);
const has = (name: string): boolean => Bun.which(name) !== null;
export const pin = (core: number): string[] => (has("taskset") ? ["taskset", "-c", String(core)] : []);

/** Where a server keeps its files, until `endAll`. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));
  folders.push(folder);
  return folder;
}

/** Starts a program that prints its port. @param core 0 for what is measured, 1 for what is not. */
export async function startServer(command: readonly string[], core = 0): Promise<string> {
  const child = Bun.spawn([...pin(core), BUN, ...command], { stdio: ["ignore", "pipe", "ignore"], cwd: ROOT });
  children.push(child);
  const { value } = await child.stdout.getReader().read();
  const port = Number(/\d+/.exec(new TextDecoder().decode(value))?.[0]);
  if (!port) throw new Error(`${command.join(" ")} gave no port`);
  return `http://127.0.0.1:${port}`;
}

export interface NodeOptions {
  readonly facilitator: string;
  /** Of built-in plugins. */
  readonly disabled?: readonly string[];
}

const nodeConfig = (folder: string, { facilitator, disabled = ["crypto-market"] }: NodeOptions) => `
[server]
port = 0
[data]
dir = ${JSON.stringify(join(folder, "data"))}
[wallets.base]
pay_to = "${SELLER}"
[[facilitators]]
kind = "remote"
url = "${facilitator}"
[plugins]
dir = ${JSON.stringify(join(ROOT, "bench", "plugins"))}
disabled = ${JSON.stringify(disabled)}
[payments]
testnet = true
duplicate_guard_s = 0
[limits]
free_per_minute = 1000000
loopback_exempt = true
`;

export interface StartedNode {
  readonly url: string;
  readonly pid: number;
  /** From its start to the first 200. */
  readonly cold_ms: number;
  readonly stop: () => Promise<void>;
}

export async function startNode(options: NodeOptions): Promise<StartedNode> {
  const folder = newFolder();
  const config = join(folder, "node.toml");
  writeFileSync(config, nodeConfig(folder, options));
  const started = performance.now();
  const child = Bun.spawn([...pin(0), BINARY, "run", "--config", config], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  let text = "";
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  while (!/bind +http\S+/.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the node ended: ${text}`);
    text += decoder.decode(value);
  }
  const url = /bind +(http\S+)/.exec(text)?.[1] ?? "";
  const first = await fetch(`${url}/healthz`);
  if (first.status !== 200) throw new Error(`healthz ${first.status}`);
  const cold_ms = performance.now() - started;
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return { url, pid: child.pid, cold_ms, stop };
}

/** @throws Error when there is nothing to measure, or nothing to measure with. */
export function assertTools(): void {
  if (!existsSync(BINARY)) throw new Error("dist/intel-node is missing: run ./build.sh");
  if (has("wrk")) return;
  say("wrk is missing: installing it with apt-get");
  const install = Bun.spawnSync(["apt-get", "install", "-y", "-qq", "wrk"]);
  if (install.exitCode !== 0) throw new Error("wrk is needed for the benchmark: install it");
}

/** The past of a demo, with the whole catalog on one busy core. */
const PAST_LIMIT_MS = 240_000;

/** Resolves when a demo has lived its past and done the jobs of its start: until then they take the core. */
export async function waitForPast(url: string): Promise<void> {
  // Time is not moved on before.
  const answer = await fetch(`${url}/__sandbox/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advance_s: 1 }),
    signal: AbortSignal.timeout(PAST_LIMIT_MS),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the demo's clock answers ${answer.status}`);
}

/** wrk with 64 connections: requests per second. */
export async function load(url: string, seconds: number): Promise<number> {
  const child = Bun.spawn([...pin(1), "wrk", "-t1", "-c64", `-d${seconds}s`, url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Response(child.stdout).text();
  return Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1] ?? 0);
}

export interface Bought {
  readonly rps: number;
  readonly p50_ms: number;
}

/** Single payments, signed ahead. @throws Error when one is not answered. */
export async function buy(url: string, calls: number, connections = 32): Promise<Bought> {
  const command = [...pin(1), BUN, "bench/buyer.ts", url, String(calls), String(connections), BUYER_KEY];
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"], cwd: ROOT });
  const { rps, p50_ms, failed } = JSON.parse(await new Response(child.stdout).text());
  if (failed > 0) throw new Error(`${failed} paid calls failed at ${url}`);
  return { rps, p50_ms };
}

/** Memory of a process, MiB. */
export const residentMB = (pid: number): number => {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
};

/** Ends every program that was started, and removes what they kept. */
export function endAll(): void {
  for (const child of children) child.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
