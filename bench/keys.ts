import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { readCPU } from "./bench-nodes.ts";
import { benchKey, writeLedger } from "./big-ledger.ts";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";

/**
 * `bun run bench:keys`: calls paid by API key on the compiled binary: what a durable debit adds to a free call, how
 * many fit a core, and whether a long ledger makes either slower. Interleaved, medians; nothing here is a test. With
 * `BENCH_LEDGER=/path/to/folder` the long ledger is written there once, and used again: writing it takes minutes.
 */
const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", "intel-node");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const KEPT = process.env.BENCH_LEDGER;
const BAR = { rate: 40_000, growth: 0.2 };
const BIG = {
  keys: Number(process.env.BENCH_KEYS ?? 200_000),
  transfers: Number(process.env.BENCH_TRANSFERS ?? 5_000_000),
};
const say = (text: string) => console.error(text);
const pin = (core: number): string[] => (Bun.which("taskset") ? ["taskset", "-c", String(core)] : []);
/** All others wait for upstreams nobody answers for here, and previews are taken after them. */
const BUILT_IN = readdirSync(join(ROOT, "src", "plugins"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const folders: string[] = [];
const children: ReturnType<typeof Bun.spawn>[] = [];

/** Where all threads of a node but the serving one may run. */
function pinOthers(pid: number, cores: string): void {
  if (!Bun.which("taskset")) return;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    if (Number(thread) !== pid) Bun.spawnSync(["taskset", "-pc", cores, thread]);
  }
}

async function prepare(size: { keys: number; transfers: number }, kept?: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));
  folders.push(folder);
  const data = kept === undefined ? join(folder, "data") : join(kept, `${size.keys}-${size.transfers}`);
  if (!existsSync(join(data, "ledger.db"))) {
    say(`writing a ledger of ${size.transfers} transfers and ${size.keys} keys`);
    mkdirSync(data, { recursive: true });
    await writeLedger(data, size);
  }
  writeFileSync(
    join(folder, "node.toml"),
    `[server]\nport = 0\n[data]\ndir = ${JSON.stringify(data)}\n[plugins]\n` +
      `dir = ${JSON.stringify(join(ROOT, "bench", "plugins"))}\ndisabled = ${JSON.stringify(BUILT_IN)}\n` +
      '[preview]\ndelay = "0s"\n[limits]\nfree_per_minute = 1000000\nloopback_exempt = true\n',
  );
  return folder;
}

async function start(folder: string) {
  const started = performance.now();
  const config = join(folder, "node.toml");
  const child = Bun.spawn([...pin(0), BINARY, "run", "--config", config], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  let text = "";
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  while (!/bind +http\S+/.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the node ended: ${text}`);
    text += decoder.decode(value);
  }
  const url = /bind +(http\S+)/.exec(text)?.[1] ?? "";
  if ((await fetch(`${url}/healthz`)).status !== 200) throw new Error("not healthy");
  const cold_ms = performance.now() - started;
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return { url, cold_ms, stop, pid: child.pid };
}

interface Flood {
  readonly rps: number;
  readonly p50_ms: number;
  /** Processor time of the node for a call, its ledger's thread included. */
  readonly cpu_us: number;
}

/** wrk over many keys: 64 connections. */
async function flood({ url, pid }: { url: string; pid: number }, keys: number): Promise<Flood> {
  const script = join(folders[0] ?? tmpdir(), "keys.lua");
  writeFileSync(
    script,
    `math.randomseed(7)\nrequest = function()\n` +
      `  wrk.headers["X-API-Key"] = string.format("ink_%043d", math.random(0, ${keys - 1}))\n` +
      `  return wrk.format("GET", "/bench")\nend\n`,
  );
  const command = [...pin(1), "wrk", "-t1", "-c64", `-d${SECONDS}s`, "--latency", "-s", script, url];
  const before_ms = readCPU(pid);
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
  const text = await new Response(child.stdout).text();
  const cpu_ms = readCPU(pid) - before_ms;
  if (text.includes("Non-2xx")) throw new Error(`calls failed: ${text}`);
  const [, amount = "0", unit = "ms"] = /50%\s+([\d.]+)(us|ms|s)/.exec(text) ?? [];
  const scale = { us: 0.001, ms: 1, s: 1000 }[unit] ?? 1;
  const answered = Number(/(\d+) requests in/.exec(text)?.[1] ?? 0);
  const rps = Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1] ?? 0);
  return { rps, p50_ms: Number(amount) * scale, cpu_us: (cpu_ms * 1_000) / answered };
}

/** The free call that a keyed one is compared with is there once a job of the node has taken it. */
async function untilFree(url: string): Promise<void> {
  const limit_ms = performance.now() + 180_000;
  while ((await fetch(`${url}/bench?preview=1`)).status !== 200) {
    if (performance.now() > limit_ms) throw new Error("no free preview within 3 minutes");
    await Bun.sleep(500);
  }
}

async function paced(url: string, api_key: string): Promise<{ p50_ms: number; p99_ms: number }> {
  const command = [...pin(1), process.execPath, join(ROOT, "bench", "paced.ts"), url, "1000", String(SECONDS), api_key];
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
  const { failed, ...result } = JSON.parse(await new Response(child.stdout).text());
  if (failed > 0) throw new Error(`${failed} paced calls failed`);
  return result;
}

async function measure() {
  const [small, big] = [await prepare({ keys: 1, transfers: 1 }), await prepare(BIG, KEPT)];
  const cold = { small: [] as number[], big: [] as number[] };
  for (let round = 0; round < 7; round++) {
    for (const [name, folder] of [
      ["small", small],
      ["big", big],
    ] as const) {
      const node = await start(folder);
      cold[name].push(node.cold_ms);
      await node.stop();
    }
  }
  const nodes = { small: await start(small), big: await start(big) };
  await untilFree(nodes.small.url);
  const rates = { small: [] as number[], big: [] as number[], alone: [] as number[] };
  const p50 = { small: [] as number[], big: [] as number[] };
  const cpu = { small: [] as number[], big: [] as number[] };
  const slow = { free: [] as { p50_ms: number; p99_ms: number }[], key: [] as { p50_ms: number; p99_ms: number }[] };
  const big_paced: number[] = [];
  const small_paced: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ["small", "big"] as const) {
      const { rps, p50_ms, cpu_us } = await flood(nodes[name], name === "small" ? 1 : BIG.keys);
      if (round === 0) continue;
      rates[name].push(rps);
      p50[name].push(p50_ms);
      cpu[name].push(cpu_us);
    }
    pinOthers(nodes.small.pid, "0,1");
    const { rps: alone } = await flood(nodes.small, 1);
    pinOthers(nodes.small.pid, "0");
    if (round > 0) rates.alone.push(alone);
    const free = await paced(`${nodes.small.url}/bench?preview=1`, "-");
    const key = await paced(`${nodes.small.url}/bench`, benchKey(0));
    const on_big = await paced(`${nodes.big.url}/bench`, benchKey(BIG.keys - 1));
    if (round > 0) {
      slow.free.push(free);
      slow.key.push(key);
      small_paced.push(key.p50_ms);
      big_paced.push(on_big.p50_ms);
    }
    say(`round ${round} of ${ROUNDS}`);
  }
  await nodes.small.stop();
  await nodes.big.stop();
  return { cold, rates, p50, cpu, slow, small_paced, big_paced };
}

function render({ cold, rates, p50, cpu, slow, small_paced, big_paced }: Awaited<ReturnType<typeof measure>>): string {
  const of = (list: readonly { p50_ms: number; p99_ms: number }[], name: "p50_ms" | "p99_ms") =>
    median(list.map((one) => one[name]));
  const added_p50 = of(slow.key, "p50_ms") - of(slow.free, "p50_ms");
  const added_p99 = of(slow.key, "p99_ms") - of(slow.free, "p99_ms");
  const growth = median(big_paced) / median(small_paced) - 1;
  const flood_growth = median(p50.big) / median(p50.small) - 1;
  const whole = (value: number) => Math.round(value).toLocaleString("en");
  const us = (values: readonly number[]) => `${median(values).toFixed(1)} µs`;
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  const bars: readonly [what: string, measured: string, held: boolean][] = [
    ["a keyed call adds at most 0.5 ms (median, 1,000/s)", `${added_p50.toFixed(2)} ms`, added_p50 <= 0.5],
    ["and at most 2 ms (99th percentile)", `${added_p99.toFixed(2)} ms`, added_p99 <= 2],
    [
      `${whole(BAR.rate)} durable debits/s, 64 connections, one core`,
      whole(median(rates.small)),
      median(rates.small) >= BAR.rate,
    ],
    [
      "the same, the serving thread alone on its core, all others beside the load",
      whole(median(rates.alone)),
      median(rates.alone) >= BAR.rate,
    ],
    ["median grows at most 20 % on the long ledger (1,000/s)", percent(growth), growth <= 0.2],
    [
      "median grows at most 20 % there, 64 connections, every key in turn",
      percent(flood_growth),
      flood_growth <= BAR.growth,
    ],
    [
      "start with the long ledger at most 300 ms",
      `${median(cold.big).toFixed(0)} ms (new: ${median(cold.small).toFixed(0)} ms)`,
      median(cold.big) <= 300,
    ],
  ];
  return [
    "Written by `./build.sh && bun run bench:keys`: cached product, compiled binary on core 0, load on core 1,",
    `${ROUNDS} interleaved rounds of ${SECONDS} s, medians. Every call is one debit, on disk with full sync before it`,
    "is answered.",
    `Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`,
    `The long ledger has ${BIG.transfers.toLocaleString("en")} transfers and ${BIG.keys.toLocaleString("en")} keys.`,
    "",
    "| | new ledger, one key | long ledger, all keys |",
    "| --- | --- | --- |",
    `| debits/s, 64 connections | ${whole(median(rates.small))} | ${whole(median(rates.big))} |`,
    `| debits/s, the serving thread alone on its core | ${whole(median(rates.alone))} | |`,
    `| median, 64 connections | ${median(p50.small).toFixed(2)} ms | ${median(p50.big).toFixed(2)} ms |`,
    `| processor time of a call, 64 connections | ${us(cpu.small)} | ${us(cpu.big)} |`,
    `| median at 1,000/s | ${median(small_paced).toFixed(2)} ms | ${median(big_paced).toFixed(2)} ms |`,
    `| start to the first 200 | ${median(cold.small).toFixed(0)} ms | ${median(cold.big).toFixed(0)} ms |`,
    "",
    "| bar | measured | |",
    "| --- | --- | --- |",
    ...bars.map(([what, measured, held]) => `| ${what} | ${measured} | ${held ? "held" : "**missed**"} |`),
  ].join("\n");
}

try {
  const text = render(await measure());
  writeSection(join(ROOT, "docs", "performance.md"), "## Prepaid keys", text);
  console.log(text);
} finally {
  for (const child of children) child.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
