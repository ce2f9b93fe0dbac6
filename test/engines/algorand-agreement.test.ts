import { afterAll, describe, expect, test } from "bun:test";
import {
  Address,
  encodeMsgpack,
  makeAssetTransferTxnWithSuggestedParamsFromObject,
  makePaymentTxnWithSuggestedParamsFromObject,
  multisigAddress,
  SignedTransaction,
  signMultisigTransaction,
  type Transaction,
} from "algosdk";
import { algorandFamily } from "../../src/payments/networks/algorand/index.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { PaymentRefusal } from "../../src/payments/refusal.ts";
import {
  type AlgorandTestTransfer,
  createAlgorandTestPayer,
  signAlgorandTransfer,
} from "../../src/sandbox/test-payer-algorand.ts";
import { ALGORAND, RULES, startFakeAlgod } from "../helpers/fake-algod.ts";
import { startAlgorandFacilitator } from "../helpers/fake-algod-facilitator.ts";

/** What the node says to a payment before anybody else is asked, beside what the official facilitator says. */
const SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
const TESTNET_GENESIS = "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=";

const network = networkById(ALGORAND);
if (!network) throw new Error("not in the network table");
const algod = startFakeAlgod();
const facilitator = await startAlgorandFacilitator(algod);
afterAll(async () => {
  await facilitator.stop();
  await algod.stop();
});
const FEE_PAYER = facilitator.address;
const payer = await createAlgorandTestPayer("agreement");
const other = await createAlgorandTestPayer("somebody else");
for (const { address } of [payer, other]) algod.hold(address, 10_000_000n);
algod.hold(SELLER, 0n);
algod.hold(FEE_PAYER, 10_000_000n);

const requirement = {
  scheme: "exact" as const,
  network: ALGORAND as `${string}:${string}`,
  amount: "10000",
  asset: network.asset,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { feePayer: FEE_PAYER },
};
type Payload = Readonly<Record<string, unknown>>;
const sign = (changes: Partial<AlgorandTestTransfer> = {}) =>
  signAlgorandTransfer(payer, {
    genesis_hash: RULES.genesis_hash,
    genesis_id: RULES.genesis_id,
    asset: RULES.asset,
    to: SELLER,
    amount: 10_000n,
    first_round: algod.lastRound(),
    fee_payer: FEE_PAYER,
    ...changes,
  });

/** "taken", or the word of our refusal. */
async function askNode(payload: Payload): Promise<string> {
  try {
    if (!network) return "";
    algorandFamily.identify({ network, payload, now_ms: 0 });
    algorandFamily.check({ requirement, payload, now_ms: 0, fee_payers: [FEE_PAYER] });
    const signature = await algorandFamily.checkSignature({ network, payload });
    return signature === "no" ? "signature" : "taken";
  } catch (error) {
    if (error instanceof PaymentRefusal) return error.diagnostic.reason;
    throw error;
  }
}
/** "taken", or the word of the official refusal. */
async function askOfficial(payload: Payload): Promise<string> {
  const whole = { x402Version: 2 as const, accepted: requirement, payload };
  const { isValid, invalidReason } = await facilitator.verify(whole, requirement);
  return isValid ? "taken" : (invalidReason ?? "refused").replace("invalid_exact_avm_", "");
}
const ask = async (payload: Payload) => [await askNode(payload), await askOfficial(payload)];

const params = (fee: bigint) => ({
  flatFee: true,
  fee,
  minFee: 1_000n,
  firstValid: algod.lastRound(),
  lastValid: algod.lastRound() + 10,
  genesisHash: Buffer.from(RULES.genesis_hash, "base64"),
});
/** A transfer of the payer's beside the payment. */
const companion = (note: number): Transaction =>
  makeAssetTransferTxnWithSuggestedParamsFromObject({
    sender: payer.address,
    receiver: other.address,
    assetIndex: RULES.asset,
    amount: 1n,
    note: Uint8Array.of(note),
    suggestedParams: params(0n),
  });
const companions = (count: number) => Array.from({ length: count }, (_, at) => companion(at));
/** A payment of Algos by the facilitator, with whatever makes it dangerous. */
const byFacilitator = (more: object) => (group: readonly Transaction[]) => [
  makePaymentTxnWithSuggestedParamsFromObject({
    sender: FEE_PAYER,
    receiver: FEE_PAYER,
    amount: 0n,
    suggestedParams: params(2_000n),
    ...more,
  }),
  ...group.slice(1),
];

describe("both take", () => {
  test.each<[string, Partial<AlgorandTestTransfer>]>([
    ["the usual group of two", {}],
    ["a payer who pays his own fee", { fee_payer: null }],
    ["a fee at the cap", { fee: 10_000n }],
    ["other transfers in the group", { fee: 4_000n, change: (group) => [...group, ...companions(2)] }],
    ["a group of 16", { fee: 16_000n, change: (group) => [...group, ...companions(14)] }],
    ["no genesis id, which is not needed", { genesis_id: "" }],
  ])("%s", async (_, changes) => {
    expect(await ask(await sign(changes))).toEqual(["taken", "taken"]);
  });

  test("a multisig, which only the chain can check", async () => {
    const metadata = { version: 1, threshold: 2, addrs: [payer.address, other.address] };
    const address = multisigAddress(metadata);
    algod.hold(address.toString(), 1_000_000n);
    const transfer = makeAssetTransferTxnWithSuggestedParamsFromObject({
      sender: address,
      receiver: SELLER,
      assetIndex: RULES.asset,
      amount: 10_000n,
      suggestedParams: params(1_000n),
    });
    const one = signMultisigTransaction(transfer, metadata, payer.secret);
    const payload = { paymentGroup: [Buffer.from(one.blob).toString("base64")], paymentIndex: 0 };
    expect(await ask(payload)).toEqual(["taken", "simulation_failed"]);
    expect(network && (await algorandFamily.checkSignature({ network, payload }))).toBe("ask");
  });
});

/** Ours, then the official word: the simulation stands for what only the chain finds out there. */
const faulty: [ours: string, official: string, changes: Partial<AlgorandTestTransfer>][] = [
  ["amount_mismatch", "amount_mismatch", { amount: 9_999n }],
  ["amount_mismatch", "amount_mismatch", { amount: 10_001n }],
  ["amount_mismatch", "amount_mismatch", { amount: 0n }],
  ["asset_mismatch", "asset_mismatch", { asset: 10_458_941n }],
  ["recipient_mismatch", "receiver_mismatch", { to: FEE_PAYER }],
  ["recipient_mismatch", "receiver_mismatch", { to: payer.address }],
  ["network_mismatch", "simulation_failed", { genesis_hash: TESTNET_GENESIS }],
  ["fee_too_high", "fee_too_high", { fee: 10_001n }],
  ["invalid_fee_payer", "invalid_fee_payer", { change: byFacilitator({ rekeyTo: payer.address }) }],
  ["invalid_fee_payer", "invalid_fee_payer", { change: byFacilitator({ closeRemainderTo: payer.address }) }],
  ["invalid_fee_payer", "invalid_fee_payer", { change: byFacilitator({ amount: 1n }) }],
  ["invalid_fee_payer", "invalid_fee_payer", { change: byFacilitator({ receiver: payer.address }) }],
  ["unsigned_non_facilitator", "unsigned_non_facilitator", { fee_payer: other.address }],
  ["payment_not_signed", "unsigned_non_facilitator", { unsigned: [1] }],
  [
    "unsigned_non_facilitator",
    "unsigned_non_facilitator",
    { change: (group) => [...group, companion(0)], unsigned: [2] },
  ],
  ["group_size_exceeded", "group_size_exceeded", { fee: 17_000n, change: (group) => [...group, ...companions(15)] }],
  ["invalid_group_id", "simulation_failed", { regroup: (group) => regroup(group, 7) }],
  ["invalid_group_id", "simulation_failed", { regroup: (group) => regroup(group, null) }],
  ["invalid_validity_window", "simulation_failed", { first_round: 1, last_round: 1_002 }],
];
/** The same wrong id for all, or none. */
function regroup(group: readonly Transaction[], byte: number | null): void {
  for (const txn of group) {
    if (byte === null) delete txn.group;
    else txn.group = new Uint8Array(32).fill(byte);
  }
}

describe("both refuse", () => {
  test.each(faulty)("%s (official: %s) %#", async (ours, official, changes) => {
    expect(await ask(await sign(changes))).toEqual([ours, official]);
  });

  test("a group of which one has another id", async () => {
    const change = { regroup: (group: readonly Transaction[]) => regroup(group.slice(1), 7) };
    expect(await ask(await sign(change))).toEqual(["invalid_group_id", "invalid_group_id"]);
  });

  test.each([2, -1, 100])("paymentIndex %i, which is out of range", async (paymentIndex) => {
    expect(await ask({ ...(await sign()), paymentIndex })).toEqual(["payment_index", "payment_index"]);
  });

  test("paymentIndex at the fee payer's transaction", async () => {
    expect(await ask({ ...(await sign()), paymentIndex: 0 })).toEqual([
      "payment_not_signed",
      "facilitator_transferring",
    ]);
  });

  test("the facilitator as the one who pays", async () => {
    const pays = makeAssetTransferTxnWithSuggestedParamsFromObject({
      sender: FEE_PAYER,
      receiver: SELLER,
      assetIndex: RULES.asset,
      amount: 10_000n,
      suggestedParams: params(1_000n),
    });
    // Its signature is anybody's: the official code signs such a transaction itself.
    const signed = encodeMsgpack(new SignedTransaction({ txn: pays, sig: new Uint8Array(64).fill(1) }));
    const payload = { paymentGroup: [Buffer.from(signed).toString("base64")], paymentIndex: 0 };
    expect(await ask(payload)).toEqual(["facilitator_transferring", "facilitator_transferring"]);
  });

  test("a transfer of the facilitator's USDC beside the payment", async () => {
    const steal = makeAssetTransferTxnWithSuggestedParamsFromObject({
      sender: FEE_PAYER,
      receiver: payer.address,
      assetIndex: RULES.asset,
      amount: 1n,
      suggestedParams: params(0n),
    });
    const payload = await sign({ fee: 3_000n, change: (group) => [...group, steal] });
    expect(await ask(payload)).toEqual(["unsigned_non_facilitator", "invalid_fee_payer"]);
  });

  test("a signature by another key, or over something else", async () => {
    const { paymentGroup, paymentIndex } = await sign();
    const bytes = Buffer.from(paymentGroup[1] ?? "", "base64");
    const at = bytes.indexOf(Buffer.from([0xa3, 0x73, 0x69, 0x67, 0xc4, 0x40])) + 6;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    const payload = { paymentGroup: [paymentGroup[0], bytes.toString("base64")], paymentIndex };
    expect(await ask(payload)).toEqual(["signature", "invalid_signature"]);
  });

  test.each([
    ["nothing", {}],
    ["no group", { paymentIndex: 0 }],
    ["an empty group", { paymentGroup: [], paymentIndex: 0 }],
    ["no base64", { paymentGroup: ["?"], paymentIndex: 0 }],
    ["no msgpack", { paymentGroup: ["AAAA"], paymentIndex: 0 }],
  ])("%s", async (_, payload) => {
    const [ours, official] = await ask(payload);
    expect(ours).not.toBe("taken");
    expect(official).not.toBe("taken");
  });
});

describe("the node alone refuses what the official code would sign or let pass", () => {
  const changed = (more: object) => (group: readonly Transaction[]) => [
    ...group.slice(0, 1),
    makeAssetTransferTxnWithSuggestedParamsFromObject({
      sender: payer.address,
      receiver: SELLER,
      assetIndex: RULES.asset,
      amount: 10_000n,
      suggestedParams: params(0n),
      ...more,
    }),
  ];
  test.each<[string, object]>([
    ["all of the payer's USDC", { closeRemainderTo: Address.fromString(SELLER) }],
    ["somebody else's USDC by clawback", { assetSender: other.address }],
    ["a payer who gives his account away", { rekeyTo: other.address }],
  ])("a transfer that moves %s", async (_, more) => {
    expect(await askNode(await sign({ change: changed(more) }))).toBe("unexpected_field");
  });

  test("two transactions for the facilitator to pay the fees of", async () => {
    const twice = (group: readonly Transaction[]) => [...group, ...byFacilitator({ note: Uint8Array.of(1) })([])];
    expect(await askNode(await sign({ fee: 10_000n, change: twice }))).toBe("unsigned_non_facilitator");
  });

  test("a fee payer's transaction that is signed already", async () => {
    const { paymentGroup, paymentIndex } = await sign();
    const key = await createAlgorandTestPayer(new Uint8Array(32).fill(1));
    const { decodeUnsignedTransaction } = await import("algosdk");
    const fee = decodeUnsignedTransaction(Buffer.from(paymentGroup[0] ?? "", "base64")).signTxn(key.secret);
    const payload = { paymentGroup: [Buffer.from(fee).toString("base64"), paymentGroup[1]], paymentIndex };
    expect(await askNode(payload)).toBe("facilitator_transferring");
  });

  test("a lease on the fee payer's account, which would keep its next payments out", async () => {
    const payload = await sign({ change: byFacilitator({ lease: new Uint8Array(32).fill(1) }) });
    expect(await askNode(payload)).toBe("invalid_fee_payer");
  });
});

test("a payment is told apart by what was signed, whatever it is written like", async () => {
  if (!network) return;
  const identify = (payload: Payload) => algorandFamily.identify({ network, payload, now_ms: 0 });
  const note = "the same";
  const one = await sign({ note });
  expect(identify(one).replay_key).not.toBe(identify(await sign({ note, fee: 2_001n })).replay_key);
  const spelled = one.paymentGroup.map((text) => Buffer.from(text, "base64").toString("base64url"));
  expect(identify({ paymentIndex: 1, paymentGroup: spelled })).toEqual(identify(one));
  const [fee = "", pays = ""] = one.paymentGroup;
  const padded = Buffer.concat([Buffer.from(pays, "base64"), Uint8Array.of(0)]).toString("base64");
  expect(() => identify({ paymentIndex: 1, paymentGroup: [fee, padded] })).toThrow(PaymentRefusal);
});
