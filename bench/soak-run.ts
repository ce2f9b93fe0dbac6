import { resolve } from "node:path";
import { loadConfigFile, secretsOf, sourceOf } from "../src/commands/load-config-file.ts";
import { systemTimers } from "../src/core/clock.ts";
import { createClockTimers } from "../src/jobs/clock-timers.ts";
import { startNode } from "../src/node/start-node.ts";
import { VERSION } from "../src/releases/version.ts";
import { createLog } from "../src/telemetry/log.ts";
import { openSharedClock } from "./soak-clock.ts";

/**
 * `bun bench/soak-run.ts CONFIG CLOCK_FILE`: the node of `intel-node run`, without a sandbox in its process, on a clock
 * that can be set. Its first line names its address and the operator's token. Each line it is sent is a time in ms
 * since 1970, and answered once it has lived until then, its jobs included.
 */
const [file = "", clock_file = ""] = process.argv.slice(2).map((path) => resolve(path));
const loaded = await loadConfigFile(file);
if ("faults" in loaded) throw new Error(loaded.faults);
const clock = openSharedClock(clock_file);
const job_timers = createClockTimers(clock, systemTimers);
const node = await startNode({
  config: loaded.config,
  plugins: loaded.plugins,
  data_dir: resolve(loaded.config.data.dir),
  version: VERSION,
  clock,
  job_timers,
  sandbox: null,
  source: sourceOf(file, loaded),
  log: createLog({ level: "info", format: "json", secrets: secretsOf(loaded) }),
});
await node.settled;
console.log(JSON.stringify({ url: node.url, operator_token: node.operator_token }));
for await (const line of console) {
  await job_timers.liveTo(Number(line));
  console.log(line);
}
