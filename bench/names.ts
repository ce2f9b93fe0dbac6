import { join } from "node:path";
import { createNameIndex } from "../src/names/name-index.ts";
import { measureFalseAlarms, measureRecall, RECALL_RULES } from "../test/helpers/name-recall.ts";
import { asWritten, makeSyntheticNames, mistype } from "../test/helpers/synthetic-names.ts";
import { writeSection } from "./report.ts";

/**
 * `bun run bench:names`: how long the name index takes to make and to ask with 65,000 names, and what it finds of a
 * made-up list. Nothing here is a test.
 */
const NAMES = 65_000;
const QUERIES = 2_000;

const names = makeSyntheticNames(NAMES);
const before = process.memoryUsage().rss;
const started = process.cpuUsage();
const index = createNameIndex(names.listed);
const building = process.cpuUsage(started);
const built_ms = (building.user + building.system) / 1_000;
Bun.gc(true);
const memory_mb = (process.memoryUsage().rss - before) / 1_048_576;

const listed = names.listed.slice(0, QUERIES / 2).map(({ name }) => mistype(asWritten(name), names.random));
const queries = [...listed, ...names.innocent.slice(0, QUERIES / 2)];
for (const query of queries.slice(0, 100)) index.find(query);
const times = queries
  .map((query) => {
    const before_query = process.cpuUsage();
    index.find(query);
    const { user, system } = process.cpuUsage(before_query);
    return (user + system) / 1_000;
  })
  .sort((a, b) => a - b);
const quantile = (share: number): string => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1);
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const rows = RECALL_RULES.map((rule) => {
  const { found, hits } = measureRecall(index, names, rule);
  return `| ${rule.rule} | ${rule.of} | ${percent(found)} | ${percent(hits)} |`;
});
const alarms = measureFalseAlarms(index, names);

const table = `| a listed name, written | of | found | as a hit |
| --- | --- | --- | --- |
${rows.join("\n")}

Of ${alarms.asked} innocent names ${alarms.hits} were a hit and ${alarms.possible} possible.`;

const count = NAMES.toLocaleString("en");
const timing = `Written by \`bun run bench:names\`: ${count} made-up names, ${queries.length} queries
of two to four words, half of them listed with a slip of the finger. All in
processor time, so that what else the machine does is not counted.

| what | measured |
| --- | --- |
| making the index | ${built_ms.toFixed(0)} ms, ${memory_mb.toFixed(0)} MB |
| a query, p50 (bar 10 ms) | ${quantile(0.5)} ms |
| a query, p99 (bar 25 ms) | ${quantile(0.99)} ms |`;

const root = join(import.meta.dir, "..");
writeSection(join(root, "docs", "performance.md"), "## Names of lists", timing);
const readme = join(root, "src", "names", "README.md");
writeSection(readme, "## Measured", table);
// The formatter sets tables in src as it wants them.
Bun.spawnSync([join(root, "node_modules", ".bin", "biome"), "format", "--write", readme]);
process.stdout.write(`${timing}\n\n${table}\n`);
