import { afterAll, expect, test } from "bun:test";
import { settleInSandbox } from "../../../../test/helpers/sandbox-settle.ts";
import { createStillClock } from "../../../../test/helpers/still-clock.ts";
import { listEvmIncoming } from "../../../payments/networks/evm/list-incoming.ts";
import { networkById } from "../../../payments/networks/table.ts";
import { createSandbox } from "../../index.ts";
import { createTestPayer, signTestTransfer } from "../../test-payer.ts";

const NETWORK = "eip155:84532";
const ASSET = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const HOUR_MS = 3_600_000;

const clock = createStillClock(Date.UTC(2026, 0, 15));
const sandbox = await createSandbox({ seed: "s", clock, simulators: [] });
afterAll(() => sandbox.stop());
const payer = await createTestPayer("list incoming");
const network = networkById(NETWORK);
if (!network) throw new Error("not in the network table");

let payments = 0;
async function pay(to: `0x${string}`, amount: bigint): Promise<string> {
  payments += 1;
  const payload = await signTestTransfer(payer, {
    domain: { name: "USDC", version: "2", chainId: 84532 },
    asset: ASSET,
    to,
    value: amount,
    valid_after_s: 0n,
    valid_before_s: BigInt(Math.floor(clock.now() / 1000) + 300),
    nonce: `0x${payments.toString(16).padStart(64, "0")}`,
  });
  const settled = { network: NETWORK, asset: ASSET, pay_to: to, amount, extra: { name: "USDC", version: "2" } };
  return settleInSandbox(sandbox.facilitatorUrl(), payload, settled);
}
const list = (from_ms: number, until_ms: number) =>
  listEvmIncoming({
    network,
    pay_to: SELLER,
    from_ms,
    until_ms,
    isKnown: () => false,
    rpc_urls: [sandbox.rpcUrl("base_sepolia")],
  });

test("every transfer to the address in the period is listed, with payer, amount and time", async () => {
  const start_ms = clock.now();
  const first = await pay(SELLER, 10_000n);
  await pay(OTHER, 20_000n);
  // More blocks than an endpoint searches at once.
  clock.advance(3 * HOUR_MS);
  const second = await pay(SELLER, 30_000n);
  const second_ms = clock.now();
  clock.advance(HOUR_MS);
  await pay(SELLER, 40_000n);

  const found = await list(start_ms - 10_000, second_ms + 10_000);
  expect(found.map(({ transaction, from, amount }) => ({ transaction, from, amount }))).toEqual([
    { transaction: first, from: payer.address.toLowerCase(), amount: 10_000n },
    { transaction: second, from: payer.address.toLowerCase(), amount: 30_000n },
  ]);
  const [, { at_ms = 0 } = {}] = found;
  expect(Math.abs(at_ms - second_ms)).toBeLessThanOrEqual(2_000);
  expect(await list(start_ms + HOUR_MS, start_ms + 2 * HOUR_MS)).toEqual([]);
});

test("blocks that a stranger filled with dust are read in halves, and transfers of 0 are left out", async () => {
  clock.advance(HOUR_MS);
  const start_ms = clock.now();
  const sums = [50_000n, 1n, 0n, 60_000n];
  for (const amount of sums) {
    await pay(SELLER, amount);
    clock.advance(60_000);
  }
  const url = sandbox.rpcUrl("base_sepolia");
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const answer = (await (await fetch(url, { method: "POST", body })).json()) as { result: unknown };
      const is_much = Array.isArray(answer.result) && answer.result.length > 1;
      const error = { code: -32_005, message: "query returned more than 1 results" };
      return Response.json(is_much ? { jsonrpc: "2.0", id: 1, error } : answer);
    },
  });
  try {
    const question = { network, pay_to: SELLER, from_ms: start_ms - 10_000, until_ms: clock.now() };
    const rpc_urls = [`http://127.0.0.1:${server.port}`];
    const found = await listEvmIncoming({ ...question, isKnown: () => false, rpc_urls });
    expect(found.map(({ amount }) => amount)).toEqual([50_000n, 1n, 60_000n]);
  } finally {
    await server.stop(true);
  }
});
