import { describe, expect, test } from "bun:test";
import type { PrivateKeyAccount } from "viem/accounts";
import { createStillClock } from "../../../../test/helpers/still-clock.ts";
import { createJournal } from "../../journal.ts";
import { createTestPayer, signTestTransfer, type TestTransfer } from "../../test-payer.ts";
import { createEvmChain } from "./index.ts";

type Hex = `0x${string}`;
const NETWORK = "eip155:84532";
const ASSET = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const NOW_S = 1_767_225_600;
const AMOUNT = 10_000n;
const payer = await createTestPayer("payer");

const TRANSFER: TestTransfer = {
  domain: { name: "USDC", version: "2", chainId: 84532 },
  asset: ASSET,
  to: SELLER,
  value: AMOUNT,
  valid_after_s: 0n,
  valid_before_s: BigInt(NOW_S + 300),
  nonce: `0x${"11".repeat(32)}`,
};
const REQUIREMENT = {
  scheme: "exact",
  network: NETWORK,
  amount: AMOUNT.toString(),
  asset: ASSET,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { name: "USDC", version: "2" },
};

const { amount: maxAmountRequired, ...rest } = REQUIREMENT;
const REQUIREMENT_V1 = { ...rest, network: "base-sepolia", maxAmountRequired };
const nonceOf = (number: number): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const createChain = () => createEvmChain({ clock: createStillClock(NOW_S * 1000), journal: createJournal(null) });
const wrap = (payload: unknown, accepted: object = REQUIREMENT) => ({ x402Version: 2, accepted, payload });
const sign = (changes: Partial<TestTransfer> = {}, account: PrivateKeyAccount = payer) =>
  signTestTransfer(account, { ...TRANSFER, ...changes });

/** The answer of verify. If it is a refusal, settle must refuse with the same reason and move nothing. */
async function judge(payload: unknown, requirement: object = REQUIREMENT): Promise<string> {
  const chain = createChain();
  const { isValid, invalidReason = "" } = await chain.verify(payload, requirement);
  const settled = await chain.settle(payload, requirement);
  expect([settled.success, settled.errorReason ?? ""]).toEqual([isValid, invalidReason]);
  expect(chain.settlements().length).toBe(isValid ? 1 : 0);
  expect(settled.transaction === "").toBe(!isValid);
  return isValid ? "valid" : invalidReason;
}

describe("a payment is valid", () => {
  test("as an official client signs it", async () => {
    expect(await judge(wrap(await sign()))).toBe("valid");
  });

  test("in version 1, by its short network name", async () => {
    const payment = { x402Version: 1, scheme: "exact", network: "base-sepolia", payload: await sign() };
    expect(await judge(payment, REQUIREMENT_V1)).toBe("valid");
    expect(await judge({ ...payment, accepted: null }, REQUIREMENT_V1)).toBe("valid");
  });

  test.each([
    ["from the second it begins", { valid_after_s: BigInt(NOW_S) }],
    ["until 6 seconds before it ends", { valid_before_s: BigInt(NOW_S + 6) }],
  ])("%s", async (_, changes) => {
    expect(await judge(wrap(await sign(changes)))).toBe("valid");
  });

  test("whatever the case of its addresses", async () => {
    const { signature, authorization } = await sign();
    const lower = { ...authorization, from: authorization.from.toLowerCase(), to: SELLER.toLowerCase() };
    expect(await judge(wrap({ signature, authorization: lower }))).toBe("valid");
  });

  test("to oneself, which moves nothing", async () => {
    const chain = createChain();
    const requirement = { ...REQUIREMENT, payTo: payer.address };
    const payment = wrap(await sign({ to: payer.address }), requirement);
    expect(await chain.settle(payment, requirement)).toMatchObject({ success: true });
    expect(chain.balances()).toEqual({ [payer.address.toLowerCase()]: "100000000" });
  });
});

describe("a payment is refused", () => {
  const signature = "invalid_exact_evm_signature";
  const value = "invalid_exact_evm_payload_authorization_value_mismatch";
  test.each([
    ["signed for another token name", signature, { domain: { ...TRANSFER.domain, name: "USD Coin" } }],
    ["signed for another token version", signature, { domain: { ...TRANSFER.domain, version: "1" } }],
    ["signed for another chain", signature, { domain: { ...TRANSFER.domain, chainId: 8453 } }],
    ["signed for another token", signature, { asset: SELLER as Hex }],
    ["of one unit too little", value, { value: AMOUNT - 1n }],
    ["of one unit too much", value, { value: AMOUNT + 1n }],
    ["to somebody else", "invalid_exact_evm_recipient_mismatch", { to: payer.address }],
    [
      "that has ended, or ends within 6 seconds",
      "invalid_exact_evm_payload_authorization_valid_before",
      { valid_before_s: BigInt(NOW_S + 5) },
    ],
    ["that has not begun", "invalid_exact_evm_payload_authorization_valid_after", { valid_after_s: BigInt(NOW_S + 1) }],
  ])("%s", async (_, reason, changes) => {
    expect(await judge(wrap(await sign(changes)))).toBe(reason);
  });

  test.each([
    ["value", "1"],
    ["to", payer.address],
    ["validBefore", String(NOW_S + 301)],
    ["nonce", `0x${"22".repeat(32)}`],
    ["from", SELLER],
  ])("whose %s was changed after it was signed", async (name, changed) => {
    const signed = await sign();
    const payload = { ...signed, authorization: { ...signed.authorization, [name]: changed } };
    expect(await judge(wrap(payload))).toBe("invalid_exact_evm_signature");
  });

  test("in the mirrored form of its signature, which the token refuses too", async () => {
    const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const signed = await sign();
    const s = (ORDER - BigInt(`0x${signed.signature.slice(66, 130)}`)).toString(16).padStart(64, "0");
    const v = signed.signature.endsWith("1b") ? "1c" : "1b";
    const mirrored = { ...signed, signature: `${signed.signature.slice(0, 66)}${s}${v}` };
    expect(await judge(wrap(mirrored))).toBe("invalid_exact_evm_signature");
  });

  test("with a recovery id of 0 or 1, which the token refuses too", async () => {
    const signed = await sign();
    const v = (Number.parseInt(signed.signature.slice(-2), 16) - 27).toString().padStart(2, "0");
    const bare = { ...signed, signature: signed.signature.slice(0, -2) + v };
    expect(await judge(wrap(bare))).toBe("invalid_exact_evm_signature");
  });

  test.each([
    ["of zeros", `0x${"00".repeat(65)}`],
    ["of 64 bytes", `0x${"11".repeat(64)}`],
    ["of 66 bytes", `0x${"11".repeat(66)}`],
  ])("with a signature %s", async (_, forged) => {
    expect(await judge(wrap({ ...(await sign()), signature: forged }))).toBe("invalid_exact_evm_signature");
  });

  test.each([
    ["with members nobody offered", (one: object) => ({ ...one, permit2Authorization: {} })],
    ["as Permit2", () => ({ signature: "0x11", permit2Authorization: { from: payer.address } })],
    ["without an authorization", () => ({ signature: "0x11" })],
    ["as nothing", () => ({})],
  ])("%s", async (_, change) => {
    expect(await judge(wrap(change(await sign())))).toBe("unsupported_payload_type");
  });

  test.each([
    ["scheme", "auth-capture", "unsupported_scheme"],
    ["network", "eip155:8453", "invalid_network"],
    ["extra", {}, "invalid_exact_evm_missing_eip712_domain"],
    ["extra", null, "invalid_exact_evm_missing_eip712_domain"],
    ["asset", 7, "invalid_payment_requirements"],
    ["asset", "0x12", "invalid_exact_evm_signature"],
  ])("for a requirement whose %s is %p", async (name, changed, reason) => {
    const requirement = { ...REQUIREMENT, [name]: changed };
    expect(await judge(wrap(await sign(), { scheme: "exact", network: NETWORK }), requirement)).toBe(reason);
  });

  test("for another network or scheme than the requirement's", async () => {
    const payment = wrap(await sign(), { scheme: "exact", network: "eip155:8453" });
    expect(await judge(payment)).toBe("invalid_exact_evm_network_mismatch");
    expect(await judge(wrap(await sign(), { scheme: "auth-capture", network: NETWORK }))).toBe("unsupported_scheme");
    const first = { x402Version: 1, scheme: "exact", network: "base-sepolia", payload: await sign() };
    expect(await judge({ ...first, network: "base" }, REQUIREMENT_V1)).toBe("invalid_exact_evm_network_mismatch");
    expect(await judge({ ...first, scheme: "auth-capture" }, REQUIREMENT_V1)).toBe("unsupported_scheme");
  });

  test("with the members of the other version", async () => {
    const payload = await sign();
    const first = { scheme: "exact", network: NETWORK, payload };
    expect(await judge({ x402Version: 2, ...first })).toBe("invalid_payload");
    expect(await judge({ x402Version: 2, ...first, accepted: null })).toBe("invalid_payload");
    expect(await judge({ x402Version: 1, accepted: first, payload })).toBe("invalid_payload");
  });

  test("for a requirement with a wrong domain of the token, even if it was signed for that domain", async () => {
    const domain = { ...TRANSFER.domain, name: "USD Coin" };
    const requirement = { ...REQUIREMENT, extra: { name: "USD Coin", version: "2" } };
    expect(await judge(wrap(await sign({ domain })), requirement)).toBe("invalid_exact_evm_token_name_mismatch");
    const elsewhere = { ...REQUIREMENT, asset: SELLER };
    expect(await judge(wrap(await sign({ asset: SELLER })), elsewhere)).toBe("asset_not_deployed_contract");
  });

  test("that is not a payment at all", async () => {
    expect(await judge({})).toBe("invalid_payload");
    expect(await judge(null)).toBe("invalid_payload");
    expect(await judge(wrap(await sign()), {})).toBe("invalid_payment_requirements");
  });
});

describe("the money", () => {
  test("moves once, however often a payment is settled", async () => {
    const chain = createChain();
    const payment = wrap(await sign());
    const first = await chain.settle(payment, REQUIREMENT);
    expect(first).toMatchObject({ success: true, network: NETWORK, payer: payer.address });
    expect(first.transaction).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await chain.settle(payment, REQUIREMENT)).toEqual({
      success: false,
      errorReason: "invalid_exact_evm_nonce_already_used",
      transaction: "",
      network: NETWORK,
      payer: payer.address,
    });
    expect(await chain.verify(payment, REQUIREMENT)).toMatchObject({
      isValid: false,
      invalidReason: "invalid_exact_evm_nonce_already_used",
    });
    const from = payer.address.toLowerCase();
    expect(chain.balances()).toEqual({ [from]: "99990000", [SELLER.toLowerCase()]: "10000" });
    expect(chain.settlements()).toEqual([
      {
        network: NETWORK,
        payer: from,
        pay_to: SELLER.toLowerCase(),
        amount_atomic: "10000",
        transaction: first.transaction,
        replay_key: `evm:84532:${ASSET.toLowerCase()}:${from}:${TRANSFER.nonce}`,
        at: new Date(NOW_S * 1000).toISOString(),
      },
    ]);
  });

  test("moves once when one payment is settled many times at once", async () => {
    const chain = createChain();
    const payment = wrap(await sign());
    const results = await Promise.all(Array.from({ length: 10 }, () => chain.settle(payment, REQUIREMENT)));
    expect(results.filter(({ success }) => success).length).toBe(1);
    expect(chain.settlements().length).toBe(1);
  });

  test("never goes below zero when more is settled at once than there is", async () => {
    const chain = createChain();
    chain.fund(payer.address, 3n * AMOUNT);
    const payments = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => wrap(await sign({ nonce: nonceOf(index) }))),
    );
    const results = await Promise.all(payments.map((payment) => chain.settle(payment, REQUIREMENT)));
    expect(results.filter(({ success }) => success).length).toBe(3);
    expect(new Set(results.map(({ errorReason }) => errorReason))).toEqual(
      new Set([undefined, "invalid_exact_evm_insufficient_balance"]),
    );
    expect(chain.balances()[payer.address.toLowerCase()]).toBe("0");
  });

  test("of a payer who holds less than the price does not move", async () => {
    const chain = createChain();
    chain.fund(payer.address, AMOUNT - 1n);
    const payment = wrap(await sign());
    const reason = "invalid_exact_evm_insufficient_balance";
    const verdict = await chain.verify(payment, REQUIREMENT);
    expect(verdict).toEqual({ isValid: false, invalidReason: reason, payer: payer.address });
    expect(await chain.settle(payment, REQUIREMENT)).toMatchObject({ success: false, errorReason: reason });
    chain.fund(payer.address, 1n);
    expect(await chain.settle(payment, REQUIREMENT)).toMatchObject({ success: true });
  });

  test("of a new payer is 100 USDC, or the first funding; further funding is added", async () => {
    const chain = createChain();
    await chain.settle(wrap(await sign()), REQUIREMENT);
    chain.fund(payer.address, 5n);
    chain.fund("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", 7n);
    expect(chain.balances()).toMatchObject({
      [payer.address.toLowerCase()]: "99990005",
      "0x70997970c51812dc3a010c7d01b50e0d17dc79c8": "7",
    });
  });

  test("is listed by address: 100 USDC for an unknown one, only what it received for a receiver", async () => {
    const chain = createChain();
    expect([chain.balanceOf(payer.address), chain.balanceOf(SELLER)]).toEqual([100_000_000n, 100_000_000n]);
    await chain.settle(wrap(await sign()), REQUIREMENT);
    expect([chain.balanceOf(payer.address), chain.balanceOf(SELLER)]).toEqual([99_990_000n, AMOUNT]);
    expect(chain.balanceOf("0x12")).toBeNull();
  });

  test("does not move when the chain is full, and no settlement is ever forgotten", async () => {
    const journal = createJournal(null);
    const chain = createEvmChain({ clock: createStillClock(NOW_S * 1000), journal, settlements_max: 2 });
    const settle = async (number: number) => chain.settle(wrap(await sign({ nonce: nonceOf(number) })), REQUIREMENT);
    expect([(await settle(1)).success, (await settle(2)).success]).toEqual([true, true]);
    const before = [chain.balances(), chain.settlements()];
    expect(await settle(3)).toMatchObject({
      success: false,
      errorReason: "invalid_exact_evm_transaction_failed",
      transaction: "",
    });
    expect([chain.balances(), chain.settlements()]).toEqual(before);
  });

  test("is never given to an invalid address", () => {
    expect(() => createChain().fund("0x12", 1n)).toThrow(RangeError);
  });
});
