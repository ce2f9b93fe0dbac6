import { createPrivateKey } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createBuyer } from "../buyer/buyer.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import { loadDemoConfig } from "../commands/demo-config.ts";
import type { SettableClock } from "../core/clock.ts";
import { sha256Hex } from "../core/hash.ts";
import { keyFileOf } from "../files/identity-file.ts";
import { writeSecretFile } from "../files/secret-file.ts";
import type { JobTimers } from "../jobs/scheduler.ts";
import type { RunningNode } from "../node/parts.ts";
import { startNode } from "../node/start-node.ts";
import { createSandbox } from "../sandbox/index.ts";
import { simulators } from "../sandbox/simulators.gen.ts";
import { createLog } from "../telemetry/log.ts";
import { EXAMPLE_FILE } from "./example-files.ts";
import { trimExample } from "./trim-example.ts";

/**
 * `bun src/tools/examples.ts [PATH...]`: writes the examples of all products, or of those named, into
 * `example.gen.json` of their folders. A buyer in a sandbox, whose clock starts at a fixed moment, pays for the call
 * that the product names as its example; the trimmed answer is the example. This takes a minute, because the sandbox
 * first lives its past.
 */
const ROOT = join(import.meta.dir, "..", "..");
/** A Wednesday on which the markets of every domain are open, as they were the day before. */
const NOW_MS = Date.parse("2026-11-18T15:00:00Z");
const MINUTE_MS = 60_000;
const SEED = "examples";

/** Every run uses the same time and the same keys, so that two runs give the same examples. */
const BUYER_KEY = `0x${sha256Hex(`${SEED} buyer`)}`;
/** The PKCS#8 bytes before the 32 bytes of an Ed25519 key (RFC 8410). */
const ED25519_HEAD = "302e020100300506032b657004220420";

function writeNodeKey(data: string): void {
  const key = Buffer.from(ED25519_HEAD + sha256Hex(`${SEED} node`), "hex");
  const pem = createPrivateKey({ key, format: "der", type: "pkcs8" }).export({ type: "pkcs8", format: "pem" });
  writeSecretFile(keyFileOf(data), pem.toString());
}

/** Real time for each millisecond. */
const SLOWNESS = 1_000;

/**
 * A thousand times slower than a real clock, so that the result does not depend on the speed of the machine, while code
 * that waits for time to pass, such as a rate limit, still sees it pass.
 */
function createSlowClock(start_ms: number): SettableClock {
  let [at_ms, since_ms] = [start_ms, performance.now()];
  const now = () => at_ms + Math.floor((performance.now() - since_ms) / SLOWNESS);
  const set = (to_ms: number) => {
    [at_ms, since_ms] = [to_ms, performance.now()];
  };
  return { now, set, advance: (ms) => set(now() + ms) };
}

/** Runs jobs once, at the start, so that no tick of the machine's clock comes between two calls. */
const NO_MARKS: JobTimers = {
  start: () => ({ next: () => null, stop: () => undefined }),
  pause: () => new Promise(() => undefined),
};

/** Buys the example call of a product, as a buyer would. @throws Error for any answer other than data. */
async function buy(
  node: RunningNode,
  product: CatalogProduct,
  at_ms: number,
): Promise<{ as_of: string; data: unknown }> {
  const { example, usual_view } = product.definition;
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(example.params).map(([name, value]) => [name, String(value)])),
  );
  // An example shows all that the schema describes.
  if (usual_view === "brief") query.set("view", "full");
  const is_get = product.methods[0] === "GET";
  const call = (headers: Record<string, string>) =>
    is_get
      ? fetch(`${node.url}${product.path}?${query}`, { headers })
      : fetch(`${node.url}${product.path}`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(example.params),
        });
  const buyer = await createBuyer(() => at_ms, BUYER_KEY);
  const unpaid = await call({});
  await unpaid.arrayBuffer();
  const { header } = await buyer.sign(buyer.readChallenge(unpaid));
  const answer = await call({ "PAYMENT-SIGNATURE": header });
  // The sandbox listens on another port every time.
  const text = (await answer.text()).replaceAll(node.url, "https://node.example.com");
  if (answer.status !== 200) throw new Error(`${product.path}: ${answer.status} ${text.slice(0, 500)}`);
  const body = JSON.parse(text);
  // A raw answer has no envelope.
  return product.definition.form === undefined
    ? { as_of: body.as_of, data: body.data }
    : { as_of: new Date(at_ms).toISOString(), data: body };
}

/** A sandbox at the fixed moment, after it has lived its past. */
async function startSandbox(data: string) {
  const clock = createSlowClock(NOW_MS);
  writeNodeKey(data);
  const sandbox = await createSandbox({ seed: SEED, clock, simulators });
  const options = { config: undefined, plugins: undefined, port: 0, data };
  const loaded = await loadDemoConfig({ ...options, facilitator_url: sandbox.facilitatorUrl() });
  if ("faults" in loaded) throw new Error(loaded.faults);
  const node = await startNode({
    config: loaded.config,
    plugins: loaded.plugins,
    data_dir: data,
    clock,
    log: createLog({ level: "silent", format: "json", secrets: [] }),
    version: "0.0.0",
    sandbox: { world: sandbox, clock, live_data: false, seed_history: true, is_idle: false },
    job_timers: NO_MARKS,
  });
  await node.settled;
  // Whatever its jobs stored is older.
  const at_ms = NOW_MS + MINUTE_MS;
  return { node, sandbox, hold: () => clock.set(at_ms), at_ms };
}

const render = (made: object): string => `${JSON.stringify(made, null, 2)}\n`;

async function main(wanted: readonly string[]): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), "intel-node-examples-"));
  const { node, sandbox, hold, at_ms } = await startSandbox(data);
  const written: string[] = [];
  let failed = 0;
  try {
    for (const product of node.catalog.products) {
      const { file, definition } = product;
      if (definition.plan !== undefined || (wanted.length > 0 && !wanted.includes(product.path))) continue;
      // An answer must not depend on how long the others took.
      hold();
      try {
        const { as_of, data } = await buy(node, product, at_ms);
        const made = { as_of, data: trimExample(definition.data, data) };
        const place = join(ROOT, dirname(file), EXAMPLE_FILE);
        writeFileSync(place, render(made));
        written.push(place);
        console.log(`${product.path}: ${render(made).length} characters`);
      } catch (error) {
        failed += 1;
        console.error(String(error));
      }
    }
  } finally {
    await node.stop(() => undefined);
    await sandbox.stop();
    rmSync(data, { recursive: true, force: true });
  }
  // The same layout as every other JSON file.
  if (written.length > 0) Bun.spawnSync([join(ROOT, "node_modules/.bin/biome"), "format", "--write", ...written]);
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
