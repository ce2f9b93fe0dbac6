import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { JobContext } from "../src/catalog/context.ts";
import {
  getNameIndex,
  LIST_IDS,
  type ListId,
  openLists,
  SANCTION_LISTS,
} from "../src/plugins/trust-desk/lists/sanction-lists.ts";
import type { SimulatedListing } from "../src/plugins/trust-desk/lists/simulated-listing.ts";
import { renderEUList } from "../src/plugins/trust-desk/providers/eu-fsf/simulator.ts";
import { renderOfacList } from "../src/plugins/trust-desk/providers/ofac/simulator.ts";
import { renderUKList } from "../src/plugins/trust-desk/providers/uk-fcdo/simulator.ts";
import { renderUNList } from "../src/plugins/trust-desk/providers/un-sc/simulator.ts";
import { takeIn } from "../src/stores/dataset-intake.ts";
import { openDatasetStore } from "../src/stores/dataset-store.ts";
import { buildInWorker } from "../src/threads/build-in-worker.ts";
import { createUpstream } from "../src/upstream/client.ts";
import { makeSyntheticNames } from "../test/helpers/synthetic-names.ts";
import { writeSection } from "./report.ts";

/**
 * `bun run bench:lists`: takes in the sanctions lists in the forms of their publishers, 25 MB and 65,000 names in all,
 * through the real client, worker and swap, and makes their name indexes: seconds, memory, and the longest pause of the
 * event loop. Nothing here is a test.
 */
const BYTES = 25_000_000;
const NAMES = 65_000;
/** Shares of the names, about as the publishers' lists have them. */
const SHARES: Readonly<Record<ListId, number>> = { ofac_sdn: 0.4, ofac_cons: 0.04, eu: 0.32, un: 0.04, uk: 0.2 };
const RENDER: Readonly<Record<ListId, (entries: readonly SimulatedListing[], day: string) => string>> = {
  ofac_sdn: renderOfacList,
  ofac_cons: renderOfacList,
  eu: renderEUList,
  un: renderUNList,
  uk: renderUKList,
};
/** Entries are longer than their names: addresses, papers and reasons that no reader asks for. */
const ENDS: Readonly<Record<ListId, string>> = {
  ofac_sdn: "</sdnEntry>",
  ofac_cons: "</sdnEntry>",
  eu: "</sanctionEntity>",
  uk: "</Designation>",
  un: "</INDIVIDUAL>",
};
const PATHS: Readonly<Record<string, ListId>> = {
  "/SDN.XML": "ofac_sdn",
  "/CONSOLIDATED.XML": "ofac_cons",
  "/consolidated.xml": "un",
  "/xmlFullSanctionsList_1_1/content": "eu",
  "/UK-Sanctions-List.xml": "uk",
};
const DAY = new Date().toISOString().slice(0, 10);

/** Three names an entity, its own and two aliases. */
function makeFiles(): ReadonlyMap<ListId, Uint8Array<ArrayBuffer>> {
  const { listed } = makeSyntheticNames(NAMES);
  const files = new Map<ListId, Uint8Array<ArrayBuffer>>();
  let from = 0;
  for (const id of LIST_IDS) {
    const names = listed.slice(from, from + Math.round(NAMES * SHARES[id]));
    from += names.length;
    const entries = Array.from({ length: Math.ceil(names.length / 3) }, (_, index): SimulatedListing => {
      const [own, ...others] = names.slice(index * 3, index * 3 + 3);
      const aliases = others.map(({ name }) => ({ name, is_weak: false }));
      const empty = { first: "", wallets: [], program: "BENCH", born: "1 Jan 1970" };
      return { id: index + 1, type: "Individual", last: own?.name ?? "", aliases, ...empty };
    });
    const text = RENDER[id](entries, DAY);
    const missing = BYTES * SHARES[id] - text.length;
    const words = "Registered office at the harbour. ".repeat(Math.max(0, missing / entries.length / 34));
    const note = `<note>${words}</note>`;
    files.set(id, new TextEncoder().encode(text.replaceAll(ENDS[id], `${note}${ENDS[id]}`)));
  }
  return files;
}

interface Seen {
  /** Longest time in which the event loop ran nothing else, by the clock. */
  readonly longest_ms: number;
  /** The same in processor time of the serving thread: what else the machine does is not counted. */
  readonly longest_cpu_ms: number;
  readonly rss: number;
}

const cpu_ms = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Looks every millisecond, from the serving thread. */
function watch(): () => Seen {
  let seen: Seen = { longest_ms: 0, longest_cpu_ms: 0, rss: 0 };
  let [last_ms, last_cpu_ms] = [performance.now(), cpu_ms()];
  const timer = setInterval(() => {
    const [now_ms, now_cpu_ms] = [performance.now(), cpu_ms()];
    seen = {
      longest_ms: Math.max(seen.longest_ms, now_ms - last_ms - 1),
      longest_cpu_ms: Math.max(seen.longest_cpu_ms, now_cpu_ms - last_cpu_ms),
      rss: Math.max(seen.rss, process.memoryUsage.rss()),
    };
    [last_ms, last_cpu_ms] = [now_ms, now_cpu_ms];
  }, 1);
  return () => {
    clearInterval(timer);
    return seen;
  };
}

const files = makeFiles();
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const id = PATHS[new URL(request.url).pathname];
    return new Response(id === undefined ? "none" : files.get(id), { status: id === undefined ? 404 : 200 });
  },
});
const base_url = `http://127.0.0.1:${server.port}`;
const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));
const store = openDatasetStore(folder);
const upstream = createUpstream({
  clock: { now: Date.now },
  version: "bench",
  allow_terms: ["open", "attribution", "unclear"],
  chain_rpc: () => undefined,
  simulated: false,
  log: () => undefined,
  settings: () => ({ enabled: true, terms_ack: false, base_url }),
});

const stopIdle = watch();
await Bun.sleep(3_000);
const idle_ms = stopIdle().longest_ms;
Bun.gc(true);
const before = process.memoryUsage.rss();

interface Row extends Seen {
  readonly what: string;
  readonly bytes: number;
  readonly names: number;
  readonly seconds: number;
}
const rows: Row[] = [];

for (const id of LIST_IDS) {
  const { dataset } = SANCTION_LISTS[id];
  store.add("trust-desk", dataset);
  const run = {
    now_ms: Date.now(),
    signal: AbortSignal.timeout(dataset.deadline_ms),
    history: { read: async () => [] },
  };
  const context = upstream.createContext(run) as unknown as JobContext;
  const stop = watch();
  const started_ms = performance.now();
  const taken = await takeIn(dataset, context, {
    store,
    build: (order, end) => buildInWorker(dataset, order, { plugin_file: null, signal: end }),
  });
  const seconds = (performance.now() - started_ms) / 1_000;
  rows.push({ what: `\`${id}\``, bytes: taken?.bytes ?? 0, names: taken?.rows ?? 0, seconds, ...stop() });
}
const lists = [...rows];
const stop = watch();
const started_ms = performance.now();
const context = { now_ms: Date.now(), dataset: async (one: never) => store.open(one, Date.now()) };
let names = 0;
for (const list of await openLists(context as never)) names += (await getNameIndex(list))?.size ?? 0;
rows.push({
  what: "their name indexes",
  bytes: 0,
  names,
  seconds: (performance.now() - started_ms) / 1_000,
  ...stop(),
});

const sum = (of: (row: Row) => number): number => lists.reduce((total, row) => total + of(row), 0);
const most = (of: (row: Row) => number): number => Math.max(...lists.map(of));
const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);
const render = ({ what, bytes, names: of, seconds, rss, longest_cpu_ms, longest_ms }: Row): string => {
  const size = bytes === 0 ? "" : `${mb(bytes)} MB, `;
  const pauses = `${longest_cpu_ms.toFixed(0)} | ${longest_ms.toFixed(0)}`;
  return `| ${what} | ${size}${of} names | ${seconds.toFixed(1)} | +${mb(rss - before)} | ${pauses} |`;
};
const whole: Row = {
  what: "**the lists** (bars: 15 s, +150 MB, 20 ms)",
  bytes: sum((row) => row.bytes),
  names: sum((row) => row.names),
  seconds: sum((row) => row.seconds),
  rss: most((row) => row.rss),
  longest_ms: most((row) => row.longest_ms),
  longest_cpu_ms: most((row) => row.longest_cpu_ms),
};
const text = `Written by \`bun run bench:lists\`: the five files of the four publishers in their own forms, made-up
names, through the real client, worker and swap; then the indexes that name queries run on, in the serving thread, which
gives way every few milliseconds. Memory is of the whole process. A pause is the longest time in which the event loop
ran nothing else: in processor time of the serving thread, and by the clock, which counts what else the machine does
(with nothing to do: ${idle_ms.toFixed(0)} ms). Load at the end: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores.

| list | | seconds | memory at most, MB | longest pause, ms of processor | by the clock |
| --- | --- | --- | --- | --- | --- |
${[...lists, whole, ...rows.slice(lists.length)].map(render).join("\n")}

A kill -9 at any moment leaves a whole version (\`src/stores/datasets.test.ts\`).`;
writeSection(join(import.meta.dir, "..", "docs", "performance.md"), "## Sanctions lists", text);
process.stdout.write(`${text}\n`);
store.close();
rmSync(folder, { recursive: true, force: true });
await server.stop(true);
process.exit(0);
