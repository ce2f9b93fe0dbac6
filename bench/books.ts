import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";
import {
  assertTools,
  type Bought,
  buy,
  endAll,
  load,
  newFolder,
  pin,
  ROOT,
  residentMB,
  SELLER,
  say,
  startNode,
  startServer,
} from "./shop.ts";

/**
 * `./build.sh && bun run bench:ledger`: what keeping books costs. The compiled binary against servers that keep none,
 * that keep the simplest, and that send the same bytes; interleaved in one run, medians. Nothing here is a test.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const PAID_CALLS = Number(process.env.BENCH_PAID_CALLS ?? 1_500);
/** Before anything is counted: some ten thousand calls long the runtime compiles what it runs, on the server's core. */
const WARM_UP_CALLS = Number(process.env.BENCH_WARM_UP_CALLS ?? 10_000);
const BUYERS = 32;
const WRITES_A_SECOND = 10_000;

interface Pause {
  readonly idle_ms: number;
  readonly writing_ms: number;
  readonly writes_s: number;
}

async function measurePause(): Promise<Pause> {
  const args = [String(WRITES_A_SECOND), String(SECONDS), String(ROUNDS)];
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "pause.ts"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await new Response(child.stdout).text());
}

/** The whole catalog, some seconds after its start. */
async function measureIdle(facilitator: string): Promise<number> {
  const node = await startNode({ facilitator, disabled: [] });
  await Bun.sleep(5_000);
  const memory = residentMB(node.pid);
  await node.stop();
  return memory;
}

async function measure() {
  const facilitator = await startServer(["bench/servers/facilitator.ts"], 1);
  const idle_mb = await measureIdle(facilitator);
  const pause = await measurePause();
  const node = await startNode({ facilitator });
  const hono = ["bench/servers/hono.ts", facilitator, SELLER];
  const paid: Readonly<Record<string, { readonly url: string; readonly connections?: number; runs: Bought[] }>> = {
    node: { url: `${node.url}/bench`, runs: [] },
    hono: { url: `${await startServer(hono)}/bench`, runs: [] },
    hono_row: { url: `${await startServer([...hono, join(newFolder(), "sales.db")])}/bench`, runs: [] },
    alone: { url: `${node.url}/bench`, connections: 1, runs: [] },
  };
  const same = await startServer(["bench/servers/same-bytes.ts", `${node.url}/bench`, `${node.url}/get-pricing`]);
  const rates: Readonly<Record<string, { readonly url: string; runs: number[] }>> = {
    unpaid: { url: `${node.url}/bench`, runs: [] },
    unpaid_same: { url: `${same}/bench`, runs: [] },
    unpaid_hono: { url: paid.hono?.url ?? "", runs: [] },
    free: { url: `${node.url}/get-pricing`, runs: [] },
    free_same: { url: `${same}/get-pricing`, runs: [] },
  };
  for (const { url, connections } of Object.values(paid)) {
    if (connections === undefined) await buy(url, WARM_UP_CALLS, BUYERS);
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const one of Object.values(paid)) {
      const connections = one.connections ?? BUYERS;
      const bought = await buy(one.url, connections === 1 ? Math.ceil(PAID_CALLS / 5) : PAID_CALLS, connections);
      // The first round warms up.
      if (round > 0) one.runs.push(bought);
    }
    for (const one of Object.values(rates)) {
      const rate = await load(one.url, SECONDS);
      if (round > 0) one.runs.push(rate);
    }
    say(`round ${round} of ${ROUNDS}`);
  }
  const loaded_mb = residentMB(node.pid);
  await node.stop();
  return { idle_mb, loaded_mb, pause, paid, rates };
}

function render({ idle_mb, loaded_mb, pause, paid, rates }: Awaited<ReturnType<typeof measure>>): string {
  const sold = (name: string) => median((paid[name]?.runs ?? []).map(({ rps }) => rps));
  const waited = (name: string) => median((paid[name]?.runs ?? []).map(({ p50_ms }) => p50_ms));
  const rate = (name: string) => median(rates[name]?.runs ?? []);
  const whole = (value: number) => Math.round(value).toLocaleString("en");
  const least = (what: string, value: number, bar: number) =>
    `| ${what} | at least ${bar.toFixed(2)} | ${value.toFixed(2)} | ${value >= bar ? "held" : "**missed**"} |`;
  const most = (what: string, value: number, [bar, unit]: readonly [number, string]) =>
    `| ${what} | at most ${bar} ${unit} | ${value.toFixed(1)} ${unit} | ${value <= bar ? "held" : "**missed**"} |`;
  return [
    "Written by `./build.sh && bun run bench:ledger`: the compiled binary with its default logging, servers on core 0,",
    `load and facilitator on core 1, ${ROUNDS} interleaved rounds, ${PAID_CALLS} payments signed ahead of each or`,
    `${SECONDS} s (wrk, 64 connections), medians, after ${WARM_UP_CALLS.toLocaleString("en")} payments to each`,
    `that are not counted. Load of the machine at the end: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores.`,
    pin(0).length === 0 ? "There is no taskset here: nothing was pinned." : "",
    "",
    "| figure | bar | measured | |",
    "| --- | --- | --- | --- |",
    least(`paid call, ${BUYERS} buyers, against @x402/hono without books`, sold("node") / sold("hono"), 0.8),
    least("the same against @x402/hono with a row to SQLite per sale", sold("node") / sold("hono_row"), 3),
    most("paid call alone, median", waited("alone"), [0.8, "ms"]),
    least("unpaid 402 against the same bytes from bare Elysia", rate("unpaid") / rate("unpaid_same"), 0.95),
    least("unpaid 402 against @x402/hono", rate("unpaid") / rate("unpaid_hono"), 2.5),
    least("free JSON against the same bytes from bare Elysia", rate("free") / rate("free_same"), 0.95),
    most(`event loop, ${whole(pause.writes_s)} synced writes/s: pause, p99.9`, pause.writing_ms, [5, "ms"]),
    most("idle memory of `run`, whole catalog", idle_mb, [110, "MB"]),
    "",
    "| server | paid calls/s | median ms |",
    "| --- | --- | --- |",
    ...Object.entries({ node: "intel-node", hono: "@x402/hono, no books", hono_row: "@x402/hono, a row per sale" }).map(
      ([name, title]) => `| ${title} | ${whole(sold(name))} | ${waited(name).toFixed(1)} |`,
    ),
    "",
    "| server | requests/s |",
    "| --- | --- |",
    `| intel-node, unpaid 402 | ${whole(rate("unpaid"))} |`,
    `| bare Elysia, the same bytes and headers | ${whole(rate("unpaid_same"))} |`,
    `| @x402/hono, unpaid 402 | ${whole(rate("unpaid_hono"))} |`,
    `| intel-node, free JSON (/get-pricing) | ${whole(rate("free"))} |`,
    `| bare Elysia, the same bytes and headers | ${whole(rate("free_same"))} |`,
    "",
    `With nothing to write the event loop pauses ${pause.idle_ms.toFixed(1)} ms (p99.9) there. After the load the node`,
    `holds ${loaded_mb.toFixed(0)} MB. Keyed calls and the long ledger are under "Prepaid keys".`,
  ].join("\n");
}

assertTools();
try {
  const text = render(await measure());
  if (process.env.BENCH_WRITE !== "0") writeSection(join(ROOT, "docs", "performance.md"), "## What books cost", text);
  console.log(text);
} finally {
  endAll();
}
