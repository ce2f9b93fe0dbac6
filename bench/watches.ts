import { readFileSync, statSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { endBenchNodes, measure, readCPU, startBenchNode } from "./bench-nodes.ts";
import { writeSection } from "./report.ts";

/**
 * `./build.sh && bun run bench:watches`: 10,000 watches of one key on a compiled node, each looked at every hundred
 * seconds: processor time of an evaluation, memory of a watch, and how late evaluations begin. Nothing here is a test.
 */
const WATCHES = Number(process.env.BENCH_WATCHES ?? 10_000);
const EVERY_S = 100;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const AT_ONCE = 32;
const SAMPLE = 500;
const SETTLE_MS = 5_000;
const WARM_EVERY_S = 10;
const WARM_S = 100;
const KB = 1_024;
const LATE_MS_MAX = 2_000;
const BYTES_MAX = 2 * KB;

interface Answer {
  readonly watch: string;
  readonly next_at: string;
  readonly evaluations: number;
}
interface Events {
  readonly events: readonly { readonly at: string; readonly kind: string }[];
}

const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * KB;
const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

const node = await startBenchNode({ name: "watches", more: `[watch]\nper_key = ${2 * WATCHES}\n` });
const api_key = await node.issueKey();
const headers = { "X-API-Key": api_key, "content-type": "application/json" };
const ask = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
  const response = await fetch(`${node.url}${path}`, { headers, ...init });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
};
const order = JSON.stringify({ product: "/bench-nothing", every: `${EVERY_S}s`, budget_usd: "1" });
const set = (body = order): Promise<Answer> => ask("/watch", { method: "POST", body });

/** As many looks as one round has, by watches that are then ended: what any work takes is no watch's. */
async function warmUp(): Promise<void> {
  await measure(node, WATCHES, node.call);
  const often = JSON.stringify({ product: "/bench-nothing", every: `${WARM_EVERY_S}s`, budget_usd: "1" });
  const watches: Answer[] = [];
  for (let at = 0; at < (WATCHES * WARM_EVERY_S) / WARM_S; at += 1) watches.push(await set(often));
  await Bun.sleep(WARM_S * 1_000);
  for (const { watch } of watches) await ask(`/watch/${watch}`, { method: "DELETE" });
  await Bun.sleep(SETTLE_MS);
}

/** All of them, spread over the time between two marks as those of many buyers are. */
async function setAll(): Promise<readonly Answer[]> {
  const all: Answer[] = [];
  const began = performance.now();
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < WATCHES) {
      const due_ms = (begun * EVERY_S * 1_000) / WATCHES;
      begun += 1;
      const wait_ms = began + due_ms - performance.now();
      if (wait_ms > 0) await Bun.sleep(wait_ms);
      all.push(await set());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return all;
}

try {
  await warmUp();
  const resident = residentOf(node.pid);
  const all = await setAll();
  const resident_after = residentOf(node.pid);
  const step = Math.max(1, Math.floor(all.length / SAMPLE));
  const sample = all.filter((_, index) => index % step === 0);
  const evaluationsOf = async (): Promise<number> => {
    const shown = await Promise.all(sample.map(({ watch }) => ask<Answer>(`/watch/${watch}`)));
    return (shown.reduce((sum, { evaluations }) => sum + evaluations, 0) * all.length) / sample.length;
  };
  const evaluations_before = await evaluationsOf();
  const cpu_before = readCPU(node.pid);
  await Bun.sleep(ROUNDS * EVERY_S * 1_000);
  const cpu_ms = readCPU(node.pid) - cpu_before;
  const evaluations = (await evaluationsOf()) - evaluations_before;
  const late: number[] = [];
  for (const { watch, next_at } of sample) {
    const { events } = await ask<Events>(`/watch/${watch}/events`);
    for (const { at, kind } of events) {
      if (kind !== "told") continue;
      const since_ms = Date.parse(at) - Date.parse(next_at);
      late.push(since_ms - Math.floor(since_ms / (EVERY_S * 1_000)) * EVERY_S * 1_000);
    }
  }
  const bytes = (resident_after - resident) / all.length;
  const disk = statSync(join(node.data, "kept.db")).size / all.length;
  const p99 = percentile(late, 0.99);
  const held = (is_held: boolean): string => (is_held ? "held" : "**missed**");
  const load = loadavg()[0]?.toFixed(1);
  const lateness = `${percentile(late, 0.5)}, ${p99}, ${Math.max(...late)} ms`;
  const text = [
    `Written by \`./build.sh && bun run bench:watches\`: ${WATCHES.toLocaleString("en")} watches of one key on a`,
    `compiled node, each looked at every ${EVERY_S} s (${WATCHES / EVERY_S} a second), and each look told and charged.`,
    `Measured over ${ROUNDS} rounds; lateness by ${late.length} events of ${sample.length} watches, whose times`,
    `are whole seconds. Load of the machine at the end: ${load} on two cores.`,
    "",
    "| what | measured | bar |",
    "| --- | --- | --- |",
    `| processor time of an evaluation, all threads | ${(cpu_ms / evaluations).toFixed(2)} ms | |`,
    `| resident memory a watch adds | ${(bytes / KB).toFixed(2)} kB | 2 kB: ${held(bytes <= BYTES_MAX)} |`,
    `| on disk, with what was told | ${(disk / KB).toFixed(2)} kB | |`,
    `| an evaluation begins late by: median, p99, most | ${lateness} | 2 s: ${held(p99 <= LATE_MS_MAX)} |`,
  ].join("\n");
  console.log(text);
  if (process.env.BENCH_WRITE !== "0") {
    writeSection(join(import.meta.dir, "..", "docs", "performance.md"), "## What watches cost", text);
  }
} finally {
  endBenchNodes();
}
