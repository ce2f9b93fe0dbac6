import { join } from "node:path";
import { type BenchNode, endBenchNodes, freePort, measure, readCPU, startBenchNode } from "./bench-nodes.ts";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";

/**
 * `./build.sh && bun bench/operator-cost.ts`: what metrics, the operator's pages and alerts cost a paid call. Two
 * compiled nodes, one with all of it on, called in turns; then what a scrape and a look at the overview take. Measured
 * in processor time of the node, which is what bounds its throughput and does not depend on what else the machine does.
 * Nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
const CALLS = Number(process.env.BENCH_CALLS ?? 10_000);
/** Scrapes and looks at the overview that are measured, apart enough that none is answered from the one before. */
const LOOKS = 15;
const APART_MS = 1_200;
/** How often they come: Prometheus' default is a minute. */
const EVERY_MS = { metrics: 15_000, overview: 5_000 };
const COST_MAX = 0.02;

/** Processor time of the node for one look, with what else it does meanwhile, ms. */
async function measureLook({ pid }: BenchNode, look: () => Promise<void>): Promise<number> {
  const before = readCPU(pid);
  for (let n = 0; n < LOOKS; n += 1) {
    await look();
    await Bun.sleep(APART_MS);
  }
  return (readCPU(pid) - before) / LOOKS;
}

async function run(): Promise<void> {
  const sink = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const port = await freePort();
  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64")}`;
  const all =
    `[admin]\nenabled = true\n[metrics]\nlisten = "127.0.0.1:${port}"\n` +
    `[[alerts]]\nkind = "webhook"\nurl = "http://127.0.0.1:${sink.port}/"\nsecret = "${secret}"\n`;
  const off = await startBenchNode({ name: "off" });
  const on = await startBenchNode({ name: "on", more: all, metrics: `http://127.0.0.1:${port}` });
  const times = { off: [] as number[], on: [] as number[] };
  for (const node of [off, on]) await measure(node, CALLS, node.call);
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? (["off", "on"] as const) : (["on", "off"] as const);
    for (const which of order) {
      const node = which === "on" ? on : off;
      times[which].push(await measure(node, CALLS, node.call));
    }
  }
  const scrape = await measureLook(on, on.look.metrics);
  const overview = await measureLook(on, on.look.overview);
  await sink.stop(true);
  const [quiet, watched] = [median(times.off), median(times.on)];
  const by_looks = scrape / EVERY_MS.metrics + overview / EVERY_MS.overview;
  const cost = watched / quiet - 1 + by_looks;
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  const row = (name: string, took_ms: number, every_ms: number) =>
    `| ${name}, every ${every_ms / 1000} s | | ${took_ms.toFixed(1)} ms | ${percent(took_ms / every_ms)} |`;
  const verdict = cost <= COST_MAX ? "held" : "**missed**";
  const text = [
    "Written by `./build.sh && bun bench/operator-cost.ts`: two compiled nodes called in turns by key, one with a",
    "metrics listener, the operator's pages and a webhook for alerts; processor time of the node, medians of",
    `${ROUNDS} turns of ${CALLS.toLocaleString("en")} calls each.`,
    "",
    "| | off | on | of a core |",
    "| --- | --- | --- | --- |",
    `| a paid call | ${quiet.toFixed(4)} ms | ${watched.toFixed(4)} ms | ${percent(watched / quiet - 1)} |`,
    row("a scrape", scrape, EVERY_MS.metrics),
    row("the overview", overview, EVERY_MS.overview),
    "",
    `Together ${percent(cost)}. Bar: at most ${COST_MAX * 100} % of paid throughput: ${verdict}.`,
  ].join("\n");
  writeSection(join(ROOT, "docs", "performance.md"), "## What watching costs", text);
  console.log(text, times);
}

try {
  await run();
} finally {
  endBenchNodes();
}
