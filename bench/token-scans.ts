import { join } from "node:path";
import { Cron } from "croner";
import { registry } from "../src/plugins/registry.gen.ts";
import { createSimulatedNode } from "../test/helpers/simulated-node.ts";
import { writeSection } from "./report.ts";

/**
 * `bun run bench:scans`: a day of the token desk's jobs, minute by minute, on simulated upstreams: what they cost in
 * time of one core (the upstreams' own time included, so less in truth) and how often they call whom; writes its
 * section of docs/performance.md. Nothing here is a test.
 */
const START_MS = Date.UTC(2026, 9, 1);
const MINUTE_MS = 60_000;
const MINUTES = 1_440;
const CORE_SHARE_MAX = 0.05;

const jobs = registry.filter(({ id }) => id === "tokens").flatMap((plugin) => plugin.jobs);
const providers = new Map(jobs.flatMap((job) => job.providers.map((provider) => [provider.id, provider] as const)));
const crons = jobs.map(({ schedule }) => new Cron(schedule, { timezone: "UTC", paused: true }));
const isDue = (index: number, at_ms: number): boolean =>
  crons[index]?.nextRun(new Date(at_ms - 1_000))?.getTime() === at_ms;

const node = createSimulatedNode({ now_ms: START_MS });
const callsOf = (id: string): number => node.upstreams.status()[id]?.calls ?? 0;
const busiest = new Map<string, number>();
const spent = new Map<string, { runs: number; cpu_ms: number; failed: number }>();
for (let minute = 0; minute < MINUTES; minute += 1) {
  const at_ms = START_MS + minute * MINUTE_MS;
  node.clock.set(at_ms);
  const before = new Map([...providers.keys()].map((id) => [id, callsOf(id)]));
  for (const [index, job] of jobs.entries()) {
    if (!isDue(index, at_ms)) continue;
    const { user, system } = process.cpuUsage();
    const sum = spent.get(job.id) ?? { runs: 0, cpu_ms: 0, failed: 0 };
    await job.run(node.createContext()).catch(() => {
      sum.failed += 1;
    });
    const used = process.cpuUsage();
    sum.cpu_ms += (used.user + used.system - user - system) / 1000;
    sum.runs += 1;
    spent.set(job.id, sum);
  }
  for (const [id, calls] of before) busiest.set(id, Math.max(busiest.get(id) ?? 0, callsOf(id) - calls));
}

const cpu_ms = [...spent.values()].reduce((sum, one) => sum + one.cpu_ms, 0);
const share = cpu_ms / (MINUTES * MINUTE_MS);
const percent = (part: number): string => `${(part * 100).toFixed(2)} %`;
const of_jobs = [...spent].map(
  ([id, one]) => `| \`${id}\` | ${one.runs} | ${one.failed} | ${(one.cpu_ms / one.runs).toFixed(1)} |`,
);
const of_providers = [...providers.values()].map(({ id, limits }) => {
  const { day } = limits.quotas ?? {};
  const per_minute = limits.rate_per_s * 60;
  const held = (busiest.get(id) ?? 0) <= per_minute && (day === undefined || callsOf(id) <= day);
  const cells = [`\`${id}\``, callsOf(id), day ?? "none", busiest.get(id), per_minute, held ? "held" : "**missed**"];
  return `| ${cells.join(" | ")} |`;
});
const text = `Written by \`bun run bench:scans\`: the token desk's jobs over 24 simulated hours. Together they take
${percent(share)} of a core, the simulated upstreams included (bar ${percent(CORE_SHARE_MAX)}:
${share <= CORE_SHARE_MAX ? "held" : "**missed**"}).

| job | runs | failed | CPU ms a run |
| --- | --- | --- | --- |
${of_jobs.join("\n")}

| provider | calls a day | quota a day | busiest minute | may be a minute | |
| --- | --- | --- | --- | --- | --- |
${of_providers.join("\n")}`;
node.close();
writeSection(join(import.meta.dir, "..", "docs", "performance.md"), "## A day of scans", text);
process.stdout.write(`${text}\n`);
