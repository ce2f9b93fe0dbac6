import { afterAll, describe, expect, test } from "bun:test";
import { settleInSandbox } from "../../../../test/helpers/sandbox-settle.ts";
import { createStillClock } from "../../../../test/helpers/still-clock.ts";
import { askEvmChain } from "../../../payments/networks/evm/ask-chain.ts";
import { networkById } from "../../../payments/networks/table.ts";
import { createSandbox } from "../../index.ts";
import { createTestPayer, signTestTransfer } from "../../test-payer.ts";

const NOW_MS = Date.UTC(2026, 0, 15);
const NETWORK = "eip155:84532";
const ASSET = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const VALID_S = 300;

const clock = createStillClock(NOW_MS);
const sandbox = await createSandbox({ seed: "s", clock, simulators: [] });
afterAll(() => sandbox.stop());
const payer = await createTestPayer("ask chain");
const network = networkById(NETWORK);
if (!network) throw new Error("not in the network table");

let payments = 0;
/** A new payment for each test, valid for 5 minutes of the sandbox clock. */
async function sign() {
  payments += 1;
  return signTestTransfer(payer, {
    domain: { name: "USDC", version: "2", chainId: 84532 },
    asset: ASSET,
    to: SELLER,
    value: 10_000n,
    valid_after_s: 0n,
    valid_before_s: BigInt(Math.floor(clock.now() / 1000) + VALID_S),
    nonce: `0x${payments.toString(16).padStart(64, "0")}`,
  });
}

const settle = (payload: unknown): Promise<string> =>
  settleInSandbox(sandbox.facilitatorUrl(), payload, {
    network: NETWORK,
    asset: ASSET,
    pay_to: SELLER,
    amount: 10_000n,
    extra: { name: "USDC", version: "2" },
  });

type Question = Parameters<typeof askEvmChain>[0];
const ask = (payload: Question["payload"], changes: Partial<Question> = {}) =>
  askEvmChain({
    network,
    payload,
    amount: 10_000n,
    pay_to: SELLER,
    since_ms: clock.now(),
    rpc_urls: [sandbox.rpcUrl("base_sepolia")],
    ...changes,
  });

describe("the node's own reader of the chain reports about a payment", () => {
  test("that it was settled, with the transaction", async () => {
    const payload = await sign();
    const transaction = await settle(payload);
    expect(await ask(payload)).toEqual({ paid: true, transaction });
  });

  test("that it was settled, even long after and among others", async () => {
    const payload = await sign();
    const since_ms = clock.now();
    await settle(await sign());
    const transaction = await settle(payload);
    await settle(await sign());
    clock.advance(3_600_000);
    expect(await ask(payload, { since_ms })).toEqual({ paid: true, transaction });
  });

  test("that it is unused, which may still change", async () => {
    expect(await ask(await sign())).toEqual({ paid: false, final: false, reason: "not_used_yet" });
  });

  test("that it ended unused only when the chain is well past its end", async () => {
    const payload = await sign();
    clock.advance(VALID_S * 1000);
    expect(await ask(payload)).toMatchObject({ paid: false, final: false });
    clock.advance(60_000);
    expect(await ask(payload)).toEqual({ paid: false, final: true, reason: "expired_unused" });
  });

  test("that it paid somebody else, or another amount", async () => {
    const payload = await sign();
    await settle(payload);
    const verdict = { paid: false as const, final: true, reason: "used_without_paying_us" };
    expect(await ask(payload, { pay_to: OTHER })).toEqual(verdict);
    expect(await ask(payload, { amount: 9_999n })).toEqual(verdict);
  });

  test("through a second endpoint when the first one does not work", async () => {
    const payload = await sign();
    const transaction = await settle(payload);
    const rpc_urls = [`${sandbox.url}/nowhere`, sandbox.rpcUrl("base_sepolia")];
    expect(await ask(payload, { rpc_urls })).toEqual({ paid: true, transaction });
    await expect(ask(payload, { rpc_urls: rpc_urls.slice(0, 1) })).rejects.toThrow();
  });
});
