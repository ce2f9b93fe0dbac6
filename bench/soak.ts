import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";
import { type SoakNode, startSandboxNode, startSetNode, startSoldNode } from "./soak-nodes.ts";

/**
 * `./build.sh && bun bench/soak.ts [MINUTES [HOURS]]`: what a node's memory does while it sells. The node of `run`, its
 * world in another process, and the sandbox node of `demo`, which holds its upstreams and chains itself, answer one
 * call after another (the price list, a page, 402s, keyed calls, a call to nowhere): both for MINUTES of real time,
 * then each for HOURS of its own clock, an hour at a time. Growth is the median of the last quarter of the looks
 * against that of the first quarter after a warm-up. Nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
const MINUTES = Number(process.argv[2] ?? 60);
const HOURS = Number(process.argv[3] ?? 24);
/** Of the looks: until then caches fill and code is compiled. */
const WARM_UP = 1 / 4;
const PAUSE_MS = 200;
const GROWTH_MAX = 0.05;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/**
 * By the clock an hour takes a minute, so what the runtime does after 30 quiet seconds (BUN_IDLE_RELEASE_SECONDS) never
 * comes round: there it is one second, and the node is left alone for some after each hour.
 */
const QUIET_MS = 12_000;

const folder = mkdtempSync(join(tmpdir(), "intel-node-soak-"));
const newFolder = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
};

const readMB = (node: SoakNode): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${node.pid}/status`, "utf8"))?.[1]) / 1000;

interface Growth {
  readonly name: string;
  readonly calls: number;
  readonly from: number;
  readonly to: number;
  readonly least: readonly [number, number];
  readonly most: number;
}

/** From the first quarter of the looks after the warm-up to the last one: medians, and the least of each. */
function measureGrowth(name: string, calls: number, looks: readonly number[]): Growth {
  const warm = looks.slice(Math.floor(looks.length * WARM_UP));
  const quarter = Math.max(1, Math.floor(warm.length / 4));
  const [first, last] = [warm.slice(0, quarter), warm.slice(-quarter)];
  const least = [Math.min(...first), Math.min(...last)] as const;
  return { name, calls, from: median(first), to: median(last), least, most: Math.max(...looks) };
}

async function soakForReal(nodes: readonly SoakNode[]): Promise<readonly Growth[]> {
  const looks = nodes.map(() => [] as number[]);
  const before = nodes.map(({ calls }) => calls());
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const until_ms = Date.now() + MINUTE_MS;
    while (Date.now() < until_ms) {
      for (const node of nodes) await node.call();
      await Bun.sleep(PAUSE_MS);
    }
    for (const [index, node] of nodes.entries()) looks[index]?.push(readMB(node));
  }
  return nodes.map((node, index) =>
    measureGrowth(`${node.name}, ${MINUTES} minutes`, node.calls() - (before[index] ?? 0), looks[index] ?? []),
  );
}

async function soakByClock(node: SoakNode): Promise<Growth> {
  const looks: number[] = [];
  const before = node.calls();
  for (let hour = 0; hour < HOURS; hour += 1) {
    await node.live(HOUR_MS);
    for (let n = 0; n < node.products; n += 1) await node.call();
    await Bun.sleep(QUIET_MS);
    looks.push(readMB(node));
  }
  return measureGrowth(`${node.name}, ${HOURS} hours by clock`, node.calls() - before, looks);
}

const inMB = (amount: number): string => `${amount.toFixed(0)} MB`;
const inPercent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function renderRow({ name, calls, from, to, least, most }: Growth): string {
  const growth = to / from - 1;
  const verdict = growth <= GROWTH_MAX ? "held" : "**missed**";
  const cells = [name, calls.toLocaleString("en"), inMB(from), inMB(to), inPercent(growth)];
  return `| ${[...cells, `${inMB(least[0])}, ${inMB(least[1])}`, inMB(most), verdict].join(" | ")} |`;
}

const open: SoakNode[] = [];
const keep = async (node: Promise<SoakNode>): Promise<SoakNode> => {
  open.push(await node);
  return node;
};

try {
  const real = [await keep(startSoldNode(newFolder("run"))), await keep(startSandboxNode(newFolder("demo")))];
  const rows = [...(await soakForReal(real))];
  for (const node of real) node.end();
  for (const start of [startSetNode, startSandboxNode]) {
    const node = await keep(start(newFolder(`${start.name}-clock`)));
    rows.push(await soakByClock(node));
    node.end();
  }
  const text = [
    "Written by `./build.sh && bun bench/soak.ts`: resident memory while a node answers pages, 402s and calls",
    "paid with a key, after a quarter of the time to warm up: medians of the first and last quarter, and their least.",
    "",
    "| | calls | at first | at last | growth | least | most | at most 5 % |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map(renderRow),
  ].join("\n");
  writeSection(join(ROOT, "docs", "performance.md"), "## A footprint that stays", text);
  console.log(text);
} finally {
  for (const node of open) node.end();
  rmSync(folder, { recursive: true, force: true });
}
