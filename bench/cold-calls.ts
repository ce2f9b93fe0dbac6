import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { createRunner } from "../src/catalog/runner.ts";
import { job as feeds } from "../src/plugins/ai/jobs/feeds.ts";
import { fetchProfile } from "../src/plugins/tokens/facts/profile.ts";
import { assess } from "../src/plugins/tokens/judge/assess.ts";
import { ZOO } from "../src/upstream/providers/simulated-tokens/zoo.ts";
import { createNodeWithPast, PRODUCTS } from "../test/helpers/catalog-world.ts";
import { createSimulatedNode, type SimulatedNode } from "../test/helpers/simulated-node.ts";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";

/**
 * `bun run bench:cold`: what a first buyer waits for while every upstream takes 300 ms, what the next one waits for,
 * and what is made of stored data alone; writes its section of docs/performance.md. Nothing here is a test.
 */
const LATENCY_MS = 300;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** A Thursday, 10:34 in New York: every market of the list trades or has traded today. */
const START_MS = Date.UTC(2026, 9, 1, 14, 34, 56);

interface Row {
  readonly what: string;
  readonly times: readonly number[];
  readonly calls: number;
  readonly bar_ms: number;
}

const find = (path: string) => {
  const product = PRODUCTS.find((one) => one.path === path);
  if (!product) throw new Error(`no ${path}`);
  return product;
};

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Sells as a node does: one runner, whose kept answers the next buyer has. */
function createSeller(node: SimulatedNode): (path: string, params?: object) => Promise<void> {
  const runner = createRunner({
    node_id: "bench",
    sandbox: true,
    clock: node.clock,
    history: node.history,
    createContext: node.createRun,
    find: (path) => PRODUCTS.find((one) => one.path === path),
    onFailure: () => undefined,
    onSuccess: () => undefined,
  });
  return async (path, params) => {
    const product = find(path);
    await runner.produce(product, product.params.fromBody(params ?? product.definition.example.params));
  };
}

const callsOf = (node: SimulatedNode): number =>
  Object.values(node.upstreams.status()).reduce((sum, { calls }) => sum + calls, 0);

interface Bars {
  readonly cold_ms: number;
  readonly next_ms: number;
  /** Instead of those of the product's example. */
  readonly params?: object;
}

/** A node on the stores of one whose jobs ran, its upstream answers unknown and slow. */
async function measureProduct(stores: SimulatedNode, path: string, { params, ...bars }: Bars) {
  const [cold, next]: [number[], number[]] = [[], []];
  let calls = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const node = createSimulatedNode({ now_ms: stores.clock.now(), stores, delay: () => Bun.sleep(LATENCY_MS) });
    const sell = createSeller(node);
    cold.push(await time(() => sell(path, params)));
    calls = callsOf(node);
    next.push(await time(() => sell(path, params)));
    node.close();
  }
  const what = params ? `\`${path}\` of one ${Object.keys(params).join()}` : `\`${path}\``;
  const rows: Row[] = [{ what: `${what}, cold`, times: cold, calls, bar_ms: bars.cold_ms }];
  if (calls > 0) rows.push({ what: `${what}, next buyer`, times: next, calls: 0, bar_ms: bars.next_ms });
  return rows;
}

/** The calculation alone, of inputs at hand. */
async function measureCompute(stores: SimulatedNode, path: string, bar_ms: number): Promise<Row> {
  const product = find(path);
  const { definition } = product;
  const { params } = product.params.fromBody(definition.example.params);
  const context = stores.createContext();
  const inputs = await definition.fetch(context, params);
  const times = Array.from({ length: 21 }, () => {
    const start = performance.now();
    definition.compute(inputs, { params, now_ms: context.now_ms });
    return performance.now() - start;
  });
  return { what: `\`${path}\`, calculation`, times, calls: 0, bar_ms };
}

async function measureFeeds(): Promise<Row> {
  const node = createSimulatedNode({ now_ms: START_MS, delay: () => Bun.sleep(LATENCY_MS) });
  const first = await time(() => feeds.run(node.createContext()));
  const row = { what: "55 feeds and their robots.txt, six at once", times: [first], calls: callsOf(node) };
  node.close();
  return { ...row, bar_ms: 20_000 };
}

/** LR-1 alone: from what every source said of a token to its verdict. */
async function measureJudging(stores: SimulatedNode): Promise<Row> {
  const token = ZOO.find(({ id }) => id === "meadow")?.address ?? "";
  const profile = await fetchProfile(stores.createContext(), { chain: "solana", address: token });
  const times = Array.from({ length: 1_001 }, () => {
    const start = performance.now();
    assess(profile);
    return performance.now() - start;
  });
  return { what: "LR-1, one token", times, calls: 0, bar_ms: 0.5 };
}

/** Screens and quotes; sheets of risk; research and dossiers; the audit, without its pause of a second. */
const DESKS = [
  [1_000, ["/dex-screen", "/kyber-swap", "/wallet-scan"]],
  [1_500, ["/rugcheck", "/launch-risk", "/token-intel"]],
  [2_000, ["/job/token-research", "/job/wallet-audit", "/whale-dossier"]],
  [4_000, ["/x402-audit"]],
] as const;

async function measureDesks(stores: SimulatedNode): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [cold_ms, paths] of DESKS) {
    for (const path of paths) rows.push(...(await measureProduct(stores, path, { cold_ms, next_ms: 100 })));
  }
  const mint = ZOO.find(({ id }) => id === "meadow")?.address;
  rows.push(...(await measureProduct(stores, "/launch-risk", { cold_ms: 1_500, next_ms: 100, params: { mint } })));
  return [...rows, await measureJudging(stores)];
}

/** Only the token and trust desks, or everybody. */
const only_desks = process.argv.includes("--desks");
const stores = await createNodeWithPast(START_MS);
const desks = await measureDesks(stores);
const rows: Row[] = [];
if (!only_desks) await measureOthers();
stores.close();

async function measureOthers(): Promise<void> {
  for (const path of ["/forex-rate", "/commodity-price", "/stock-quote", "/world-quote"])
    rows.push(...(await measureProduct(stores, path, { cold_ms: 1_000, next_ms: 100 })));
  rows.push(...(await measureProduct(stores, "/equity-dossier", { cold_ms: 6_000, next_ms: 100 })));
  for (const path of ["/br-macro", "/br-equity", "/br-curve", "/br-agro"])
    rows.push(...(await measureProduct(stores, path, { cold_ms: 50, next_ms: 50 })));
  rows.push(await measureCompute(stores, "/br-curve", 5), await measureCompute(stores, "/event-playbook", 50));
  rows.push(await measureFeeds());
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
const renderRows = (list: readonly Row[]): string =>
  list
    .map(({ what, times, calls, bar_ms }) => {
      const middle = median(times);
      return `| ${what} | ${calls} | ${ms(middle)} | ${bar_ms} | ${middle <= bar_ms ? "held" : "**missed**"} |`;
    })
    .join("\n");
const write = (heading: string, list: readonly Row[]): void => {
  const text = `Written by \`bun run bench:cold\`: simulated upstreams that take ${LATENCY_MS} ms each, an operator
without vendor keys, medians of ${ROUNDS} runs (calculations: 21). Cold: nothing of an upstream is known yet,
what jobs store is there. Load of the machine at the end: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores.

| | calls | median ms | bar ms | |
| --- | --- | --- | --- | --- |
${renderRows(list)}`;
  writeSection(join(import.meta.dir, "..", "docs", "performance.md"), heading, text);
  process.stdout.write(`${text}\n`);
};
if (!only_desks) write("## Cold calls", rows);
write("## Cold calls of the token and trust desks", desks);
