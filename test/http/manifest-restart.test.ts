import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load.ts";
import type { SettableClock } from "../../src/core/clock.ts";
import { startNode } from "../../src/node/start-node.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { WALLETS } from "../helpers/money-node.ts";
import { createStillClock } from "../helpers/still-clock.ts";

/** The manifest's date, over whole lives of a node on one data folder. */
const folders: string[] = [];
const sandboxes: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of sandboxes.splice(0)) await sandbox.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface World {
  readonly data: string;
  readonly clock: SettableClock;
  readonly sandbox: Sandbox;
}
async function createWorld(): Promise<World> {
  const data = mkdtempSync(join(tmpdir(), "manifest-restart-"));
  folders.push(data);
  const clock = createStillClock();
  const sandbox = await createSandbox({ seed: "test", clock, simulators: [] });
  sandboxes.push(sandbox);
  return { data, clock, sandbox };
}

const CONFIG = ({ data, sandbox }: World, price: string) => `
${Object.entries(WALLETS)
  .map(([name, pay_to]) => `[wallets.${name}]\npay_to = "${pay_to}"`)
  .join("\n")}
[node]
public_url = "https://node.example.com"
[server]
port = 0
[data]
dir = ${JSON.stringify(data)}
[[facilitators]]
kind = "sandbox"
url = "${sandbox.facilitatorUrl()}"
[plans.buy_credits]
price = "${price}"
`;

/** One life of a node: what its manifest says once it is up. */
async function live(world: World, price = "0.99"): Promise<{ text: string; date: number }> {
  const loaded = loadConfig({ text: CONFIG(world, price), file: "test", env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const { data: data_dir, clock, sandbox } = world;
  const node = await startNode({
    config: loaded.config,
    data_dir,
    clock,
    log: createLog({ level: "silent", format: "json", secrets: [] }),
    version: "0.0.0-test",
    sandbox: { world: sandbox, clock, live_data: false, seed_history: false },
    plugins: { plugins: [], known: [], faults: [] },
  });
  await node.settled;
  const text = await (await fetch(`${node.url}/.well-known/x402.json`)).text();
  await node.stop(() => undefined);
  return { text, date: JSON.parse(text).lastUpdated };
}

describe("the manifest of a node that is started again", () => {
  test("is the same to the byte, days later", async () => {
    const world = await createWorld();
    const before_s = Math.floor(world.clock.now() / 1000);
    const first = await live(world);
    expect(JSON.parse(first.text).node.chains).toHaveLength(3);
    expect(first.date).toBeGreaterThanOrEqual(before_s);
    world.clock.advance(3 * 86_400_000);
    expect(await live(world)).toEqual(first);
  });

  test("has a new date when a price is another, and keeps that one", async () => {
    const world = await createWorld();
    const first = await live(world);
    world.clock.advance(86_400_000);
    const second = await live(world, "1.99");
    expect(second.date).toBeGreaterThanOrEqual(first.date + 86_400);
    world.clock.advance(86_400_000);
    expect(await live(world, "1.99")).toEqual(second);
  });
});
