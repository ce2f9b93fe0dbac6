import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * `bun run bench`: measures the compiled binary against bare Elysia, bare Bun.serve and @x402/hono, interleaved in one
 * run, each server on core 0, the load on core 1, and writes docs/performance.md. Medians; nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", "intel-node");
const BUN = process.execPath;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const PAID_CALLS = Number(process.env.BENCH_PAID_CALLS ?? 1_500);
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
/** A published development key, worthless everywhere. */
const BUYER_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const say = (text: string) => console.error(text);
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const children: ReturnType<typeof Bun.spawn>[] = [];
const has = (name: string): boolean => Bun.which(name) !== null;
const pin = (core: number): string[] => (has("taskset") ? ["taskset", "-c", String(core)] : []);

async function startServer(command: readonly string[]): Promise<number> {
  const child = Bun.spawn([...pin(0), ...command], { stdio: ["ignore", "pipe", "ignore"], cwd: ROOT });
  children.push(child);
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const port = Number(/\d+/.exec(new TextDecoder().decode(value))?.[0]);
  if (!port) throw new Error(`${command.join(" ")} gave no port`);
  return port;
}

const nodeConfig = (folder: string, facilitator: string) => `
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
disabled = ["crypto-market"]
[payments]
testnet = true
duplicate_guard_s = 0
[limits]
free_per_minute = 1000000
loopback_exempt = true
`;

async function startNode(
  facilitator: string,
): Promise<{ url: string; pid: number; cold_ms: number; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));
  const config = join(folder, "node.toml");
  writeFileSync(config, nodeConfig(folder, facilitator));
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
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, pid: child.pid, cold_ms, stop };
}

/** Requests per second and median latency of one load run. */
async function load(url: string): Promise<number> {
  const child = Bun.spawn([...pin(1), "wrk", "-t1", "-c64", `-d${SECONDS}s`, url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Response(child.stdout).text();
  return Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1] ?? 0);
}

async function buy(url: string, calls = PAID_CALLS, connections = 32): Promise<{ rps: number; p50_ms: number }> {
  const command = [...pin(1), BUN, "bench/buyer.ts", url, String(calls), String(connections), BUYER_KEY];
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"], cwd: ROOT });
  const { rps, p50_ms, failed } = JSON.parse(await new Response(child.stdout).text());
  if (failed > 0) throw new Error(`${failed} paid calls failed at ${url}`);
  return { rps, p50_ms };
}

const residentMB = (pid: number): number => {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};

async function measure() {
  const facilitator = `http://127.0.0.1:${await startServer([BUN, "bench/servers/facilitator.ts"])}`;
  const cold: number[] = [];
  for (let round = 0; round < 15; round++) {
    const node = await startNode(facilitator);
    cold.push(node.cold_ms);
    await node.stop();
  }
  const node = await startNode(facilitator);
  await Bun.sleep(3_000);
  const idle_mb = residentMB(node.pid);
  const hono = `http://127.0.0.1:${await startServer([BUN, "bench/servers/hono.ts", facilitator, SELLER])}`;
  const targets: Record<string, string> = {
    "bare Bun.serve, JSON": `http://127.0.0.1:${await startServer([BUN, "bench/servers/bun.ts"])}/`,
    "bare Elysia, JSON": `http://127.0.0.1:${await startServer([BUN, "bench/servers/elysia.ts"])}/json`,
    "intel-node, free JSON (/get-pricing)": `${node.url}/get-pricing`,
    "intel-node, free JSON (/healthz)": `${node.url}/healthz`,
    "intel-node, unpaid 402": `${node.url}/bench`,
    "@x402/hono on Bun, unpaid 402": `${hono}/bench`,
  };
  const rates = new Map<string, number[]>(Object.keys(targets).map((name) => [name, []]));
  for (const url of Object.values(targets)) await load(url);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, url] of Object.entries(targets)) rates.get(name)?.push(await load(url));
    say(`round ${round} of ${ROUNDS}`);
  }
  const paid = {
    node: [] as { rps: number; p50_ms: number }[],
    hono: [] as { rps: number; p50_ms: number }[],
    /** One call at a time: what a buyer waits for besides the facilitator. */
    alone: [] as { rps: number; p50_ms: number }[],
  };
  for (let round = 0; round < Math.min(5, ROUNDS); round++) {
    paid.node.push(await buy(`${node.url}/bench`));
    paid.hono.push(await buy(`${hono}/bench`));
    paid.alone.push(await buy(`${node.url}/bench`, 200, 1));
  }
  const loaded_mb = residentMB(node.pid);
  await node.stop();
  return { cold, idle_mb, loaded_mb, rates, paid };
}

function render({ cold, idle_mb, loaded_mb, rates, paid }: Awaited<ReturnType<typeof measure>>): string {
  const rate = (name: string) => median(rates.get(name) ?? []);
  const elysia = rate("bare Elysia, JSON");
  const hono = rate("@x402/hono on Bun, unpaid 402");
  const node_paid = median(paid.node.map((one) => one.rps));
  const hono_paid = median(paid.hono.map((one) => one.rps));
  const p50 = (list: readonly { p50_ms: number }[]) => median(list.map((one) => one.p50_ms)).toFixed(1);
  const binary_mb = statSync(BINARY).size / 1e6;
  const unpaid = rate("intel-node, unpaid 402");
  const free = rate("intel-node, free JSON (/get-pricing)");
  const rows = [...rates.keys()].map(
    (name) => `| ${name} | ${Math.round(rate(name)).toLocaleString("en")} | ${(rate(name) / elysia).toFixed(2)} |`,
  );
  const bars: readonly [what: string, measured: string, held: boolean][] = [
    ["unpaid 402 at least 0.85 of bare Elysia JSON", (unpaid / elysia).toFixed(2), unpaid / elysia >= 0.85],
    ["unpaid 402 at least 3 times @x402/hono", (unpaid / hono).toFixed(1), unpaid / hono >= 3],
    ["free JSON from memory at least 0.85 of bare Elysia JSON", (free / elysia).toFixed(2), free / elysia >= 0.85],
    [
      "paid call, one at a time, facilitator at once: at most 2 ms",
      `${p50(paid.alone)} ms`,
      Number(p50(paid.alone)) <= 2,
    ],
    ["paid call no slower than @x402/hono", (node_paid / hono_paid).toFixed(2), node_paid >= hono_paid],
    ["cold start to the first 200 at most 100 ms", `${median(cold).toFixed(0)} ms`, median(cold) <= 100],
    ["idle at most 100 MB", `${idle_mb.toFixed(0)} MB (${loaded_mb.toFixed(0)} MB after the load)`, idle_mb <= 100],
    ["binary at most 130 MB", `${binary_mb.toFixed(0)} MB`, binary_mb <= 130],
  ];
  return [
    "# Performance",
    "",
    "Written by `./build.sh && bun run bench`: the compiled binary with its default logging, servers on core 0, load",
    `on core 1 (wrk, 64 connections), ${ROUNDS} interleaved rounds of ${SECONDS} s, medians. Machines differ: read the`,
    "ratios, not the numbers.",
    "",
    "| server | requests/s | of bare Elysia |",
    "| --- | --- | --- |",
    ...rows,
    "",
    `Paid calls: ${PAID_CALLS} payments signed ahead, 32 connections, one payer, a facilitator that says yes at once,`,
    `medians of ${paid.node.length} runs each. The node commits twice to disk with full sync per call; the reference`,
    "server keeps nothing.",
    "",
    "| server | paid calls/s | median ms |",
    "| --- | --- | --- |",
    `| intel-node | ${Math.round(node_paid)} | ${p50(paid.node)} |`,
    `| @x402/hono on Bun | ${Math.round(hono_paid)} | ${p50(paid.hono)} |`,
    "",
    "## Bars",
    "",
    "| bar | measured | |",
    "| --- | --- | --- |",
    ...bars.map(([what, measured, held]) => `| ${what} | ${measured} | ${held ? "held" : "**missed**"} |`),
    "",
  ].join("\n");
}

if (!existsSync(BINARY)) throw new Error("dist/intel-node is missing: run ./build.sh");
if (!has("wrk")) {
  say("wrk is missing: installing it with apt-get");
  const install = Bun.spawnSync(["apt-get", "install", "-y", "-qq", "wrk"]);
  if (install.exitCode !== 0) throw new Error("wrk is needed for the benchmark: install it");
}
/** What other benchmarks and people wrote stays. */
const NOTES_MARK = /\n## (Prepaid keys|Public documents|Notes)\n/;
const file = join(ROOT, "docs", "performance.md");
try {
  const kept = existsSync(file) ? readFileSync(file, "utf8") : "";
  const notes = kept.search(NOTES_MARK) < 0 ? "" : kept.slice(kept.search(NOTES_MARK));
  writeFileSync(file, render(await measure()) + notes);
  console.log(readFileSync(file, "utf8"));
} finally {
  for (const child of children) child.kill();
}
