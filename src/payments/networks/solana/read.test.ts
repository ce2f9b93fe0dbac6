import { describe, expect, test } from "bun:test";
import {
  createSolanaTestPayer,
  findTestTokenAccount,
  type SolanaTestTransfer,
  signSolanaTransfer,
  type TestInstruction,
} from "../../../sandbox/test-payer-solana.ts";
import { PaymentRefusal } from "../../refusal.ts";
import { networkById } from "../table.ts";
import { solanaFamily } from "./index.ts";

const network = networkById("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp");
if (!network) throw new Error("not in the network table");
const FEE_PAYER = "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9";
const PAYER = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu";
const SELLER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const OTHER = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
const LIGHTHOUSE = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";
const NOW_MS = Date.UTC(2026, 0, 15);

/** A payment of 10,000 units by the official client: seeds 0x01 pays the fee, 0x02 pays, 0x03 is paid. */
const VECTOR =
  "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB7GPHlPtLmmJ/APN9/XVNI" +
  "ydGArsIl3xBT6sOKPsUtz3OgpJynqUxI6SCXV7oUCvj5pfeFdqsUvVoJ0R/jhmkNgAIBBAiKiOPddAnxlf1S2y08ul1yymcJvx2UEhvzdIgB" +
  "tA9vXIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOUjETp04tB+SqkMwRAOxAkRbfcj4nLfZEMLTVLT/56fhO3u4T1/jPeFaQeWwjr" +
  "0hpa8fhuRvZTRT6HDzBHpR7Q4AMGRm/lIRcy/+ytunLDm+e8jOW7xfcSayxDmzpAAAAAxvp6877brTo9ZfNqq8l0MbG75MLS9uDkfKYCA0Uv" +
  "XWEFSlNamSkhBk0k6HFg2jh8fDW13bySu4HkH6hAQQVEjQbd9uHXZaGT2cvhRs7reawctIXtX1s3kTqM9YV+/wCpzEkOkozS44c7s0P8ldoz" +
  "F5ymD02/RsLDbpEpnVXU5rkEBAAFAiBOAAAEAAkDAQAAAAAAAAAHBAIFAwEKDBAnAAAAAAAABgYAIDAwMTEyMjMzNDQ1NTY2Nzc4ODk5YWFi" +
  "YmNjZGRlZWZmAA==";

const requirement = {
  scheme: "exact" as const,
  network: network.id,
  amount: "10000",
  asset: network.asset,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { feePayer: FEE_PAYER },
};
const identify = (transaction: string) => solanaFamily.identify({ network, payload: { transaction }, now_ms: NOW_MS });
const check = (payload: Readonly<Record<string, unknown>>, fee_payers: readonly string[] = [FEE_PAYER]) =>
  solanaFamily.check({ requirement, payload, now_ms: NOW_MS, fee_payers });
const isSigned = (transaction: string) => solanaFamily.checkSignature({ network, payload: { transaction } });

/** The word a call was refused with, or "taken". */
function wordOf(call: () => unknown): string {
  try {
    call();
    return "taken";
  } catch (error) {
    if (error instanceof PaymentRefusal) return error.diagnostic.reason;
    throw error;
  }
}

const fee_account = await findTestTokenAccount(FEE_PAYER, requirement.asset);
const seller_account = await findTestTokenAccount(SELLER, requirement.asset);
const payer = await createSolanaTestPayer(new Uint8Array(32).fill(2));
const sign = (changes: Partial<SolanaTestTransfer> = {}) =>
  signSolanaTransfer(payer, {
    fee_payer: FEE_PAYER,
    mint: requirement.asset,
    to: SELLER,
    amount: 10_000n,
    blockhash: "AWKhKFKLFbdQDGSdFgZqCWqABjQV1qHBXkJ2rx5VxzZi",
    ...changes,
  });
const flip = (base64: string, at: number): string => {
  const bytes = Buffer.from(base64, "base64");
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
  return bytes.toString("base64");
};

describe("a payment is named by what the payer signed", () => {
  test("as worked out for the published example", async () => {
    expect(identify(VECTOR)).toMatchObject({
      replay_key:
        "svm:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:b1982b5e9cceb5a5b79ba8c56411bbabfa0998bd1b0aa4bf60d2cf76c81549e4",
      payer: PAYER,
      fee_payer: FEE_PAYER,
      valid_until_ms: NOW_MS + 90_000,
    });
    expect(await isSigned(VECTOR)).toBe("yes");
    expect(wordOf(() => check({ transaction: VECTOR }))).toBe("taken");
  });

  test("and not by the value in the empty slot of the fee payer", () => {
    for (let at = 1; at < 65; at++) expect(identify(flip(VECTOR, at))).toEqual(identify(VECTOR));
  });

  test("and not by the spelling of its base64", () => {
    expect(identify(VECTOR.replace(/=+$/, ""))).toEqual(identify(VECTOR));
    const other_end = VECTOR.replace("AA==", "AB==");
    expect(other_end).not.toBe(VECTOR);
    expect(identify(other_end)).toEqual(identify(VECTOR));
  });

  test("another signature is the same payment in another payload, and is not good", async () => {
    for (let at = 65; at < 129; at++) {
      const changed = identify(flip(VECTOR, at));
      expect(changed.replay_key).toBe(identify(VECTOR).replay_key);
      expect(changed.payload_hash).not.toBe(identify(VECTOR).payload_hash);
      expect(await isSigned(flip(VECTOR, at))).toBe("no");
    }
  });

  test("any other message is another payment or none, and is not signed", async () => {
    const length = Buffer.from(VECTOR, "base64").length;
    for (let at = 129; at < length; at++) {
      const changed = flip(VECTOR, at);
      const word = wordOf(() => identify(changed));
      if (word !== "taken") continue;
      expect(identify(changed).replay_key).not.toBe(identify(VECTOR).replay_key);
      expect(await isSigned(changed)).toBe("no");
    }
  });

  test("the cluster is part of the name", () => {
    const devnet = networkById("solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1");
    if (!devnet) throw new Error("not in the network table");
    const { replay_key } = solanaFamily.identify({ network: devnet, payload: { transaction: VECTOR }, now_ms: 0 });
    expect(replay_key).not.toBe(identify(VECTOR).replay_key);
  });

  test("its stored form names the same payment", () => {
    const { transaction } = JSON.parse(identify(flip(VECTOR, 9)).payload_json);
    expect(transaction).toBe(VECTOR);
  });
});

describe("a payment is taken", () => {
  const taken: [what: string, changes: Partial<SolanaTestTransfer>][] = [
    ["as the official version 2 client writes it", {}],
    ["without a memo, as the version 1 client writes it", { memos: [] }],
    ["with its own limit", { compute_units: 400_000, micro_lamports: 5_000_000n }],
    ["with two memos", { memos: ["a", "b"] }],
    ["as a legacy transaction", { version: "legacy" }],
    ["from another account of the payer", { source: OTHER }],
    ["with a wallet's guards after the transfer", { change: (list) => [...list, assertion(), assertion()] }],
    ["with guards before the transfer", { change: (list) => insert(list, 2, assertion(), assertion()) }],
    ["with guards before and after it", { change: (list) => [...insert(list, 2, assertion()), assertion()] }],
    ["with guards before everything", { change: (list) => insert(list, 0, assertion()) }],
    ["with the memo before the transfer", { change: ([a, b, transfer, memo]) => [a, b, memo, transfer].flatMap(one) }],
    ["with more memos than the official facilitator takes", { memos: ["1", "2", "3", "4", "5"] }],
    ["with price before limit", { change: ([limit, price, ...rest]) => [price, limit, ...rest].flatMap(one) }],
    ["without a compute budget", { change: (list) => list.slice(2) }],
    ["with a token account made before it", { change: (list) => insert(list, 2, creation) }],
    ["with a token account made after it", { change: (list) => [...list, creation] }],
    ["with a program that is for the facilitator to judge", { change: (list) => [...list, unknown_program] }],
  ];
  test.each(taken)("%s", async (_, changes) => {
    const payload = await sign(changes);
    expect(wordOf(() => check(payload))).toBe("taken");
    expect(await isSigned(payload.transaction)).toBe("yes");
  });
});

const insert = (list: readonly TestInstruction[], at: number, ...more: readonly TestInstruction[]) => [
  ...list.slice(0, at),
  ...more,
  ...list.slice(at),
];
const unknown_program: TestInstruction = { program: OTHER, accounts: [], data: new Uint8Array() };
/** A token account that the payer makes, at his own cost. */
const creation: TestInstruction = {
  program: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  accounts: [
    { address: PAYER, signer: true, writable: true },
    { address: OTHER, writable: true },
  ],
  data: Uint8Array.of(1),
};
const advance_nonce: TestInstruction = {
  program: "11111111111111111111111111111111",
  accounts: [
    { address: OTHER, writable: true },
    { address: PAYER, signer: true },
  ],
  data: Uint8Array.of(4, 0, 0, 0),
};
/** A transfer of the payer's tokens that names neither mint nor decimals. */
const plainTransfer = ([, , transfer]: readonly TestInstruction[]): TestInstruction[] =>
  one(transfer).map(({ program, accounts, data }) => ({
    program,
    accounts: accounts.filter((_, at) => at !== 1),
    data: Uint8Array.of(3, ...data.slice(1, 9)),
  }));
const assertion = (address = PAYER): TestInstruction => ({
  program: LIGHTHOUSE,
  accounts: [{ address }],
  data: Uint8Array.of(1, 2, 3),
});
const swap =
  (at: number, change: (one: TestInstruction) => TestInstruction) =>
  (list: readonly TestInstruction[]): readonly TestInstruction[] =>
    list.map((one, index) => (index === at ? change(one) : one));
const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";

describe("a payment is refused", () => {
  const refused: [word: string, changes: Partial<SolanaTestTransfer>][] = [
    ["amount_mismatch", { amount: 9_999n }],
    ["amount_mismatch", { amount: 10_001n }],
    ["recipient_mismatch", { to: OTHER }],
    ["recipient_mismatch", { destination: SELLER }],
    ["mint_mismatch", { mint: OTHER }],
    ["decimals_mismatch", { decimals: 9 }],
    ["compute_limit_too_high", { compute_units: 400_001 }],
    ["compute_price_too_high", { micro_lamports: 5_000_001n }],
    ["compute_limit_too_high", { compute_units: 400_001, change: (list) => list.toReversed() }],
    ["compute_price_too_high", { change: swap(1, (a) => ({ ...a, data: Uint8Array.of(3, ...Array(9).fill(9)) })) }],
    ["durable_nonce", { change: (list) => insert(list, 0, advance_nonce) }],
    ["no_transfer_instruction", { change: (list) => list.slice(0, 2) }],
    ["no_transfer_instruction", { change: swap(2, (a) => ({ ...a, program: TOKEN_2022 })) }],
    ["no_transfer_instruction", { change: swap(2, (a) => ({ ...a, data: Uint8Array.of(3, ...a.data.slice(1)) })) }],
    ["no_transfer_instruction", { change: swap(2, (a) => ({ ...a, accounts: [...a.accounts, { address: OTHER }] })) }],
    ["multiple_transfers", { change: (list) => [...list, ...list.slice(2, 3)] }],
    ["multiple_transfers", { change: (list) => insert(list, 0, ...list.slice(2, 3)) }],
    ["multiple_transfers", { change: (list) => [...list, ...plainTransfer(list)] }],
    ["multiple_transfers", { change: (list) => insert(list, 2, ...plainTransfer(list)) }],
    [
      "multiple_transfers",
      { change: (list) => [...list, ...list.slice(2, 3).map((a) => ({ ...a, program: TOKEN_2022 }))] },
    ],
    ["fee_payer_mismatch", { fee_payer: OTHER }],
    ["fee_payer_in_instruction", { change: (list) => [...list, assertion(FEE_PAYER)] }],
    ["fee_payer_in_instruction", { change: (list) => insert(list, 2, assertion(FEE_PAYER)) }],
    ["fee_payer_in_instruction", { source: FEE_PAYER }],
    ["fee_payer_transferring_funds", { authority: FEE_PAYER }],
    ["fee_payer_transferring_funds", { source: fee_account }],
    ["self_transfer", { source: seller_account }],
    ["excessive_signers", { change: (list) => [...list, { ...assertion(OTHER), accounts: [other_signer] }] }],
    ["payer_not_signing", { change: swap(2, (a) => ({ ...a, accounts: [...a.accounts.slice(0, 3), silent] })) }],
    ["payer_not_signing", { change: (list) => swapOwner([...list, { ...assertion(), accounts: [other_signer] }]) }],
  ];
  test.each(refused)("%s", async (word, changes) => {
    const payload = await sign(changes);
    expect(wordOf(() => check(payload))).toBe(word);
  });

  test("when it cannot be read", () => {
    expect(wordOf(() => check({ transaction: "" }))).toBe("transaction_could_not_be_decoded");
  });

  test("when its payer is another account of the facilitator", async () => {
    const payload = await sign();
    expect(wordOf(() => check(payload, [FEE_PAYER, PAYER]))).toBe("fee_payer_transferring_funds");
  });

  test("when nobody, or somebody else, signed it", async () => {
    const { transaction } = await sign();
    const bytes = Buffer.from(transaction, "base64");
    bytes.fill(0, 65, 129);
    expect(await isSigned(bytes.toString("base64"))).toBe("no");
    const other = await sign({ memos: ["another"] });
    Buffer.from(other.transaction, "base64").copy(bytes, 65, 65, 129);
    expect(await isSigned(bytes.toString("base64"))).toBe("no");
  });

  test.each([
    ["something beside the transaction", { transaction: VECTOR, memo: null }],
    ["no transaction", {}],
    ["a number", { transaction: 1 }],
  ])("when the payload holds %s", (_, payload) => {
    expect(wordOf(() => solanaFamily.identify({ network, payload, now_ms: 0 }))).toBe("unsupported_payload_type");
  });
});

const one = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);
const other_signer = { address: OTHER, signer: true };
const swapOwner = (list: readonly TestInstruction[]) =>
  list.map((entry, at) => (at === 2 ? { ...entry, accounts: [...entry.accounts.slice(0, 3), silent_payer] } : entry));
const silent_payer = { address: PAYER };
const silent = { address: OTHER };

test("the requirement carries the facilitator's fee payer, and never a memo or a block hash", () => {
  const supported = { feePayer: FEE_PAYER, memo: "m", recentBlockhash: "h", features: {} };
  expect(solanaFamily.requirementExtra(network, supported)).toEqual({ feePayer: FEE_PAYER });
});

test.each([
  [SELLER, true],
  ["11111111111111111111111111111111", true],
  [SELLER.slice(2), false],
  [`${SELLER}1`, false],
  ["0x90F79bf6EB2c4f870365E785982E1f101E93b906", false],
  ["", false],
])("an address is 32 bytes in base58: %s", (text, is) => {
  expect(solanaFamily.isAddress(text)).toBe(is);
});
