/**
 * Takes in a 25 MB XML, a 14 MB CSV in latin1 in a ZIP and a 16 MB JSON: seconds, memory, and the longest pause of the
 * event loop meanwhile; and walks a companyfacts file of 16 MB beside the requests of a node.
 * Run: bun bench/datasets.ts
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobContext } from "../src/catalog/context.ts";
import type { AnyDataset } from "../src/catalog/dataset.ts";
import { loadPluginFile } from "../src/plugin-host/load-plugins.ts";
import { WANTED_TAGS } from "../src/plugins/equities/facts/concepts.ts";
import { scanFacts } from "../src/plugins/equities/facts/scan-facts.ts";
import { takeIn } from "../src/stores/dataset-intake.ts";
import { openDatasetStore } from "../src/stores/dataset-store.ts";
import { buildInWorker } from "../src/threads/build-in-worker.ts";
import { createUpstream } from "../src/upstream/client.ts";
import { NOTE, serveFiles } from "./dataset-files.ts";

const server = serveFiles();
process.env.BENCH_FILES_URL = `http://127.0.0.1:${server.port}`;
const file = join(import.meta.dir, "plugins", "datasets", "files.ts");
const { datasets = [] } = await loadPluginFile(file);
const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));
const store = openDatasetStore(folder);
const upstream = createUpstream({
  clock: { now: Date.now },
  version: "bench",
  allow_terms: ["open"],
  chain_rpc: () => undefined,
  simulated: false,
  log: () => undefined,
  settings: () => ({ enabled: true, terms_ack: false }),
});

/** The longest time in which the event loop ran nothing else. */
function watchLoop() {
  let [last_ms, longest_ms, rss] = [performance.now(), 0, 0];
  const timer = setInterval(() => {
    const now_ms = performance.now();
    longest_ms = Math.max(longest_ms, now_ms - last_ms - 1);
    last_ms = now_ms;
    rss = Math.max(rss, process.memoryUsage.rss());
  }, 1);
  return () => {
    clearInterval(timer);
    return { longest_ms, rss };
  };
}

const stopIdle = watchLoop();
await Bun.sleep(3_000);
console.log(`idle: longest pause ${stopIdle().longest_ms.toFixed(1)} ms`);
for (const dataset of datasets as readonly AnyDataset[]) {
  store.add("bench", dataset);
  const signal = AbortSignal.timeout(dataset.deadline_ms);
  const run = { now_ms: Date.now(), signal, history: { read: async () => [] } };
  const context = upstream.createContext(run) as unknown as JobContext;
  await Bun.sleep(500);
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const stop = watchLoop();
  const started_ms = performance.now();
  const taken = await takeIn(dataset, context, {
    store,
    build: (order, end) => buildInWorker(dataset, order, { plugin_file: file, signal: end }),
  });
  const seconds = (performance.now() - started_ms) / 1000;
  const { longest_ms, rss } = stop();
  const found = store.open(dataset, Date.now());
  const asked_ms = performance.now();
  for (let id = 1; id <= 1_000; id += 1) await found.first({ where: { id } });
  const lookup_us = performance.now() - asked_ms;
  console.log(
    `${dataset.name}: ${((taken?.bytes ?? 0) / 1e6).toFixed(1)} MB, ${taken?.rows} rows in ${seconds.toFixed(1)} s; ` +
      `memory +${((rss - before) / 1e6).toFixed(0)} MB at most; longest pause ${longest_ms.toFixed(1)} ms; ` +
      `a look by key ${lookup_us.toFixed(0)} us`,
  );
}
await measureCompanyFacts();

/** Every wanted tag with 40 facts, and so many tags nobody wants that the file has 16 MB, as the largest one has. */
async function measureCompanyFacts(): Promise<void> {
  const fact = (n: number) => ({
    start: `20${10 + (n % 15)}-01-01`,
    end: `20${10 + (n % 15)}-12-31`,
    val: n * 1_000_003,
    fy: 2020,
    fp: "FY",
    accn: "0000320193-20-000096",
    form: "10-K",
    filed: "2021-02-01",
    frame: "CY2020",
  });
  const tagOf = (name: string) => [
    name,
    { label: name, description: NOTE, units: { USD: Array.from({ length: 40 }, (_, n) => fact(n)) } },
  ];
  const wanted = WANTED_TAGS["us-gaap"] ?? [];
  const size = JSON.stringify(tagOf("Unwanted")).length;
  const others = Array.from({ length: Math.ceil(16e6 / size) - wanted.length }, (_, n) => `Unwanted${n}`);
  const gaap = Object.fromEntries([...others, ...wanted].map(tagOf));
  const bytes = new TextEncoder().encode(
    JSON.stringify({ cik: 1, entityName: "A company", facts: { "us-gaap": gaap } }),
  );
  Bun.gc(true);
  const stop = watchLoop();
  const started_ms = performance.now();
  const { facts } = await scanFacts(bytes, WANTED_TAGS);
  const seconds = (performance.now() - started_ms) / 1_000;
  console.log(
    `companyfacts: ${(bytes.length / 1e6).toFixed(1)} MB, ${facts.length} facts in ${seconds.toFixed(2)} s; ` +
      `longest pause ${stop().longest_ms.toFixed(1)} ms`,
  );
}

store.close();
rmSync(folder, { recursive: true, force: true });
await server.stop(true);
process.exit(0);
