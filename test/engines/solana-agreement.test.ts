import { afterAll, describe, expect, test } from "bun:test";
import { solanaFamily } from "../../src/payments/networks/solana/index.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { PaymentRefusal } from "../../src/payments/refusal.ts";
import {
  createSolanaTestPayer,
  findTestTokenAccount,
  type SolanaTestTransfer,
  signSolanaTransfer,
  type TestInstruction,
} from "../../src/sandbox/test-payer-solana.ts";
import { MINT, startSolanaEngine } from "../helpers/litesvm-engine.ts";
import { startSolanaFacilitator } from "../helpers/litesvm-facilitator.ts";

/** What the node says to a payment before anybody else is asked, beside what the official facilitator says. */
const NETWORK = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const SELLER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const OTHER = "9aE476sH92Vz7DMPyq5WLPkrKWivxeuTKEFKd2sZZcde";
const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const ASSOCIATED_TOKEN = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const SYSTEM = "11111111111111111111111111111111";

const network = networkById(NETWORK);
if (!network) throw new Error("not in the network table");
const engine = startSolanaEngine();
const facilitator = await startSolanaFacilitator(engine);
afterAll(async () => {
  await facilitator.stop();
  await engine.stop();
});
const FEE_PAYER: string = facilitator.address;
const payer = await createSolanaTestPayer("agreement");
const payer_account = await engine.hold(payer.address, 1_000_000n);
const fee_account = await engine.hold(FEE_PAYER, 1_000_000n);
const seller_account = await engine.hold(SELLER, 0n);
await engine.hold(OTHER, 0n);

const requirement = {
  scheme: "exact" as const,
  network: NETWORK,
  amount: "10000",
  asset: MINT,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { feePayer: FEE_PAYER },
};
const sign = (changes: Partial<SolanaTestTransfer> = {}) =>
  signSolanaTransfer(payer, {
    fee_payer: FEE_PAYER,
    mint: MINT,
    to: SELLER,
    amount: 10_000n,
    blockhash: engine.blockhash(),
    ...changes,
  });

/** "taken", or the word of our refusal. */
async function askNode(payload: Readonly<Record<string, unknown>>): Promise<string> {
  try {
    if (!network) return "";
    solanaFamily.identify({ network, payload, now_ms: 0 });
    solanaFamily.check({ requirement, payload, now_ms: 0, fee_payers: [FEE_PAYER] });
    return (await solanaFamily.checkSignature({ network, payload })) === "yes" ? "taken" : "signature";
  } catch (error) {
    if (error instanceof PaymentRefusal) return error.diagnostic.reason;
    throw error;
  }
}
type Call = Parameters<typeof facilitator.verify>;
/** "taken", or the word of the official refusal. */
async function askOfficial(payload: unknown, protocol: 1 | 2): Promise<string> {
  const { amount, ...rest } = requirement;
  const v1 = { ...rest, network: "solana", maxAmountRequired: amount, resource: "", description: "", mimeType: "" };
  const call =
    protocol === 2
      ? [{ x402Version: 2, accepted: requirement, payload }, requirement]
      : [{ x402Version: 1, scheme: "exact", network: "solana", payload }, v1];
  const { isValid, invalidReason } = await facilitator.verify(...(call as unknown as Call));
  return isValid ? "taken" : (invalidReason ?? "refused");
}

type Change = Partial<SolanaTestTransfer>;
const edit =
  (at: number, change: (one: TestInstruction) => TestInstruction) =>
  (list: readonly TestInstruction[]): readonly TestInstruction[] =>
    list.map((one, index) => (index === at ? change(one) : one));
const guard: TestInstruction = {
  program: "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95",
  accounts: [{ address: payer.address }],
  data: Uint8Array.of(1),
};
const create = (list: readonly TestInstruction[]): TestInstruction => ({
  program: ASSOCIATED_TOKEN,
  accounts: [
    { address: payer.address, signer: true, writable: true },
    { address: seller_account, writable: true },
    { address: SELLER },
    { address: MINT },
    { address: SYSTEM },
    { address: list[2]?.program ?? "" },
  ],
  data: Uint8Array.of(1),
});

describe("both take", () => {
  const taken: [what: string, changes: Change][] = [
    ["what the official version 2 client writes", {}],
    ["what the official version 1 client writes", { memos: [] }],
    ["two memos", { memos: ["a", "b"] }],
    ["guards after the transfer", { change: (list) => [...list, guard, guard] }],
    ["a legacy transaction", { version: "legacy" }],
    ["the highest price", { micro_lamports: 5_000_000n }],
  ];
  test.each(taken)("%s", async (_, changes) => {
    const payload = await sign(changes);
    expect(await askNode(payload)).toBe("taken");
    expect([await askOfficial(payload, 2), await askOfficial(payload, 1)]).toEqual(["taken", "taken"]);
  });

  test("junk in the slot of the fee payer, which is the same payment", async () => {
    const { transaction } = await sign();
    const filled = Buffer.from(transaction, "base64").fill(0xaa, 1, 65).toString("base64");
    expect(await askNode({ transaction: filled })).toBe("taken");
    expect(await askOfficial({ transaction: filled }, 2)).toBe("taken");
    const keys = [transaction, filled].map(
      (text) => solanaFamily.identify({ network, payload: { transaction: text }, now_ms: 0 }).replay_key,
    );
    expect(keys[0]).toBe(keys[1] ?? "");
  });
});

describe("both refuse", () => {
  const refused: [what: string, changes: Change][] = [
    ["the fee payer's own tokens", { authority: FEE_PAYER }],
    ["the fee payer's tokens by the payer's hand", { source: fee_account }],
    ["a second transfer", { change: (list) => [...list, ...list.slice(2, 3)] }],
    ["a second transfer instead of the memo", { memos: [], change: (list) => [...list, ...list.slice(2, 3)] }],
    ["a token account of somebody else", { to: OTHER }],
    ["the seller's wallet instead of his token account", { destination: SELLER }],
    ["another mint", { mint: OTHER }],
    ["one atom less", { amount: 9_999n }],
    ["one atom more", { amount: 10_001n }],
    ["other decimals", { decimals: 9 }],
    ["too high a price", { micro_lamports: 5_000_001n }],
    ["another fee payer", { fee_payer: OTHER }],
    [
      "a transfer that names no mint",
      { change: edit(2, (one) => ({ ...one, data: Uint8Array.of(3, ...one.data.slice(1, 9)) })) },
    ],
    ["the other token program", { change: edit(2, (one) => ({ ...one, program: TOKEN_2022 })) }],
  ];
  test.each(refused)("%s", async (_, changes) => {
    const payload = await sign(changes);
    expect(await askNode(payload)).not.toBe("taken");
    expect(await askOfficial(payload, 2)).not.toBe("taken");
    expect(await askOfficial(payload, 1)).not.toBe("taken");
  });

  test("a payment nobody signed, or another payment's signature", async () => {
    const bytes = Buffer.from((await sign()).transaction, "base64");
    const other = Buffer.from((await sign()).transaction, "base64");
    for (const signature of [new Uint8Array(64), other.subarray(65, 129)]) {
      bytes.set(signature, 65);
      const payload = { transaction: bytes.toString("base64") };
      expect(await askNode(payload)).toBe("signature");
      expect(await askOfficial(payload, 2)).toBe("invalid_exact_svm_payload_signature_invalid");
    }
  });
});

describe("the node leaves it to the facilitator to refuse", () => {
  const left: [what: string, changes: Change][] = [
    [
      "the seller's token account being made first",
      { change: (list) => [...list.slice(0, 2), create(list), ...list.slice(2)] },
    ],
    ["the seller's token account being made last", { change: (list) => [...list, create(list)] }],
    ["no compute limit", { change: (list) => list.slice(1) }],
    ["limit and price swapped", { change: ([a, b, ...rest]) => [b, a, ...rest].flatMap((one) => one ?? []) }],
    ["eight instructions", { memos: ["1", "2", "3", "4", "5"] }],
    [
      "a program of the buyer's",
      { change: (list) => [...list, { program: OTHER, accounts: [], data: new Uint8Array() }] },
    ],
    [
      "guards before the transfer, which some facilitators take",
      { change: ([a, b, ...rest]) => [a, b, guard, ...rest].flatMap((one) => one ?? []) },
    ],
  ];
  test.each(left)("%s", async (_, changes) => {
    const payload = await sign(changes);
    expect(await askNode(payload)).toBe("taken");
    expect(await askOfficial(payload, 2)).not.toBe("taken");
  });
});

describe("the node alone refuses", () => {
  test("a limit of compute units that the facilitator would pay for", async () => {
    const payload = await sign({ compute_units: 400_001 });
    expect(await askOfficial(payload, 2)).toBe("taken");
    expect(await askNode(payload)).toBe("compute_limit_too_high");
  });

  test("a payment of the seller to himself, which moves nothing", async () => {
    const own = await createSolanaTestPayer(new Uint8Array(32).fill(3));
    expect(own.address).toBe(SELLER);
    await engine.hold(SELLER, 10_000n);
    const payload = await signSolanaTransfer(own, {
      fee_payer: FEE_PAYER,
      mint: MINT,
      to: SELLER,
      amount: 10_000n,
      blockhash: engine.blockhash(),
    });
    expect(await askOfficial(payload, 2)).toBe("taken");
    expect(await askNode(payload)).toBe("self_transfer");
  });
});

describe("the node's reader of the chain says", () => {
  const since_ms = Date.now();
  type Question = Parameters<typeof solanaFamily.askChain>[0];
  const ask = (payload: Question["payload"], changes: Partial<Question> = {}) => {
    if (!network) throw new Error("not in the network table");
    const rpc_urls = [engine.url];
    return solanaFamily.askChain({ network, payload, amount: 10_000n, pay_to: SELLER, since_ms, rpc_urls, ...changes });
  };
  const settle = async (payload: unknown) => {
    const call = [{ x402Version: 2, accepted: requirement, payload }, requirement];
    return facilitator.settle(...(call as unknown as Call));
  };
  const signed = (memos: readonly string[]) => sign({ memos, blockhash: engine.blockhash() });

  test("paid, with and without a memo, by a hint or by looking", async () => {
    for (const memos of [["mine"], []]) {
      const payload = await signed(memos);
      expect(await ask(payload)).toMatchObject({ paid: false, final: false });
      const { success, transaction } = await settle(payload);
      expect(success).toBe(true);
      expect(await ask(payload)).toEqual({ paid: true, transaction });
      expect(await ask(payload, { hint_transaction: transaction })).toEqual({ paid: true, transaction });
    }
  });

  test("paid, although the facilitator forgot and says that it failed", async () => {
    const payload = await signed(["forgotten"]);
    const { transaction } = await settle(payload);
    expect(await settle(payload)).toMatchObject({ success: false, errorReason: "duplicate_settlement" });
    facilitator.forget();
    expect((await settle(payload)).success).toBe(false);
    expect(await ask(payload)).toEqual({ paid: true, transaction });
  });

  test("not paid, for good, once the block hash is over; and still paid what landed before", async () => {
    const [landed, never] = [await signed(["landed"]), await signed(["never"])];
    const { transaction } = await settle(landed);
    engine.expire(60_000);
    expect(await ask(never)).toEqual({ paid: false, final: false, reason: "not_landed_yet" });
    engine.expire(340_000);
    expect(await ask(never)).toEqual({ paid: false, final: true, reason: "expired_unused" });
    expect(await settle(never)).toMatchObject({ success: false });
    expect(await ask(landed)).toEqual({ paid: true, transaction });
    const wrong = { paid: false as const, final: true, reason: "landed_without_paying_us" };
    expect(await ask(landed, { amount: 9_999n })).toEqual(wrong);
    expect(await ask(landed, { pay_to: OTHER })).toEqual(wrong);
  });

  test("not paid, for good, when it landed and failed", async () => {
    const payload = await sign({ blockhash: engine.blockhash(), memos: ["fails"] });
    await engine.hold(payer.address, 0n);
    const { signAsFeePayer } = await import("../../src/sandbox/chains/solana/facilitator.ts");
    const message = Buffer.from(payload.transaction, "base64").subarray(129);
    engine.send(signAsFeePayer(payload.transaction, message).wire);
    expect(engine.rows.at(-1)?.err).not.toBeNull();
    expect(await ask(payload)).toEqual({ paid: false, final: true, reason: "transaction_failed" });
    await engine.hold(payer.address, 1_000_000n);
  });
});

test("the payer's token account is the one the runtime knows", async () => {
  expect(await findTestTokenAccount(payer.address, MINT)).toBe(payer_account);
});
