import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./bench-nodes.ts";
import { writeSection } from "./report.ts";

/**
 * `./build.sh && bun bench/soak.ts [MINUTES [DAYS]]`: what a node's memory does while it sells. The compiled sandbox
 * node, with its upstreams and chains in the same process, answers one call after another (the price list, a page,
 * 402s, keyed calls, a call to nowhere) for MINUTES of real time, then for DAYS of its own clock, an hour at a
 * time. Growth is the median of the last quarter of the looks against that of the first quarter after a warm-up.
 * Nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
const BINARY = process.env.TEST_BINARY ?? join(ROOT, "dist", "intel-node");
const MINUTES = Number(process.argv[2] ?? 60);
const DAYS = Number(process.argv[3] ?? 1);
const LOOKS = 60;
/** Of the looks: until then caches fill and code is compiled. */
const WARM_UP = 1 / 4;
const PAUSE_MS = 200;
const GROWTH_MAX = 0.05;
const HOUR_S = 3_600;

const data = mkdtempSync(join(tmpdir(), "intel-node-soak-"));
const child = Bun.spawn([BINARY, "demo", "--serve", "--port", "0", "--data", data, "--no-history"], {
  cwd: data,
  stdio: ["ignore", "pipe", "ignore"],
});

async function readReady(): Promise<{ readonly url: string; readonly operator_token: string }> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of child.stdout) {
    text += decoder.decode(part, { stream: true });
    if (text.includes("\n")) break;
  }
  return JSON.parse(text.slice(0, text.indexOf("\n")));
}

const readMB = (name: "VmRSS" | "VmHWM"): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1000;

const inMB = (amount: number): string => `${amount.toFixed(0)} MB`;

/** Growth over the looks after the warm-up, as a share. */
function measureGrowth(looks: readonly number[]) {
  const warm = looks.slice(Math.floor(looks.length * WARM_UP));
  const quarter = Math.floor(warm.length / 4);
  const [from, to] = [median(warm.slice(0, quarter)), median(warm.slice(-quarter))];
  return { from, to, growth: to / from - 1 };
}

async function run(): Promise<void> {
  const { url, operator_token } = await readReady();
  const issue = ["keys", "issue", "--credit", "10000", "--json", "--data", data, "--url", url];
  const issued = Bun.spawnSync([BINARY, ...issue], { cwd: data });
  const { api_key } = JSON.parse(issued.stdout.toString()) as { readonly api_key: string };
  const { products } = (await (await fetch(`${url}/get-pricing`)).json()) as {
    readonly products: readonly { readonly path: string; readonly price_atomic: string }[];
  };
  const free = ["/get-pricing", "/", "/live", "/nowhere", "/p/fear-greed", "/openapi.json"];
  const statuses = new Map<number, number>();
  let calls = 0;
  const call = async () => {
    const { path = "" } = products[calls % products.length] ?? {};
    const kind = calls % 3;
    const target = kind === 0 ? (free[(calls / 3) % free.length] ?? "/") : path;
    const response = await fetch(`${url}${target}`, { headers: kind === 1 ? { "X-API-Key": api_key } : {} });
    await response.arrayBuffer();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    calls += 1;
  };
  const phase = async (looks: number, between: (n: number) => Promise<void>) => {
    const seen: number[] = [];
    for (let n = 0; n < looks; n += 1) {
      await between(n);
      seen.push(readMB("VmRSS"));
    }
    return measureGrowth(seen);
  };
  const real = await phase(LOOKS, async () => {
    const until_ms = Date.now() + (MINUTES * 60_000) / LOOKS;
    while (Date.now() < until_ms) {
      await call();
      await Bun.sleep(PAUSE_MS);
    }
  });
  const real_calls = calls;
  const clocked = await phase(DAYS * 24, async () => {
    const body = JSON.stringify({ advance_s: HOUR_S });
    const headers = { Authorization: `Bearer ${operator_token}` };
    const moved = await fetch(`${url}/__sandbox/clock`, { method: "POST", body, headers });
    if (moved.status !== 200) throw new Error(`clock: ${moved.status} ${await moved.text()}`);
    for (let n = 0; n < products.length; n += 1) await call();
  });
  const row = (name: string, { from, to, growth }: ReturnType<typeof measureGrowth>, made: number) =>
    `| ${name} | ${made.toLocaleString("en")} | ${inMB(from)} | ${inMB(to)} | ${(growth * 100).toFixed(1)} % |`;
  const verdict = [real, clocked].every(({ growth }) => growth <= GROWTH_MAX) ? "held" : "**missed**";
  const text = [
    "Written by `./build.sh && bun bench/soak.ts`: resident memory of the compiled sandbox node, its upstreams and",
    "chains included, while it answers pages, 402s and calls paid with a key, after a quarter of the time to warm up.",
    "",
    "| | calls | at first | at last | growth |",
    "| --- | --- | --- | --- | --- |",
    row(`${MINUTES} minutes`, real, real_calls),
    row(`${DAYS * 24} hours by clock`, clocked, calls - real_calls),
    "",
    `At most ${inMB(readMB("VmHWM"))} at any time. Bar: at most ${GROWTH_MAX * 100} % of growth: ${verdict}.`,
  ].join("\n");
  writeSection(join(ROOT, "docs", "performance.md"), "## A footprint that stays", text);
  console.log(text, statuses);
}

try {
  await run();
} finally {
  child.kill("SIGKILL");
  rmSync(data, { recursive: true, force: true });
}
