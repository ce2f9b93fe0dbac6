import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadDemoConfig } from "../src/commands/demo-config.ts";
import { createSettableClock } from "../src/core/clock.ts";
import { startNode } from "../src/node/start-node.ts";
import { createSandbox } from "../src/sandbox/index.ts";
import { simulators } from "../src/sandbox/simulators.gen.ts";
import { createLog } from "../src/telemetry/log.ts";
import { writeSection } from "./report.ts";

/**
 * `bun bench/first-minute.ts [share]`: a fresh node, of whose sources a part hangs from the first second on; when each
 * product is first sold to a caller who asks every second. What is not sold in ten minutes cannot be sold. Nothing here
 * is a test.
 */
const ROOT = join(import.meta.dir, "..");
const DEAD_SHARE = Number(process.argv[2] ?? 0.3);
const WATCH_S = Number(process.env.BENCH_WATCH_S ?? 600);
const BAR_S = 60;
const SEED = "first minute";

const data = mkdtempSync(join(tmpdir(), "first-minute-"));
const clock = createSettableClock();
const sandbox = await createSandbox({ seed: SEED, clock, simulators });
const providers = simulators.map(({ provider }) => provider).sort();
const by_chance = providers.toSorted((a, b) => Bun.hash.crc32(`${SEED} ${a}`) - Bun.hash.crc32(`${SEED} ${b}`));
const dead = by_chance.slice(0, Math.round(providers.length * DEAD_SHARE));
for (const provider of dead) {
  const body = JSON.stringify({ provider, fault: "timeout" });
  const set = await sandbox.handleControl(
    new Request("http://localhost/__sandbox/upstreams", { method: "POST", body }),
  );
  if (!set.ok) throw new Error(await set.text());
}

const read = await loadDemoConfig({
  config: undefined,
  port: 0,
  data,
  plugins: undefined,
  facilitator_url: sandbox.facilitatorUrl(),
});
if ("faults" in read) throw new Error(read.faults);
const began_ms = performance.now();
const node = await startNode({
  config: read.config,
  data_dir: data,
  clock,
  log: createLog({ level: "error", format: "json", secrets: [] }),
  version: "bench",
  sandbox: { world: sandbox, clock, live_data: false, seed_history: false, is_idle: false },
  plugins: read.plugins,
});

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${node.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${node.operator_token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const issued = await post("/admin/keys", { command: "issue", credit_usd: "100000" });
const { api_key } = (await issued.json()) as { api_key: string };
const elapsed_s = (): number => (performance.now() - began_ms) / 1000;

const sold_s = new Map<string, number>();
const last = new Map<string, string>();
const offered = read.plugins.plugins
  .flatMap(({ products }) => products.map(({ product }) => product))
  .filter(({ plan, uses_payer }) => plan === undefined && uses_payer !== true);

async function tryOne({ path, methods = ["GET"], example }: (typeof offered)[number]): Promise<void> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(example.params as object)) query.set(name, String(value));
  const headers = { "X-API-Key": api_key, "content-type": "application/json" };
  const is_get = methods.includes("GET");
  const answer = await fetch(`${node.url}${path}${is_get && query.size > 0 ? `?${query}` : ""}`, {
    headers,
    ...(is_get ? {} : { method: "POST", body: JSON.stringify(example.params) }),
  });
  const body = (await answer.json()) as { code?: string; detail?: string };
  if (answer.status === 200) sold_s.set(path, elapsed_s());
  else last.set(path, `${answer.status} ${body.code}: ${body.detail?.slice(0, 90)}`);
}

async function watch(product: (typeof offered)[number]): Promise<void> {
  while (!sold_s.has(product.path) && elapsed_s() < WATCH_S) {
    await tryOne(product);
    if (!sold_s.has(product.path)) await Bun.sleep(1_000);
  }
}

await Promise.all(offered.map(watch));
const times = [...sold_s].toSorted(([, a], [, b]) => a - b);
const late = times.filter(([, s]) => s > BAR_S);
const never = offered.filter(({ path }) => !sold_s.has(path)).map(({ path }) => `${path} (${last.get(path)})`);
const within = (s: number): number => times.filter(([, at]) => at <= s).length;
const unsold = never.map((one) => one.split(" ")[0]).join(", ") || "none";
const text = [
  `Written by \`bun bench/first-minute.ts\`: a fresh node in the sandbox; ${dead.length} of`,
  `${providers.length} sources hang from its first second on (${dead.join(", ")}). Every product's example is asked`,
  "for each second, by key.",
  "",
  "| seconds after the start | products sold once, of those that can be |",
  "| --- | --- |",
  ...[5, 10, 20, 30, BAR_S, WATCH_S].map((s) => `| ${s} | ${within(s)} of ${times.length} |`),
  "",
  `Later than ${BAR_S} s: ${late.map(([path, s]) => `${path} ${s.toFixed(0)} s`).join(", ") || "none"}.`,
  `Not at all, for their sources are dead or only time makes what they read: ${unsold}.`,
].join("\n");
console.log(text);
console.log(never.join("\n"));
if (process.env.BENCH_WRITE !== "0") writeSection(join(ROOT, "docs", "performance.md"), "## The first minute", text);
await node.stop(() => undefined);
await sandbox.stop();
rmSync(data, { recursive: true, force: true });
process.exit(0);
