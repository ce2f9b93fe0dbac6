import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toClientAvmSigner } from "@x402/avm";
import { ExactAvmScheme } from "@x402/avm/exact/client";
import { createStillClock } from "../../../../test/helpers/still-clock.ts";
import { algorandFamily } from "../../../payments/networks/algorand/index.ts";
import { networkById } from "../../../payments/networks/table.ts";
import { createSandbox, type Sandbox } from "../../index.ts";
import { type AlgorandTestTransfer, createAlgorandTestPayer, signAlgorandTransfer } from "../../test-payer-algorand.ts";
import { roundAt } from "./rounds.ts";

const network = networkById("algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe");
if (!network) throw new Error("not in the network table");
const FEE_PAYER = "RKEOHXLUBHYZL7KS3MWTZOS5OLFGOCN7DWKBEG7TOSEADNAPN5OOTUNSLE";
const SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
const NOW_MS = Date.UTC(2026, 0, 15);
const requirement = {
  scheme: "exact",
  network: "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe",
  amount: "10000",
  asset: network.asset,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { feePayer: FEE_PAYER },
} as const;

const clock = createStillClock(NOW_MS);
let sandbox: Sandbox;
let algod = "";
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "test", clock, simulators: [] });
  algod = sandbox.rpcUrl("algorand_testnet");
});
afterAll(() => sandbox.stop());

/** Signs with the unmodified official client. */
async function pay(seed: string) {
  const payer = await createAlgorandTestPayer(seed);
  const signer = toClientAvmSigner(Buffer.from(payer.secret).toString("base64"));
  const scheme = new ExactAvmScheme(signer, { algodUrl: algod });
  const { payload } = await scheme.createPaymentPayload(2, requirement);
  return { payer, payload };
}

async function call(
  door: "verify" | "settle",
  payload: unknown,
  asked: object = requirement,
  url = `${sandbox.facilitatorUrl()}/${door}`,
) {
  const body = {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: asked, payload },
    paymentRequirements: asked,
  };
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}

const ask = (payload: Record<string, unknown>, more: object = {}) =>
  algorandFamily.askChain({
    network,
    payload,
    amount: 10_000n,
    pay_to: SELLER,
    since_ms: clock.now(),
    rpc_urls: [algod],
    ...more,
  });

describe("a payment of the official client", () => {
  test("is verified, settled once, and found on the chain by the id computed from the signed group", async () => {
    clock.set(NOW_MS);
    const { payer, payload } = await pay("one");
    const signed = algorandFamily.identify({ network, payload, now_ms: clock.now() });
    algorandFamily.check({ requirement, payload, now_ms: clock.now(), fee_payers: [FEE_PAYER] });
    expect(await algorandFamily.checkSignature({ network, payload })).toBe("yes");
    expect(await ask(payload)).toEqual({ paid: false, final: false, reason: "not_landed_yet" });
    expect(await call("verify", payload)).toEqual({ isValid: true, payer: payer.address });
    const settled = await call("settle", payload);
    const transaction = signed.replay_key.split(":")[2] ?? "";
    expect(settled).toMatchObject({ success: true, transaction, payer: payer.address });
    expect(await ask(payload)).toEqual({ paid: true, transaction });
    expect(await call("settle", payload)).toMatchObject({
      success: false,
      errorReason: "invalid_exact_avm_simulation_failed",
    });
    expect(sandbox.readChain().balance(payer.address)).toBe("99990000");
    expect(sandbox.readChain().balance(SELLER)).toBe("10000");
    expect(sandbox.readChain().settlements).toBe(1);
  });

  test("that never lands is open until its last round, and finally unpaid after it", async () => {
    clock.set(NOW_MS);
    const { payload } = await pay("two");
    clock.set(NOW_MS + 10 * 2_800);
    expect(await ask(payload)).toEqual({ paid: false, final: false, reason: "not_landed_yet" });
    clock.set(NOW_MS + 15 * 2_800);
    expect(await ask(payload)).toEqual({ paid: false, final: true, reason: "expired_unused" });
    expect(await call("settle", payload)).toMatchObject({ errorReason: "invalid_exact_avm_simulation_failed" });
  });

  test("is found by a search of the blocks when it is too old for a look-up by id", async () => {
    clock.set(NOW_MS);
    const { payload } = await pay("three");
    const { payload: never } = await pay("four");
    expect(await call("settle", payload)).toMatchObject({ success: true });
    clock.set(NOW_MS + 2_000 * 2_800);
    expect(await ask(payload)).toMatchObject({ paid: true });
    expect(await ask(never)).toEqual({ paid: false, final: true, reason: "expired_unused" });
  });

  test("to another receiver does not count: the search is for our own terms", async () => {
    clock.set(NOW_MS);
    const { payer, payload } = await pay("five");
    await call("settle", payload);
    for (const terms of [{ amount: 9_999n }, { pay_to: payer.address }]) {
      const verdict = { paid: false, final: true, reason: "landed_without_paying_us" } as const;
      expect(await ask(payload, terms)).toEqual(verdict);
    }
  });
});

test("a chain that lags or cannot be reached makes no payment final", async () => {
  clock.set(NOW_MS);
  const { payload } = await pay("six");
  await call("settle", payload);
  const nowhere = `${sandbox.url}/nowhere`;
  await expect(ask(payload, { rpc_urls: [nowhere] })).rejects.toThrow();
  await expect(ask(payload, { rpc_urls: [] })).rejects.toThrow("no algod endpoint");
  expect(await ask(payload, { rpc_urls: [nowhere, algod] })).toMatchObject({ paid: true });
});

test("an account that opted out opts in again by a transfer to itself, as on the real network", async () => {
  clock.set(NOW_MS);
  const { default: algosdk } = await import("algosdk");
  const { address, secret } = await createAlgorandTestPayer("opts in again");
  const setAccount = async (state: string) => {
    const init = { method: "POST", body: JSON.stringify({ network: requirement.network, address, state }) };
    await sandbox.handleControl(new Request("http://localhost/__sandbox/account", init));
  };
  const check = () => algorandFamily.checkSeller?.({ network, pay_to: address, rpc_urls: [algod] });
  await setAccount("missing");
  expect(await check()).toContain("not opted in");
  const client = new algosdk.Algodv2("", algod, new URL(algod).port);
  const suggestedParams = { ...(await client.getTransactionParams().do()), fee: 1_000n, flatFee: true };
  const assetIndex = Number(network.asset);
  const transfer = { sender: address, receiver: address, amount: 0, assetIndex, suggestedParams };
  const optIn = algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject(transfer);
  await client.sendRawTransaction(optIn.signTxn(secret)).do();
  expect(await check()).toBeNull();
});

test("a restarted sandbox knows all balances and settlements", async () => {
  const persist_file = join(mkdtempSync(join(tmpdir(), "algorand-")), "chain.jsonl");
  clock.set(NOW_MS);
  const { payer, payload } = await pay("seven");
  const start = () => createSandbox({ seed: "test", clock, simulators: [], persist_file });
  const first = await start();
  const url = `${first.facilitatorUrl()}/settle`;
  expect(await call("settle", payload, requirement, url)).toMatchObject({ success: true });
  await first.stop();
  const second = await start();
  expect(second.readChain().balance(payer.address)).toBe("99990000");
  expect(second.readChain().settlements).toBe(1);
  const again = await call("settle", payload, requirement, `${second.facilitatorUrl()}/settle`);
  expect(again).toMatchObject({ success: false, errorReason: "invalid_exact_avm_simulation_failed" });
  await second.stop();
});

describe("the facilitator refuses", () => {
  const sign = async (seed: string, more: Partial<AlgorandTestTransfer>) =>
    signAlgorandTransfer(await createAlgorandTestPayer(seed), {
      genesis_hash: "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=",
      asset: BigInt(network.asset),
      to: SELLER,
      amount: 10_000n,
      first_round: roundAt(clock.now()),
      fee_payer: FEE_PAYER,
      ...more,
    });

  test.each<[string, Partial<AlgorandTestTransfer>]>([
    ["invalid_exact_avm_amount_mismatch", { amount: 9_999n }],
    ["invalid_exact_avm_receiver_mismatch", { to: FEE_PAYER }],
    ["invalid_exact_avm_asset_mismatch", { asset: 1n }],
    ["invalid_exact_avm_fee_too_high", { fee: 10_001n }],
    ["invalid_exact_avm_simulation_failed", { fee: 1_999n }],
    ["invalid_exact_avm_simulation_failed", { first_round: 1 }],
    ["invalid_exact_avm_simulation_failed", { genesis_id: "mainnet-v1.0" }],
    ["invalid_exact_avm_unsigned_non_facilitator", { unsigned: [1] }],
  ])("%s", async (invalidReason, more) => {
    clock.set(NOW_MS);
    expect(await call("verify", await sign("refused", more))).toMatchObject({ isValid: false, invalidReason });
  });

  test("more than the payer holds, and accepts exactly that", async () => {
    clock.set(NOW_MS);
    const asked = { ...requirement, amount: "100000001" };
    const payload = await sign("poor", { amount: 100_000_001n });
    const invalidReason = "invalid_exact_avm_simulation_failed";
    expect(await call("verify", payload, asked)).toMatchObject({ isValid: false, invalidReason });
    const whole = await sign("poor", { amount: 100_000_000n });
    expect(await call("settle", whole, { ...requirement, amount: "100000000" })).toMatchObject({ success: true });
  });

  test("input that is not a payment, with a reason of its own", async () => {
    expect(await call("verify", {})).toMatchObject({ isValid: false, invalidReason: "invalid_exact_avm_payload" });
    expect(await call("settle", { paymentGroup: [], paymentIndex: 0 })).toMatchObject({ success: false });
  });
});
