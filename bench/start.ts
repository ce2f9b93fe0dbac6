import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";
import { waitForPast } from "./shop.ts";

/**
 * `bun run bench:start [OTHER_BINARY]`: how soon the compiled binary answers, with the whole catalog. Measured in
 * processor time of the process (user + system, of all its threads), which does not depend on what else the machine
 * does, and in wall time, which does; a second binary is measured in turns with the first. Writes its section of
 * docs/performance.md when no other binary is named. Nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
/** Of `utime` and `stime` in /proc/<pid>/stat: 100 a second on every Linux that has it. */
const TICK_MS = 10;
const WALLET = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

interface Start {
  readonly cpu_ms: number;
  readonly wall_ms: number;
}

/** Processor time a process has taken so far, its threads included. */
function readCPU(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may hold blanks; utime and stime are the 12th and 13th value after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const newFolder = () => mkdtempSync(join(tmpdir(), "intel-node-bench-"));

/** Asks until the node answers 200; at most every 2 ms, so that asking costs it nothing to speak of. */
async function waitForFirst(url: string, child: Bun.Subprocess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the node ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await Bun.sleep(2);
  }
}

const freePort = (): number => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return Number(port);
};

/** `run` with a wallet and a facilitator that is not there, to the first 200 of /healthz. */
async function startRun(binary: string): Promise<Start> {
  const folder = newFolder();
  const port = freePort();
  const config = join(folder, "node.toml");
  writeFileSync(
    config,
    `[server]
port = ${port}
[data]
dir = ${JSON.stringify(join(folder, "data"))}
[wallets.base]
pay_to = "${WALLET}"
[[facilitators]]
kind = "remote"
url = "http://127.0.0.1:9"
`,
  );
  const from = performance.now();
  const child = Bun.spawn([binary, "run", "--config", config], { stdio: ["ignore", "ignore", "ignore"] });
  await waitForFirst(`http://127.0.0.1:${port}/healthz`, child);
  const start = { cpu_ms: readCPU(child.pid), wall_ms: performance.now() - from };
  child.kill("SIGKILL");
  await child.exited;
  rmSync(folder, { recursive: true, force: true });
  return start;
}

/** What one `demo --serve` shows of itself. */
interface DemoStart {
  readonly ready: Start;
  /** When its past was lived: every preview and the records are there. */
  readonly lived: Start;
}

/** `demo --serve` to its ready line, and on to the end of its past. */
async function startDemo(binary: string): Promise<DemoStart> {
  const folder = newFolder();
  const from = performance.now();
  const child = Bun.spawn([binary, "demo", "--serve", "--port", "0", "--data", join(folder, "data")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk);
    if (text.includes("\n")) break;
  }
  const now = (): Start => ({ cpu_ms: readCPU(child.pid), wall_ms: performance.now() - from });
  const ready = now();
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
  if (url === undefined) throw new Error(`the demo told no address: ${text}`);
  await waitForPast(url);
  const lived = now();
  child.kill("SIGKILL");
  await child.exited;
  rmSync(folder, { recursive: true, force: true });
  return { ready, lived };
}

const binaries = [process.env.BENCH_BINARY ?? join(ROOT, "dist", "intel-node"), ...process.argv.slice(2)];
const runs = binaries.map(() => [] as Start[]);
const demos = binaries.map(() => [] as DemoStart[]);
for (let round = 0; round < ROUNDS; round++) {
  for (const [index, binary] of binaries.entries()) runs[index]?.push(await startRun(binary));
}
for (let round = 0; round < Math.max(1, Math.floor(ROUNDS / 3)); round++) {
  for (const [index, binary] of binaries.entries()) demos[index]?.push(await startDemo(binary));
}

const rowOf = (name: string, starts: readonly Start[], bar: string): string => {
  const cpu = starts.map(({ cpu_ms }) => cpu_ms);
  const wall = starts.map(({ wall_ms }) => wall_ms);
  const cells = [median(cpu), median(wall), Math.min(...wall)].map((ms) => ms.toFixed(0));
  return `| ${[name, ...cells, bar].join(" | ")} |`;
};

for (const [index, binary] of binaries.entries()) {
  const told = demos[index] ?? [];
  const table = [
    "| start | processor time, ms | wall time, ms | the fastest, ms | bar |",
    "| --- | --- | --- | --- | --- |",
    rowOf("`run` to the first 200, whole catalog", runs[index] ?? [], "100 ms"),
    rowOf(
      "`demo --serve` to its ready line",
      told.map(({ ready }) => ready),
      "1,500 ms",
    ),
    rowOf(
      "`demo --serve` until its past is lived",
      told.map(({ lived }) => lived),
      "",
    ),
  ].join("\n");
  console.log(`${binary}\n${table}`);
  if (binaries.length > 1) continue;
  const head = `Written by \`./build.sh && bun run bench:start\`: the compiled binary, ${ROUNDS} starts, medians.
Processor time is that of all threads of the process, the start of the program included. Wall time is what a quiet
machine needs; on a busy one, read the processor time.`;
  writeSection(join(ROOT, "docs", "performance.md"), "## Start", `${head}\n\n${table}`);
}
