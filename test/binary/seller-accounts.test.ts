import { afterAll, expect, test } from "bun:test";
import { createSettableClock } from "../../src/core/clock.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { BINARY, cleanUp } from "../helpers/demo-node.ts";
import { newNodeFolder, startRun, stopRuns } from "../helpers/run-node.ts";

const SOLANA = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const ALGORAND = "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe";
const SOLANA_SELLER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const ALGORAND_SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";

const sandbox = await createSandbox({ seed: "s", clock: createSettableClock(), simulators: [] });
afterAll(async () => {
  await stopRuns();
  await sandbox.stop();
  await cleanUp();
});
sandbox.introduce(SOLANA, SOLANA_SELLER);
const setAccount = async (network: string, address: string, state: string): Promise<void> => {
  const init = { method: "POST", body: JSON.stringify({ network, address, state }) };
  const answer = await sandbox.handleControl(new Request("http://localhost/__sandbox/account", init));
  expect(answer.status).toBe(200);
};
const newFolderWith = (rpc: boolean) =>
  newNodeFolder(
    [`url = "${sandbox.facilitatorUrl()}"`],
    `[wallets.solana]\npay_to = "${SOLANA_SELLER}"\n[wallets.algorand]\npay_to = "${ALGORAND_SELLER}"\n${
      rpc
        ? `[chains.solana_devnet]\nrpc = ["${sandbox.rpcUrl("solana_devnet")}"]\n` +
          `[chains.algorand_testnet]\nrpc = ["${sandbox.rpcUrl("algorand_testnet")}"]\n`
        : ""
    }`,
  );

async function check(config: string, ...more: string[]): Promise<{ code: number; out: string }> {
  const child = Bun.spawn([BINARY, "check", "--config", config, ...more], { stdio: ["ignore", "pipe", "pipe"] });
  return { out: await new Response(child.stdout).text(), code: await child.exited };
}

test("`check` says on which networks nobody could pay, and where it could not ask", async () => {
  await setAccount(SOLANA, SOLANA_SELLER, "missing");
  await setAccount(ALGORAND, ALGORAND_SELLER, "open");
  const { config } = newFolderWith(true);
  const shown = await check(config);
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/left out +solana:\S+ cannot be paid: .*does not exist/);
  expect(shown.out).not.toMatch(/(left out|unchecked) +algorand/);
  expect(JSON.parse((await check(config, "--json")).out).receives).toEqual([
    { network: "eip155:84532", can_be_paid: "yes" },
    { network: SOLANA, can_be_paid: "no", why: expect.stringContaining("does not exist") },
    { network: ALGORAND, can_be_paid: "yes" },
  ]);
  const offline = await check(newFolderWith(false).config);
  expect(offline.code).toBe(0);
  expect(offline.out).toMatch(/unchecked +solana:\S+ .*no RPC endpoint is configured/);
  expect(offline.out).toMatch(/unchecked +algorand:\S+ .*no algod endpoint is configured/);
});

test("`run` says it at start, in /live and /readyz, and sells on the other networks", async () => {
  await setAccount(SOLANA, SOLANA_SELLER, "open");
  await setAccount(ALGORAND, ALGORAND_SELLER, "missing");
  const node = await startRun(newFolderWith(true));
  expect(node.out()).toMatch(/Algorand testnet .*\n +LEFT OUT: .*not opted in/);
  expect(node.out().match(/LEFT OUT/g)).toHaveLength(1);
  const live = (await (await fetch(`${node.url()}/live`)).json()) as Record<string, unknown>;
  expect(live.networks_left_out).toEqual([{ network: ALGORAND, why: expect.stringContaining("not opted in") }]);
  expect(await (await fetch(`${node.url()}/readyz`)).text()).toContain("not opted in");
  expect(node.err()).toContain("seller_cannot_be_paid");
  node.signal("SIGTERM");
  expect(await node.exited()).toBe(0);
});

test("`run` without endpoints sells on all, and says that nobody looked", async () => {
  await setAccount(ALGORAND, ALGORAND_SELLER, "missing");
  const node = await startRun(newFolderWith(false));
  expect(node.out()).not.toContain("LEFT OUT");
  const live = (await (await fetch(`${node.url()}/live`)).json()) as Record<string, unknown>;
  expect(live.networks_left_out).toEqual([]);
  node.signal("SIGTERM");
  expect(await node.exited()).toBe(0);
  expect(node.err()).toContain("seller_not_checked");
});
