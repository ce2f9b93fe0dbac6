import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CatalogProduct } from "../catalog/catalog.ts";
import { loadDemoConfig } from "../commands/demo-config.ts";
import { createSettableClock } from "../core/clock.ts";
import { createBuyer } from "../node/buyer.ts";
import type { RunningNode } from "../node/parts.ts";
import { startNode } from "../node/start-node.ts";
import { createSandbox } from "../sandbox/index.ts";
import { simulators } from "../sandbox/simulators.gen.ts";
import { createLog } from "../telemetry/log.ts";
import { EXAMPLE_FILE } from "./example-files.ts";
import { trimExample } from "./trim-example.ts";

/**
 * `bun src/tools/examples.ts [PATH...]`: writes the example of every product, or of those named, into
 * `example.gen.json` of its folder. A buyer in a sandbox whose clock stands at a fixed moment pays for the call that
 * the product names as its example; the answer, trimmed, is the example. Takes a minute: the sandbox lives its past.
 */
const ROOT = join(import.meta.dir, "..", "..");
/** A Wednesday on which the markets of every domain are open, and were the day before. */
const NOW_MS = Date.parse("2026-11-18T15:00:00Z");
const MINUTE_MS = 60_000;
const SEED = "examples";

/** A call as its example says, bought as a buyer would. @throws Error for any answer but data. */
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
  const buyer = await createBuyer(() => at_ms);
  const unpaid = await call({});
  await unpaid.arrayBuffer();
  const { header } = await buyer.sign(buyer.readChallenge(unpaid));
  const answer = await call({ "PAYMENT-SIGNATURE": header });
  // The sandbox listens at another port every time.
  const text = (await answer.text()).replaceAll(node.url, "https://node.example.com");
  if (answer.status !== 200) throw new Error(`${product.path}: ${answer.status} ${text.slice(0, 500)}`);
  const body = JSON.parse(text);
  // A raw answer has no envelope.
  return product.definition.form === undefined
    ? { as_of: body.as_of, data: body.data }
    : { as_of: new Date(at_ms).toISOString(), data: body };
}

/** A sandbox at the fixed moment, its past lived. */
async function startSandbox(data: string) {
  const clock = createSettableClock();
  clock.set(NOW_MS);
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
  });
  await node.settled;
  // Whatever its jobs stored is older.
  const at_ms = Math.ceil(clock.now() / MINUTE_MS) * MINUTE_MS;
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
      // An answer must not tell how long the others took.
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
  // As every other JSON file is laid out.
  if (written.length > 0) Bun.spawnSync([join(ROOT, "node_modules/.bin/biome"), "format", "--write", ...written]);
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
