import { existsSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { cleanUp, startDemo, waitForPast, waitForPreview } from "../test/helpers/demo-node.ts";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";

/**
 * `./build.sh && LIGHTHOUSE=/path/to/lighthouse bun run bench:pages`: how soon Chromium paints five pages of a demo
 * (medians of some loads, nothing throttled), how many bytes they are packed, and what Lighthouse says of each (its
 * phone preset, throttled). Lighthouse is no dependency: `npm install --prefix /tmp/lighthouse lighthouse@12.8.2` gets
 * it, then LIGHTHOUSE is /tmp/lighthouse/node_modules/.bin/lighthouse; without it that part is left out and nothing is
 * written. A sandbox asks search engines to keep out, so the audit of that one line (`is-crawlable`) is skipped.
 * Run it on a machine that does nothing else. Nothing here is a test.
 */
const PATHS = ["/", "/p/regime", "/p/relatorio", "/status", "/track-record"];
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const LOADS = Number(process.env.BENCH_LOADS ?? 9);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const LIGHTHOUSE = process.env.LIGHTHOUSE ?? "";
const CHROME_FLAGS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"];

interface Load {
  readonly first_paint_ms: number;
  readonly first_byte_ms: number;
}

/** One load in a browser that has seen nothing of the node. */
async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(url);
    // The entry of the paint comes after the load where both are in one frame.
    return (await page.evaluate(`new Promise((resolve) =>
      new PerformanceObserver((list) => {
        const [first] = list.getEntriesByName("first-contentful-paint");
        const [{ responseStart }] = performance.getEntriesByType("navigation");
        if (first) resolve({ first_paint_ms: first.startTime, first_byte_ms: responseStart });
      }).observe({ type: "paint", buffered: true }))`)) as Load;
  } finally {
    await context.close();
  }
}

/** A document as it comes over the wire. */
async function countPacked(url: string): Promise<number> {
  const headers = { accept: "text/html", "accept-encoding": "gzip" };
  return (await (await fetch(url, { headers, decompress: false })).arrayBuffer()).byteLength;
}

interface Report {
  readonly categories: Readonly<Record<(typeof CATEGORIES)[number], { readonly score: number | null }>>;
  readonly audits: Readonly<
    Record<string, { readonly title: string; readonly score: number | null; readonly numericValue?: number }>
  >;
}

/** Now and then it loses its own recording (NO_NAVSTART) and asks to be run again. */
async function runLighthouse(url: string, chrome: string, tries = 3): Promise<Report> {
  const args = [url, "--quiet", "--output=json", `--chrome-flags=${CHROME_FLAGS.join(" ")}`];
  const child = Bun.spawn([LIGHTHOUSE, ...args, "--skip-audits=is-crawlable"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CHROME_PATH: chrome },
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) {
    if (tries > 1) return runLighthouse(url, chrome, tries - 1);
    throw new Error(`lighthouse: ${err.slice(-1_000)}`);
  }
  return JSON.parse(out) as Report;
}

/** What an audit measured, as the median of the rounds. */
const medianOf = (reports: readonly Report[], audit: string): number =>
  median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));

async function judge(url: string, chrome: string): Promise<{ row: string; missed: readonly string[] }> {
  const reports: Report[] = [];
  for (let round = 0; round < ROUNDS; round += 1) reports.push(await runLighthouse(url, chrome));
  const scores = CATEGORIES.map((name) =>
    Math.round(100 * median(reports.map(({ categories }) => categories[name].score ?? 0))),
  );
  const [last] = reports.slice(-1);
  const missed = Object.entries(last?.audits ?? {})
    .filter(([, { score }]) => score !== null && score < 0.9)
    .map(([id, { score }]) => `${id} ${score}`);
  const seconds = (audit: string) => `${(medianOf(reports, audit) / 1_000).toFixed(1)} s`;
  const figures = [
    seconds("first-contentful-paint"),
    seconds("largest-contentful-paint"),
    `${medianOf(reports, "total-blocking-time").toFixed(0)} ms`,
    medianOf(reports, "cumulative-layout-shift").toFixed(3),
  ];
  return { row: [...scores, ...figures].join(" | "), missed };
}

/** Chromium takes both cores of a small machine: what else it was busy with belongs to the figures. */
const busy = `Load of the machine before: ${loadavg()[1]?.toFixed(1)} on ${cpus().length} cores.`;
const chrome = process.env.CHROME_PATH ?? Bun.which("chromium");
if (!chrome) throw new Error("there is no chromium: install it, or name it in CHROME_PATH");
const node = await startDemo({ history: "whole" });
await waitForPast(node);
for (const path of ["/regime", "/relatorio"]) await waitForPreview(node, path);
const browser = await chromium.launch({ executablePath: chrome, args: CHROME_FLAGS.slice(1) });
const paints: string[] = [];
for (const path of PATHS) {
  const url = `${node.url}${path}`;
  const loads: Load[] = [];
  for (let turn = 0; turn < LOADS; turn += 1) loads.push(await load(browser, url));
  const first = median(loads.map(({ first_paint_ms }) => first_paint_ms));
  const byte = median(loads.map(({ first_byte_ms }) => first_byte_ms));
  const kilobytes = ((await countPacked(url)) / 1_000).toFixed(1);
  paints.push(`| \`${path}\` | ${kilobytes} kB | ${byte.toFixed(0)} ms | ${first.toFixed(0)} ms |`);
  console.log(paints.at(-1));
}
await browser.close();
if (LIGHTHOUSE !== "" && existsSync(LIGHTHOUSE)) {
  const judged: string[] = [];
  for (const path of PATHS) {
    const { row, missed } = await judge(`${node.url}${path}`, chrome);
    judged.push(`| \`${path}\` | ${row} |`);
    console.log(judged.at(-1), missed.join(", "));
  }
  writeSection(
    join(import.meta.dir, "..", "docs", "performance.md"),
    "## Pages",
    `
Written by \`./build.sh && LIGHTHOUSE=/path/to/lighthouse bun run bench:pages\`: a demo with its whole catalog,
Debian's Chromium. First paint: medians of ${LOADS} loads with nothing kept and nothing throttled (bar 300 ms);
bytes packed (bar 60 kB for \`/\`, 40 for a product).

| page | packed | first byte | first contentful paint |
| --- | --- | --- | --- |
${paints.join("\n")}

Lighthouse, its phone preset, throttled; medians of ${ROUNDS} runs (bar 98 in all four). A sandbox asks search
engines to keep out, so that one audit (\`is-crawlable\`) is skipped; a node that is none has no such line
(\`src/pages/pages.test.ts\`). ${busy}

| page | performance | accessibility | best practices | SEO | first paint | largest paint | blocking | shift |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${judged.join("\n")}
`,
  );
}
await cleanUp();
