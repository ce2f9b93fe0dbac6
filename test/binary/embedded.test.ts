import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Anvil, explainNoAnvil, hasAnvil, startAnvil } from "../helpers/anvil.ts";
import { newBuyer, pay } from "../helpers/anvil-world.ts";
import { BINARY, cleanUp, newFolder } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import { localPlugin, type NodeFolder, newNodeFolder, startRun, startUpstream, stopRuns } from "../helpers/run-node.ts";

/** The compiled binary with a facilitator of its own: the key is kept, the libraries are in the binary. */
const KEY = "7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6";
const NETWORK = "eip155:8453";
const upstream = startUpstream();
let anvil: Anvil | null = null;
beforeAll(async () => {
  if (hasAnvil()) anvil = await startAnvil();
});
afterEach(stopRuns);
afterAll(async () => {
  await stopRuns();
  await anvil?.stop();
  await upstream.stop();
  await cleanUp();
});
explainNoAnvil();

/** A folder with a node that settles by itself, the key in a file. */
function newFolderWith(
  rpc: string,
  { more = "", mode = 0o600, text = `0x${KEY}\n` } = {},
): NodeFolder & { key: string } {
  const where = newNodeFolder([], "", localPlugin(upstream.url));
  const key = join(newFolder(), "gas.key");
  writeFileSync(key, text);
  chmodSync(key, mode);
  const kind = `kind = "embedded"\nnetworks = ["${NETWORK}"]`;
  const table = `[[facilitators]]\n${kind}\ngas_key_file = ${JSON.stringify(key)}\n`;
  const config = readFileSync(where.config, "utf8").replace("testnet = true\n", "");
  writeFileSync(where.config, `${table}${more}\n[chains.base]\nrpc = ["${rpc}"]\n${config}`);
  return { ...where, key };
}

async function runOnce(args: readonly string[]) {
  const child = Bun.spawn([BINARY, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
}

describe.skipIf(!hasAnvil())("a node that settles by itself", () => {
  test("sells, and its gas key is in no output, no answer and no file but its own", async () => {
    const chain = anvil as Anvil;
    const where = newFolderWith(chain.url, { more: 'gas_cap_per_hour = "1"' });
    const account = (await import("viem/accounts")).privateKeyToAccount(`0x${KEY}`);
    await chain.fund(account.address, 10n ** 18n);
    const node = await startRun(where);
    const url = `${node.url()}/local`;
    await until(async () => (await fetch(url)).status === 402, "an offer");
    const buyer = await newBuyer(chain);
    expect((await pay(buyer)(url)).status).toBe(200);
    const [transfer] = await chain.transfers(buyer.address, "0x90F79bf6EB2c4f870365E785982E1f101E93b906");
    expect(transfer?.args.value).toBe(1_000n);

    const live = await (await fetch(`${node.url()}/live`)).text();
    const shown = await runOnce(["config", "show", "--config", where.config]);
    const checked = await runOnce(["check", "--config", where.config]);
    node.signal("SIGTERM");
    expect(await node.exited()).toBe(0);
    const files = readdirSync(where.data).map((name) => readFileSync(join(where.data, name), "latin1"));
    const seen = [live, shown.out, shown.err, checked.out, checked.err, node.out(), node.err(), ...files].join("\n");
    expect(seen).toContain("embedded:eip155:8453");
    expect(seen.toLowerCase()).not.toContain(KEY);
  });

  test("keeps its cap over a kill", async () => {
    const chain = anvil as Anvil;
    const where = newFolderWith(chain.url, { more: 'gas_cap_per_hour = "0.0004"' });
    const account = (await import("viem/accounts")).privateKeyToAccount(`0x${KEY}`);
    await chain.fund(account.address, 10n ** 18n);
    const sell = async (): Promise<number> => {
      const node = await startRun(where);
      const url = `${node.url()}/local`;
      let sold = 0;
      for (; sold < 20; sold++) {
        await chain.setBaseFee(10n ** 9n);
        if ((await pay(await newBuyer(chain))(url)).status !== 200) break;
      }
      await node.kill();
      return sold;
    };
    await chain.setBaseFee(10n ** 9n);
    await chain.mine();
    expect(await sell()).toBeLessThan(20);
    expect(await sell()).toBe(0);
  });
});

describe("a gas key that cannot be used stops the start, and is not shown", () => {
  const KEYLESS = "[[facilitators]]";
  test.each<[what: string, given: { mode?: number; text?: string }, says: string]>([
    ["others may read", { mode: 0o640 }, "chmod 600"],
    ["everybody may read", { mode: 0o604 }, "chmod 600"],
    ["is empty", { text: "\n" }, "gas_key_file is empty"],
    ["is of another chain", { text: `[${Array(64).fill(7).join(",")}]` }, "64 hex digits"],
    ["is too short", { text: KEY.slice(2) }, "64 hex digits"],
    ["is too long", { text: KEY.repeat(100) }, "too long"],
  ])("in a file that %s", async (_what, given, says) => {
    const { config } = newFolderWith("http://127.0.0.1:1", given);
    for (const command of ["run", "check"]) {
      const { out, err, code } = await runOnce([command, "--config", config]);
      expect(code).toBe(2);
      expect(err).toContain(says);
      expect(`${out}${err}`).not.toContain(KEY.slice(2, 40));
      expect(err).not.toContain(KEYLESS);
    }
  });

  test("in a variable that is not set, or beside a file", async () => {
    const { config } = newFolderWith("http://127.0.0.1:1");
    const text = readFileSync(config, "utf8");
    writeFileSync(config, text.replace(/gas_key_file = .*\n/, 'gas_key_env = "NOT_SET_ANYWHERE"\n'));
    const unset = await runOnce(["run", "--config", config]);
    expect(unset).toMatchObject({ code: 2, err: expect.stringContaining("NOT_SET_ANYWHERE is not set") });
    writeFileSync(config, text.replace("gas_key_file", 'gas_key_env = "NOT_SET_ANYWHERE"\ngas_key_file'));
    const both = await runOnce(["run", "--config", config]);
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('either "gas_key_env" or "gas_key_file"') });
  });
});

test("an endpoint that is down does not keep the node from starting", async () => {
  const node = await startRun(newFolderWith("http://127.0.0.1:1"));
  expect((await fetch(`${node.url()}/healthz`)).status).toBe(200);
  expect((await fetch(`${node.url()}/local`)).status).toBe(503);
});
