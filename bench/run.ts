import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "./median.ts";
import {
  assertTools,
  BINARY,
  type Bought,
  buy,
  endAll,
  load,
  ROOT,
  residentMB,
  SELLER,
  say,
  startNode,
  startServer,
} from "./shop.ts";

/**
 * `bun run bench`: measures the compiled binary against bare Elysia, bare Bun.serve and @x402/hono, interleaved in one
 * run, each server on core 0, the load on core 1, and writes docs/performance.md. Medians; nothing here is a test.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const PAID_CALLS = Number(process.env.BENCH_PAID_CALLS ?? 1_500);

async function measure() {
  const facilitator = await startServer(["bench/servers/facilitator.ts"]);
  const cold: number[] = [];
  for (let round = 0; round < 15; round++) {
    const node = await startNode({ facilitator });
    cold.push(node.cold_ms);
    await node.stop();
  }
  const node = await startNode({ facilitator });
  await Bun.sleep(3_000);
  const idle_mb = residentMB(node.pid);
  const hono = await startServer(["bench/servers/hono.ts", facilitator, SELLER]);
  const targets: Record<string, string> = {
    "bare Bun.serve, JSON": `${await startServer(["bench/servers/bun.ts"])}/`,
    "bare Elysia, JSON": `${await startServer(["bench/servers/elysia.ts"])}/json`,
    "intel-node, free JSON (/get-pricing)": `${node.url}/get-pricing`,
    "intel-node, free JSON (/healthz)": `${node.url}/healthz`,
    "intel-node, unpaid 402": `${node.url}/bench`,
    "@x402/hono on Bun, unpaid 402": `${hono}/bench`,
  };
  const rates = new Map<string, number[]>(Object.keys(targets).map((name) => [name, []]));
  for (const url of Object.values(targets)) await load(url, SECONDS);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, url] of Object.entries(targets)) rates.get(name)?.push(await load(url, SECONDS));
    say(`round ${round} of ${ROUNDS}`);
  }
  const paid = {
    node: [] as Bought[],
    hono: [] as Bought[],
    /** One call at a time: what a buyer waits for besides the facilitator. */
    alone: [] as Bought[],
  };
  for (let round = 0; round < Math.min(5, ROUNDS); round++) {
    paid.node.push(await buy(`${node.url}/bench`, PAID_CALLS));
    paid.hono.push(await buy(`${hono}/bench`, PAID_CALLS));
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

assertTools();
/** What other benchmarks and people wrote stays. */
const NOTES_MARK = /\n## More figures\n/;
const file = join(ROOT, "docs", "performance.md");
try {
  const kept = existsSync(file) ? readFileSync(file, "utf8") : "";
  const notes = kept.search(NOTES_MARK) < 0 ? "" : kept.slice(kept.search(NOTES_MARK));
  writeFileSync(file, render(await measure()) + notes);
  console.log(readFileSync(file, "utf8"));
} finally {
  endAll();
}
