import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registry } from "../src/plugins/registry.gen.ts";

/** Compiled nodes that sell one cheap product by key, and what their paid calls take of the processor. */
const ROOT = join(import.meta.dir, "..");
export const BINARY = process.env.TEST_BINARY ?? join(ROOT, "dist", "intel-node");
/** What runs where no binary was built. */
const FROM_SOURCE = [process.execPath, join(ROOT, "src", "node.ts")];
const AT_ONCE = 16;
/** Of `utime` and `stime` in /proc/<pid>/stat. */
const TICK_MS = 10;

const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));
const children: ReturnType<typeof Bun.spawn>[] = [];

export function readCPU(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

export interface BenchNode {
  readonly pid: number;
  readonly url: string;
  /** Where it keeps its books and its key. */
  readonly data: string;
  /** A new prepaid key, with more credit than a benchmark spends. */
  issueKey(): Promise<string>;
  /** One paid call. */
  readonly call: () => Promise<void>;
  /** Reads the figures, and what the operator's first page shows. */
  readonly look: Readonly<Record<"metrics" | "overview", () => Promise<void>>>;
}

export async function freePort(): Promise<number> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  await server.stop(true);
  return Number(port);
}

export interface BenchNodeOptions {
  /** Of its folder. */
  readonly name: string;
  /** More configuration. */
  readonly more?: string;
  /** Address of its listener for figures, if it has one. */
  readonly metrics?: string;
  readonly binary?: string;
  /** Data folder of the node whose node key it has. */
  readonly key_of?: string;
}

export async function startBenchNode(options: BenchNodeOptions): Promise<BenchNode> {
  const { name, more = "", metrics = "", binary = BINARY, key_of } = options;
  const command = existsSync(binary) ? [binary] : FROM_SOURCE;
  const place = join(folder, name);
  const data = join(place, "data");
  const config = join(place, "node.toml");
  mkdirSync(place);
  if (key_of !== undefined) {
    mkdirSync(data, { mode: 0o700 });
    copyFileSync(join(key_of, "node-key.pem"), join(data, "node-key.pem"));
  }
  const disabled = registry.map(({ id }) => JSON.stringify(id)).join(", ");
  const plugins = `[plugins]\ndir = ${JSON.stringify(join(ROOT, "bench", "plugins"))}\ndisabled = [${disabled}]\n`;
  const limits = "[limits]\nloopback_exempt = true\nkey_per_minute = 100000000\n";
  writeFileSync(config, `[server]\nport = 0\n[data]\ndir = "data"\n${plugins}${limits}${more}`);
  const child = Bun.spawn([...command, "run", "--config", config], { cwd: place, stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of child.stdout) {
    text += decoder.decode(part);
    if (/bind +http\S+/.test(text)) break;
  }
  const url = /bind +(http\S+)/.exec(text)?.[1];
  if (url === undefined) throw new Error(`the node ended: ${text}`);
  const operator = {
    headers: { Authorization: `Bearer ${readFileSync(join(data, "operator.token"), "utf8").trim()}` },
  };
  const issueKey = async (): Promise<string> => {
    const body = JSON.stringify({ command: "issue", credit_usd: "100000" });
    const headers = { ...operator.headers, "Content-Type": "application/json" };
    const answer = await fetch(`${url}/admin/keys`, { method: "POST", headers, body });
    const { api_key } = (await answer.json()) as { api_key?: string };
    if (api_key === undefined) throw new Error(`no key was issued: ${answer.status}`);
    return api_key;
  };
  const headers = { "X-API-Key": await issueKey() };
  const read = async (address: string, init: RequestInit) => {
    const response = await fetch(address, init);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${address}: ${response.status}`);
  };
  return {
    pid: child.pid,
    url,
    data,
    issueKey,
    call: () => read(`${url}/bench`, { headers }),
    look: {
      metrics: () => read(`${metrics}/metrics`, {}),
      overview: () => read(`${url}/admin/api/overview`, operator),
    },
  };
}

/** Processor time of the node for one of so many, ms. */
export async function measure({ pid }: BenchNode, count: number, work: () => Promise<void>): Promise<number> {
  const before = readCPU(pid);
  let sent = 0;
  const keepOn = async () => {
    for (; sent < count; sent += 1) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepOn));
  return (readCPU(pid) - before) / count;
}

/** Ends every node that was started, and removes its folder. */
export function endBenchNodes(): void {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
