import { statSync } from "node:fs";
import { join } from "node:path";
import { BINARY, endBenchNodes, measure, startBenchNode } from "./bench-nodes.ts";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";

/**
 * `./build.sh && BENCH_BEFORE=<older binary> bun bench/trace-cost.ts`: what traces cost a paid call, when they are off
 * against a binary of before there were any, and when every call is told to a collector. Measured in processor time of
 * the node. Nothing here is a test.
 */
const BEFORE = process.env.BENCH_BEFORE ?? BINARY;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const CALLS = Number(process.env.BENCH_CALLS ?? 5_000);

async function run(): Promise<void> {
  let received = 0;
  const sink = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      received += (await request.arrayBuffer()).byteLength;
      return Response.json({});
    },
  });
  const traced = (ratio: number) => `[telemetry]\notlp = "http://127.0.0.1:${sink.port}"\nsample_ratio = ${ratio}\n`;
  const nodes = {
    before: await startBenchNode({ name: "before", binary: BEFORE }),
    off: await startBenchNode({ name: "off" }),
    sampled: await startBenchNode({ name: "sampled", more: traced(0.01) }),
    on: await startBenchNode({ name: "on", more: traced(1) }),
  };
  const names = ["before", "off", "sampled", "on"] as const;
  const times: Record<(typeof names)[number], number[]> = { before: [], off: [], sampled: [], on: [] };
  for (const name of names) await measure(nodes[name], CALLS, nodes[name].call);
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) times[name].push(await measure(nodes[name], CALLS, nodes[name].call));
  }
  await sink.stop(true);
  if (received === 0) throw new Error("the collector was told of nothing");
  const base = median(times.before);
  const row = (title: string, name: (typeof names)[number]) => {
    const took = median(times[name]);
    const spread = `${Math.min(...times[name]).toFixed(4)} to ${Math.max(...times[name]).toFixed(4)} ms`;
    return `| ${title} | ${took.toFixed(4)} ms | ${spread} | ${((took / base - 1) * 100).toFixed(1)} % |`;
  };
  const [old_bytes, new_bytes] = [statSync(BEFORE).size, statSync(BINARY).size];
  const text = [
    "Written by `./build.sh && BENCH_BEFORE=<older binary> bun bench/trace-cost.ts`: compiled nodes called in turns by",
    `key; processor time of the node, medians of ${ROUNDS} turns of ${CALLS.toLocaleString("en")} calls each.`,
    "",
    "| a paid call | median | from, to | against before |",
    "| --- | --- | --- | --- |",
    row("before there were traces", "before"),
    row("without `[telemetry] otlp`", "off"),
    row("`sample_ratio = 0.01`", "sampled"),
    row("every call traced", "on"),
    "",
    "On a machine that others use, too: a few percent either way are noise. What is left without a sample is the span",
    "that is asked for and not kept, and the way to the ledger's commands past it.",
    "",
    `The binary: ${old_bytes.toLocaleString("en")} bytes before, ${new_bytes.toLocaleString("en")} with the SDK in it.`,
  ].join("\n");
  writeSection(join(import.meta.dir, "..", "docs", "performance.md"), "## What traces cost", text);
  console.log(text, times);
}

try {
  await run();
} finally {
  endBenchNodes();
}
