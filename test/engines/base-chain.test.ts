import { afterAll, describe, expect, test } from "bun:test";
import { type Address, type Hex, serializeErc6492Signature } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { askEvmChain } from "../../src/payments/networks/evm/ask-chain.ts";
import { askEvmSignature } from "../../src/payments/networks/evm/ask-signature.ts";
import { TRANSFER_WITH_AUTHORIZATION, usdcDomain } from "../../src/payments/networks/evm/check-signature.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { checkExact } from "../../src/sandbox/chains/evm/check.ts";
import { type Anvil, explainNoAnvil, hasAnvil, startAnvil } from "../helpers/anvil.ts";
import { startEvmFacilitator } from "../helpers/anvil-facilitator.ts";
import { cancel, NETWORK, newBuyer, split, submit, type Whole, walletOf } from "../helpers/anvil-world.ts";

/** What the real chain says of payments, and whether the sandbox says what the official facilitator says. */
const BASE = networkById(NETWORK) as NonNullable<ReturnType<typeof networkById>>;
const SELLER: Address = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const PRICE = 10_000n;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

explainNoAnvil();
const starting = hasAnvil() ? startAnvil() : null;
const chain = async (): Promise<Anvil> => {
  if (!starting) throw new Error("no Anvil");
  return starting;
};
const started: { stop(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(started.map((facilitator) => facilitator.stop()));
  await (await starting)?.stop();
});

const REQUIREMENT = {
  scheme: "exact",
  network: NETWORK,
  amount: PRICE.toString(),
  asset: BASE.asset,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { name: "USD Coin", version: "2" },
} as const;

interface Terms {
  readonly to?: Address;
  readonly value?: bigint;
  readonly valid_after?: bigint;
  readonly valid_before?: bigint;
  readonly nonce?: Hex;
  readonly name?: string;
}

const nowOf = async (anvil: Anvil): Promise<bigint> => (await anvil.reader.getBlock()).timestamp;
const newNonce = (): Hex => `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`;

async function signTerms(anvil: Anvil, buyer: PrivateKeyAccount, terms: Terms = {}): Promise<Whole> {
  const { to = SELLER, value = PRICE, valid_after: validAfter = 0n, nonce = newNonce(), name } = terms;
  const validBefore = terms.valid_before ?? (await nowOf(anvil)) + 300n;
  const message = { from: buyer.address, to, value, validAfter, validBefore, nonce };
  const domain = usdcDomain(BASE);
  const signature = await buyer.signTypedData({
    domain: { ...domain, name: name ?? domain.name },
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: "TransferWithAuthorization",
    message,
  });
  const [amount, after, before] = [value, validAfter, validBefore].map(String) as [string, string, string];
  const authorization = { from: buyer.address, to, value: amount, validAfter: after, validBefore: before, nonce };
  return { accepted: { ...REQUIREMENT }, payload: { signature, authorization } };
}

describe.skipIf(!hasAnvil())("a contract wallet is asked by our own endpoint whether it signed", () => {
  const ask = async (payload: Readonly<Record<string, unknown>>) =>
    askEvmSignature({ network: BASE, payload, rpc_urls: [(await chain()).url] });
  /** One authorization in a wallet's name, signed by one owner for it. */
  const signAs = async (address: Address, owner: PrivateKeyAccount, wrap?: (inner: Hex) => Hex) => {
    const { from: _from, ...rest } = (await signTerms(await chain(), owner)).payload.authorization;
    const numbers = { value: PRICE, validAfter: BigInt(rest.validAfter), validBefore: BigInt(rest.validBefore) };
    const signature = await walletOf(address, owner, wrap).signTypedData({
      domain: usdcDomain(BASE),
      types: TRANSFER_WITH_AUTHORIZATION,
      primaryType: "TransferWithAuthorization",
      message: { from: address, to: rest.to, nonce: rest.nonce, ...numbers },
    });
    return { signature, authorization: { from: address, ...rest } };
  };

  test("it says yes to its owner's signature and no to a stranger's", async () => {
    const anvil = await chain();
    const [owner, stranger] = [await newBuyer(anvil), await newBuyer(anvil)];
    const address = await anvil.deploy("TestWallet", [owner.address]);
    expect(await ask(await signAs(address, owner))).toBe(true);
    expect(await ask(await signAs(address, stranger))).toBe(false);
    const changed = await signAs(address, owner);
    expect(await ask({ ...changed, authorization: { ...changed.authorization, value: "10001" } })).toBe(false);
  });

  test("an account without code signs with its own key or not at all, one not there yet tells nothing", async () => {
    const anvil = await chain();
    const [owner, other] = [await newBuyer(anvil), await newBuyer(anvil)];
    expect(await ask((await signTerms(anvil, owner)).payload)).toBe(true);
    const { signature, authorization } = (await signTerms(anvil, owner)).payload;
    expect(await ask({ signature, authorization: { ...authorization, from: other.address } })).toBe(false);
    const wrap = (inner: Hex): Hex =>
      serializeErc6492Signature({ address: SELLER, data: "0xabcdef", signature: inner });
    expect(await ask(await signAs(`0x${"77".repeat(20)}`, owner, wrap))).toBeNull();
  });
});

describe.skipIf(!hasAnvil())("the chain is asked what came of a payment", () => {
  const ask = async (anvil: Anvil, { payload }: Whole, hint_transaction?: string) =>
    askEvmChain({
      network: BASE,
      payload,
      amount: PRICE,
      pay_to: SELLER,
      since_ms: Number(await nowOf(anvil)) * 1000,
      hint_transaction,
      rpc_urls: [anvil.url],
    });

  test("taken: paid, by any sender, with and without a named transaction", async () => {
    const anvil = await chain();
    const whole = await signTerms(anvil, await newBuyer(anvil));
    const transaction = await submit(anvil, whole);
    expect(await ask(anvil, whole)).toEqual({ paid: true, transaction });
    expect(await ask(anvil, whole, transaction)).toEqual({ paid: true, transaction });
    expect(await ask(anvil, whole, `0x${"e".repeat(64)}`)).toEqual({ paid: true, transaction });
  });

  test("another payment's transaction, of the same payer, amount and seller, proves nothing", async () => {
    const anvil = await chain();
    const buyer = await newBuyer(anvil);
    const [one, other] = [await signTerms(anvil, buyer), await signTerms(anvil, buyer)];
    const transaction = await submit(anvil, one);
    expect(await ask(anvil, other, transaction)).toEqual({ paid: false, final: false, reason: "not_used_yet" });
  });

  test("canceled: never charged", async () => {
    const anvil = await chain();
    const buyer = await newBuyer(anvil);
    const whole = await signTerms(anvil, buyer);
    await cancel(anvil, buyer, whole.payload.authorization.nonce);
    expect(await ask(anvil, whole)).toEqual({ paid: false, final: true, reason: "canceled_by_payer" });
  });

  test("used up by a transfer to somebody else, or of another amount: never charged", async () => {
    const anvil = await chain();
    const buyer = await newBuyer(anvil);
    for (const terms of [{ to: buyer.address }, { value: PRICE - 1n }]) {
      const whole = await signTerms(anvil, buyer);
      const { nonce } = whole.payload.authorization;
      const transaction = await submit(anvil, await signTerms(anvil, buyer, { ...terms, nonce }));
      const verdict = { paid: false, final: true, reason: "used_without_paying_us" } as const;
      expect(await ask(anvil, whole)).toEqual(verdict);
      expect(await ask(anvil, whole, transaction)).toEqual(verdict);
    }
  });

  test("sent, and failed: not charged yet, as long as it can still be sent again", async () => {
    const anvil = await chain();
    const whole = await signTerms(anvil, await newBuyer(anvil, PRICE - 1n));
    await expect(submit(anvil, whole)).rejects.toThrow("transfer amount exceeds balance");
    expect(await ask(anvil, whole)).toEqual({ paid: false, final: false, reason: "not_used_yet" });
  });

  test("unused: open until it has expired on the chain's own clock, then never charged", async () => {
    const anvil = await chain();
    const whole = await signTerms(anvil, await newBuyer(anvil));
    const before = Number(whole.payload.authorization.validBefore) - Number(await nowOf(anvil));
    const since_ms = Number(await nowOf(anvil)) * 1000;
    const look = () =>
      askEvmChain({
        network: BASE,
        payload: whole.payload,
        amount: PRICE,
        pay_to: SELLER,
        since_ms,
        rpc_urls: [anvil.url],
      });
    expect(await look()).toMatchObject({ final: false });
    const snapshot = await anvil.snapshot();
    await anvil.pass(before + 10);
    expect(await look()).toMatchObject({ final: false });
    await anvil.pass(60);
    expect(await look()).toEqual({ paid: false, final: true, reason: "expired_unused" });
    await anvil.revert(snapshot);
  });
});

describe.skipIf(!hasAnvil())("the sandbox refuses a faulty payment in the official facilitator's words", () => {
  interface Case {
    readonly terms?: Terms;
    readonly requirement?: object;
    readonly balance?: bigint;
    readonly change?: (whole: Whole) => Whole;
    /** Done before it is verified. */
    readonly prepare?: (anvil: Anvil, whole: Whole, buyer: PrivateKeyAccount) => Promise<unknown>;
  }
  const withSignature = (render: (parts: ReturnType<typeof split>) => string) => (whole: Whole) => ({
    ...whole,
    payload: { ...whole.payload, signature: render(split(whole.payload.signature)) as Hex },
  });
  const SAME: readonly [what: string, given: Case][] = [
    ["nothing wrong", {}],
    ["a signature of somebody else", { change: withSignature(({ r, s, v }) => `0x${r}${s}${v === 27 ? "1c" : "1b"}`) }],
    ["the token's name on the test network", { terms: { name: "USDC" } }],
    ["another recipient", { terms: { to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" } }],
    ["an amount too low", { terms: { value: PRICE - 1n } }],
    ["an amount too high", { terms: { value: PRICE + 1n } }],
    ["a time that is over", { terms: { valid_before: 1_700_000_000n } }],
    ["a time that has not come", { terms: { valid_after: 4_000_000_000n, valid_before: 4_000_000_300n } }],
    ["an empty wallet", { balance: PRICE - 1n }],
    ["an authorization that was used", { prepare: (anvil, whole) => submit(anvil, whole) }],
    [
      "an authorization that was canceled",
      { prepare: (anvil, whole, buyer) => cancel(anvil, buyer, whole.payload.authorization.nonce) },
    ],
    ["a requirement without the token's name", { requirement: { extra: {} } }],
  ];
  /** Both refuse; the official one leaves the last look to the token, which says only that it failed. */
  const BOTH_REFUSE: readonly [what: string, given: Case][] = [
    ["v of 0 or 1", { change: withSignature(({ r, s, v }) => `0x${r}${s}0${v - 27}`) }],
    [
      "the upper half of s",
      {
        change: withSignature(
          ({ r, s, v }) =>
            `0x${r}${(ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, "0")}${v === 27 ? "1c" : "1b"}`,
        ),
      },
    ],
  ];

  const starting_facilitator = starting?.then((anvil) => startEvmFacilitator(anvil));
  async function judge({ terms, requirement = {}, balance = 1_000_000n, change, prepare }: Case) {
    const anvil = await chain();
    const facilitator = await starting_facilitator;
    if (!facilitator) throw new Error("no Anvil");
    if (!started.includes(facilitator)) started.push(facilitator);
    const buyer = await newBuyer(anvil, balance);
    const signed = await signTerms(anvil, buyer, terms);
    await prepare?.(anvil, signed, buyer);
    const asked = { ...REQUIREMENT, ...requirement };
    const whole = { x402Version: 2, ...(change?.(signed) ?? signed), accepted: asked };
    type Call = Parameters<typeof facilitator.verify>;
    const official = await facilitator.verify(whole as unknown as Call[0], asked as unknown as Call[1]);
    const { nonce } = signed.payload.authorization;
    const used = await anvil.isUsed(buyer.address, nonce);
    const held = await anvil.balanceOf(buyer.address);
    const usdc = { isUsed: () => used, balanceOf: () => held } as unknown as Parameters<typeof checkExact>[1]["usdc"];
    const given = { payload: whole, requirement: asked };
    const ours = await checkExact(given, { network: BASE, usdc, now_ms: Date.now() });
    return {
      official: official.isValid ? "valid" : official.invalidReason,
      sandbox: ours.ok ? "valid" : ours.reason,
    };
  }

  test.each(SAME)("%s", async (_what, given) => {
    const { official, sandbox } = await judge(given);
    expect(sandbox).toBe(official ?? "");
  });

  test.each(BOTH_REFUSE)("%s: in words of their own", async (_what, given) => {
    const { official, sandbox } = await judge(given);
    expect(official).toMatch(/^invalid_exact_evm_(signature|transaction_simulation_failed)$/);
    expect(sandbox).toBe("invalid_exact_evm_signature");
  });
});
