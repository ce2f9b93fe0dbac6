/**
 * `./build.sh && bun run record:order` writes into src/tools/start.order which functions a start of dist/intel-node
 * uses. build.sh puts these side by side in the binary, so that a start reads and holds fewer pages of it. Functions
 * that changed after the record are only placed elsewhere: make a new record when idle memory has grown.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep, systemTimers } from "../core/clock.ts";

const ROOT = join(import.meta.dir, "..", "..");
const WALLET = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
/** Requests that every node gets soon after its start. */
const PATHS = ["/healthz", "/", "/get-pricing", "/openapi.json", "/fear-greed"];
/** Long enough for the jobs of the start. */
const WORK_MS = 3_000;
/** The version, functions, modules and names; anything the start did not use is left out. */
const WANTED = /^(?:v\d|[FMN] )/;

/** The lines of a record that a build needs. */
const trimRecord = (text: string): string =>
  text
    .split("\n")
    .filter((line) => WANTED.test(line))
    .map((line) => `${line}\n`)
    .join("");

const folder = mkdtempSync(join(tmpdir(), "intel-node-order-"));
const config = join(folder, "node.toml");
const record = join(folder, "record");
writeFileSync(
  config,
  `[server]
port = 0
[data]
dir = ${JSON.stringify(join(folder, "data"))}
[wallets.base]
pay_to = "${WALLET}"
[[facilitators]]
kind = "remote"
url = "http://127.0.0.1:9"
`,
);
const child = Bun.spawn([join(ROOT, "dist", "intel-node"), "run", "--config", config], {
  stdio: ["ignore", "pipe", "ignore"],
  env: { ...process.env, BUN_BYTECODE_ORDER_OUT: record },
});
let shown = "";
const decoder = new TextDecoder();
for await (const chunk of child.stdout) {
  shown += decoder.decode(chunk);
  const [url] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(shown) ?? [];
  if (url === undefined) continue;
  for (const path of PATHS) await (await fetch(url + path)).arrayBuffer();
  break;
}
await sleep(systemTimers, WORK_MS);
child.kill("SIGTERM");
await child.exited;
const trimmed = trimRecord(readFileSync(record, "utf8"));
writeFileSync(join(ROOT, "src", "tools", "start.order"), trimmed);
rmSync(folder, { recursive: true, force: true });
console.log(`${trimmed.split("\n").length} lines`);
