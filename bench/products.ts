import { join } from "node:path";
import { sampleCorrelation, sampleRankCorrelation } from "simple-statistics";
import { EMA, RSI } from "technicalindicators";
import type { CatalogProduct } from "../src/catalog/catalog.ts";
import { runEngine, WARMUP_BARS } from "../src/plugins/crypto-market/backtest/engine.ts";
import { computeMetrics } from "../src/plugins/crypto-market/backtest/metrics.ts";
import { STRATEGIES } from "../src/plugins/crypto-market/backtest/strategies.ts";
import { analyseCorrelations } from "../src/quant/correlation-analysis.ts";
import { createWholeNode, PRODUCTS, produce, runJobs } from "../test/helpers/catalog-world.ts";
import { parkMiller } from "../test/helpers/test-series.ts";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";

/**
 * `bun run bench:products`: what each product computes from inputs at hand, and two heavy calculations beside the same
 * ones of kept libraries, and how long calls keep the event loop; writes its section of docs/performance.md. Nothing
 * here is a test.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 51);
const START_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const BLOCK_MS_MAX = 20;
const BAR_MS = { usual: 5, "/backtest": 50, "/correlation-matrix": 20 } as const;

interface Measured {
  readonly first_ms: number;
  readonly median_ms: number;
  readonly max_ms: number;
}

/** Runs it as often as ROUNDS; the first run is told apart, because caches within the product are empty then. */
function measure(work: () => unknown): Measured {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  const later = times.slice(1).sort((a, b) => a - b);
  return {
    first_ms: times[0] ?? Number.NaN,
    median_ms: median(later),
    max_ms: later.at(-1) ?? Number.NaN,
  };
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

async function measureProducts(): Promise<readonly { path: string; measured: Measured }[]> {
  const node = createWholeNode({ now_ms: START_MS });
  await runJobs(node);
  const rows: { path: string; measured: Measured }[] = [];
  for (const product of PRODUCTS as readonly CatalogProduct[]) {
    const { definition } = product;
    const { params } = product.params.fromBody(definition.example.params);
    const context = node.createContext();
    const inputs = await definition.fetch(context, params);
    const measured = measure(() => definition.compute(inputs, { params, now_ms: context.now_ms }));
    rows.push({ path: definition.path, measured });
  }
  node.close();
  return rows;
}

interface Delay {
  readonly path: string;
  readonly first_ms: number;
  readonly median_ms: number;
  readonly longest_ms: number;
}

const CALLS = 20;

/** Longest pause between two turns of the event loop while the work runs, ms. */
async function measureDelay(work: () => Promise<unknown>): Promise<number> {
  let [longest_ms, running, last_ms] = [0, true, performance.now()];
  const turned = (async () => {
    while (running) {
      await new Promise((resolve) => setImmediate(resolve));
      const now_ms = performance.now();
      longest_ms = Math.max(longest_ms, now_ms - last_ms);
      last_ms = now_ms;
    }
  })();
  await work();
  running = false;
  await turned;
  return longest_ms;
}

/**
 * How long whole calls (reading stored series, computing, checking, serialising) keep everybody else waiting: the first
 * one of each product in the process, and those after it, each of which computes anew.
 */
async function measureDelays(): Promise<readonly Delay[]> {
  const node = createWholeNode({ now_ms: START_MS });
  await runJobs(node);
  const rows: Delay[] = [];
  for (const product of PRODUCTS as readonly CatalogProduct[]) {
    const call = () => produce(node, product);
    const first_ms = await measureDelay(call);
    const later: number[] = [];
    for (let n = 0; n < CALLS; n += 1) later.push(await measureDelay(call));
    const median_ms = median(later);
    rows.push({ path: product.path, first_ms, median_ms, longest_ms: Math.max(...later) });
  }
  node.close();
  return rows;
}

const SERIES = 40;
const DAYS = 365;

/** Forty series of a year: ours, and the same pairs by simple-statistics. */
function measureCorrelations(): { ours: Measured; library: Measured } {
  const next = parkMiller(11);
  const series = Array.from({ length: SERIES }, () => Array.from({ length: DAYS }, () => next() - 0.5));
  const library = () => {
    for (const [i, x] of series.entries()) {
      for (const y of series.slice(i + 1)) {
        sampleCorrelation(x, y);
        sampleRankCorrelation(x, y);
      }
    }
  };
  return { ours: measure(() => analyseCorrelations(series)), library: measure(library) };
}

const YEARS_BARS = 5 * 365 + WARMUP_BARS;

/** Five years of daily bars of each strategy, and the indicators alone by technicalindicators. */
function measureBacktests(): { slowest: { id: string; measured: Measured }; library: Measured } {
  const next = parkMiller(13);
  const walk = () => {
    let close = 100;
    return Array.from({ length: YEARS_BARS }, () => {
      const open = close;
      close *= Math.exp(0.1 * (next() - 0.5));
      return { open, close, high: 1.01 * Math.max(open, close), low: 0.99 * Math.min(open, close) };
    });
  };
  const runs = STRATEGIES.map(({ id, symbols, drift_max, decide }) => {
    const series = symbols.map(walk);
    const work = () => computeMetrics(runEngine({ series, targets: decide(series), drift_max, first: WARMUP_BARS }));
    return { id, measured: measure(work) };
  });
  const slowest = runs.reduce((most, one) => (one.measured.median_ms > most.measured.median_ms ? one : most));
  const values = walk().map(({ close }) => close);
  const library = measure(() => {
    EMA.calculate({ period: 12, values });
    EMA.calculate({ period: 26, values });
    RSI.calculate({ period: 14, values });
  });
  return { slowest, library };
}

// First, because it is about what is not compiled yet.
const delays = await measureDelays();
const rows = await measureProducts();
const correlations = measureCorrelations();
const backtests = measureBacktests();
const barOf = (path: string): number => (path in BAR_MS ? BAR_MS[path as keyof typeof BAR_MS] : BAR_MS.usual);
const { slowest } = backtests;
const missed = rows.filter(({ path, measured }) => measured.median_ms > barOf(path));
const blocking = rows.filter(({ measured }) => Math.max(measured.first_ms, measured.max_ms) > BLOCK_MS_MAX);
const lines = [
  "Written by `bun run bench:products` on simulated upstreams, from inputs at hand: median of " +
    `${ROUNDS - 1} runs, and the`,
  "first run of this measurement, when nothing is kept yet.",
  "",
  "| product | first ms | median ms | longest ms | bar ms | |",
  "| --- | --- | --- | --- | --- | --- |",
  ...rows.map(({ path, measured: { first_ms, median_ms, max_ms } }) => {
    const bar = barOf(path);
    const verdict = median_ms <= bar ? "held" : "**missed**";
    return `| \`${path}\` | ${ms(first_ms)} | ${ms(median_ms)} | ${ms(max_ms)} | ${bar} | ${verdict} |`;
  }),
  "",
  "| calculation | here, median ms | kept library, median ms |",
  "| --- | --- | --- |",
  `| ${SERIES} series of ${DAYS} days: Pearson, Spearman, p values, intervals, shrinkage ` +
    `(library: simple-statistics, ` +
    `the two coefficients only) | ${ms(correlations.ours.median_ms)} | ${ms(correlations.library.median_ms)} |`,
  `| 5 years of daily bars, slowest rule (${slowest.id}): rule, fills, metrics (library: technicalindicators, three ` +
    `indicators only) | ${ms(slowest.measured.median_ms)} | ${ms(backtests.library.median_ms)} |`,
  "",
  `Above their bar: ${missed.map(({ path }) => path).join(", ") || "none"}. ` +
    `Computes that ever took over ${BLOCK_MS_MAX} ms: ` +
    `${blocking.map(({ path }) => path).join(", ") || "none"}.`,
  "",
  "Longest pause of the event loop while calls of a product run one after the other, each computed anew: in the first",
  `call of the process, which on a node is that of the preview taken at start, and in the ${CALLS} after it.`,
  "The simulated upstreams answer within the same process, and a pause counts whoever else the machine was busy with.",
  "",
  "| product | first call, ms | median of later calls, ms | longest of them, ms | bar ms | |",
  "| --- | --- | --- | --- | --- | --- |",
  ...delays.map(({ path, first_ms, median_ms, longest_ms }) => {
    const verdict = longest_ms <= BLOCK_MS_MAX ? "held" : "**missed**";
    return `| \`${path}\` | ${ms(first_ms)} | ${ms(median_ms)} | ${ms(longest_ms)} | ${BLOCK_MS_MAX} | ${verdict} |`;
  }),
];
writeSection(join(import.meta.dir, "..", "docs", "performance.md"), "## Products", lines.join("\n"));
console.log(lines.join("\n"));
