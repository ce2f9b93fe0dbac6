import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PublicKey, VersionedTransaction } from "@solana/web3.js";
import { createStillClock } from "../../../../test/helpers/still-clock.ts";
import { createJournal } from "../../journal.ts";
import { createSolanaTestPayer, type SolanaTestTransfer, signSolanaTransfer } from "../../test-payer-solana.ts";
import { createSolanaChain } from "./index.ts";

const NETWORK = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
const FEE_PAYER = "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9";
const SELLER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const OTHER = "9aE476sH92Vz7DMPyq5WLPkrKWivxeuTKEFKd2sZZcde";
const NOW_MS = Date.UTC(2026, 0, 15);
const payer = await createSolanaTestPayer("payer");

const REQUIREMENT = {
  scheme: "exact",
  network: NETWORK,
  amount: "10000",
  asset: MINT,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { feePayer: FEE_PAYER },
};
const { amount: maxAmountRequired, ...rest } = REQUIREMENT;
const REQUIREMENT_V1 = { ...rest, network: "solana-devnet", maxAmountRequired };

function createBench(
  more: { settlements_max?: number; file?: string; clock?: ReturnType<typeof createStillClock> } = {},
) {
  const { clock = createStillClock(NOW_MS), file = null, ...options } = more;
  const chain = createSolanaChain({ clock, journal: createJournal(file), ...options });
  const rpc = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const answer = await chain.rpc({ jsonrpc: "2.0", id: 1, method, params });
    const { result, error } = answer as { result?: unknown; error?: { code: number } };
    return error ? { error: error.code } : result;
  };
  const blockhash = async () => ((await rpc("getLatestBlockhash")) as { value: { blockhash: string } }).value.blockhash;
  const sign = async (changes: Partial<SolanaTestTransfer> = {}) =>
    signSolanaTransfer(payer, {
      fee_payer: FEE_PAYER,
      mint: MINT,
      to: SELLER,
      amount: 10_000n,
      blockhash: await blockhash(),
      ...changes,
    });
  return { clock, chain, rpc, sign, blockhash };
}
const wrap = (payload: unknown, accepted: object = REQUIREMENT) => ({ x402Version: 2, accepted, payload });
const good = await createBench().sign();
type Bench = ReturnType<typeof createBench>;

/** The answer of verify. If it is a refusal, settle must refuse with the same reason and move nothing. */
async function judge({ chain }: Bench, payment: unknown, requirement: object = REQUIREMENT): Promise<string> {
  const { isValid, invalidReason = "" } = await chain.verify(payment, requirement);
  const settled = await chain.settle(payment, requirement);
  expect([settled.success, settled.errorReason ?? ""]).toEqual([isValid, invalidReason]);
  expect(chain.settlements()).toHaveLength(isValid ? 1 : 0);
  return isValid ? "valid" : invalidReason;
}

describe("a payment is valid", () => {
  test("in version 2 and moves the money", async () => {
    const bench = createBench();
    expect(await judge(bench, wrap(await bench.sign()))).toBe("valid");
    expect(bench.chain.balances()).toEqual({ [payer.address]: "99990000", [SELLER]: "10000" });
    expect(bench.chain.balanceOf(SELLER)).toBe(10_000n);
    expect(bench.chain.settlements()).toMatchObject([
      { network: NETWORK, payer: payer.address, pay_to: SELLER, amount_atomic: "10000" },
    ]);
  });

  test.each([
    ["before the transfer", [2, 2]],
    ["after it", [4, 4, 4]],
    ["before and after it", [2, 5]],
    ["before and after it, and four more", [2, 2, 2, 5, 5, 5]],
  ])("with a wallet's guards %s", async (_, places) => {
    const bench = createBench();
    const guard = {
      program: "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95",
      accounts: [{ address: payer.address }],
      data: Uint8Array.of(1),
    };
    const change: SolanaTestTransfer["change"] = (list) =>
      places.reduce((all, at) => [...all.slice(0, at), guard, ...all.slice(at)], list);
    expect(await judge(bench, wrap(await bench.sign({ change })))).toBe("valid");
    expect(bench.chain.balanceOf(SELLER)).toBe(10_000n);
  });

  test("in version 1, by its short network name", async () => {
    const bench = createBench();
    const payment = { x402Version: 1, scheme: "exact", network: "solana-devnet", payload: await bench.sign() };
    expect(await judge(bench, payment, REQUIREMENT_V1)).toBe("valid");
  });

  test("until its block hash is 150 blocks old", async () => {
    const bench = createBench();
    const payload = await bench.sign();
    bench.clock.advance(150 * 400);
    expect(await judge(bench, wrap(payload))).toBe("valid");
    const late = createBench();
    const old = await late.sign();
    late.clock.advance(151 * 400);
    expect(await judge(late, wrap(old))).toBe("invalid_exact_svm_transaction_simulation_failed");
  });

  test("to oneself, which moves nothing", async () => {
    const bench = createBench();
    const payment = wrap(await bench.sign({ to: payer.address }));
    expect(await judge(bench, payment, { ...REQUIREMENT, payTo: payer.address })).toBe("valid");
    expect(bench.chain.balances()).toEqual({ [payer.address]: "100000000" });
  });
});

describe("a payment is refused with the official reason", () => {
  const cases: [reason: string, changes: Partial<SolanaTestTransfer>][] = [
    ["invalid_exact_svm_payload_amount_mismatch", { amount: 10_001n }],
    ["invalid_exact_svm_payload_recipient_mismatch", { to: OTHER }],
    ["invalid_exact_svm_payload_mint_mismatch", { mint: OTHER }],
    ["invalid_exact_svm_fee_payer_mismatch", { fee_payer: OTHER }],
    ["invalid_exact_svm_payload_signature_invalid", { authority: OTHER }],
    [
      "invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high",
      {
        micro_lamports: 5_000_001n,
      },
    ],
    ["invalid_exact_svm_transaction_simulation_failed", { blockhash: OTHER }],
    ["invalid_exact_svm_transaction_simulation_failed", { decimals: 9 }],
    ["invalid_exact_svm_transaction_simulation_failed", { source: OTHER }],
  ];
  test.each(cases)("%s", async (reason, changes) => {
    const bench = createBench();
    expect(await judge(bench, wrap(await bench.sign(changes)))).toBe(reason);
  });

  test("when the payer holds too little", async () => {
    const bench = createBench();
    bench.chain.fund(payer.address, 9_999n);
    expect(await judge(bench, wrap(await bench.sign()))).toBe("invalid_exact_svm_transaction_simulation_failed");
    bench.chain.fund(payer.address, 1n);
    expect(await judge(bench, wrap(await bench.sign()))).toBe("valid");
  });

  test.each([
    ["invalid_payload", wrap({ transaction: 1 }), REQUIREMENT],
    ["invalid_payload", { x402Version: 3, accepted: REQUIREMENT, payload: good }, REQUIREMENT],
    ["invalid_payload", null, REQUIREMENT],
    ["invalid_payment_requirements", wrap(good), { ...REQUIREMENT, amount: "-1" }],
    ["invalid_payment_requirements", wrap(good), REQUIREMENT_V1],
    ["invalid_exact_svm_payload_transaction_could_not_be_decoded", wrap({ transaction: "AAAA" }), REQUIREMENT],
    ["invalid_exact_svm_network_mismatch", wrap(good, { ...REQUIREMENT, network: "solana:x" }), REQUIREMENT],
    ["invalid_exact_svm_payload_missing_fee_payer", wrap(good), { ...REQUIREMENT, extra: null }],
  ])("%s", async (reason, payment, requirement) => {
    expect(await judge(createBench(), payment, requirement)).toBe(reason);
  });

  test("when the chain is full", async () => {
    const bench = createBench({ settlements_max: 1 });
    expect(await judge(bench, wrap(await bench.sign()))).toBe("valid");
    const { success, errorReason } = await bench.chain.settle(wrap(await bench.sign()), REQUIREMENT);
    expect([success, errorReason]).toEqual([false, "invalid_exact_svm_transaction_failed"]);
    expect(bench.chain.settlements()).toHaveLength(1);
  });
});

describe("a settlement", () => {
  test("is named by the fee payer's real signature over the message", async () => {
    const bench = createBench();
    const payment = wrap(await bench.sign());
    const { transaction } = await bench.chain.settle(payment, REQUIREMENT);
    const { transaction: wire } = (await bench.rpc("getTransaction", transaction, { encoding: "base64" })) as {
      transaction: [string, string];
    };
    const sent = VersionedTransaction.deserialize(Buffer.from(wire[0], "base64"));
    const message = sent.message.serialize();
    const ed25519 = (key: string) =>
      crypto.subtle.importKey("raw", Buffer.from(new PublicKey(key).toBytes()), "Ed25519", false, ["verify"]);
    for (const [slot, key] of [FEE_PAYER, payer.address].entries()) {
      const signature = Buffer.from(sent.signatures[slot] ?? []);
      expect(await crypto.subtle.verify("Ed25519", await ed25519(key), signature, Buffer.from(message))).toBe(true);
    }
  });

  test("happens once, whatever the empty signature slot holds; a repeat gets the official reason", async () => {
    const bench = createBench();
    const { transaction } = await bench.sign();
    const bytes = Buffer.from(transaction, "base64");
    const copies = [0, 1, 2, 3].map((junk) => wrap({ transaction: bytes.fill(junk, 1, 65).toString("base64") }));
    const settled = await Promise.all(copies.map((copy) => bench.chain.settle(copy, REQUIREMENT)));
    expect(settled.map(({ errorReason }) => errorReason ?? "settled")).toEqual([
      "settled",
      "duplicate_settlement",
      "duplicate_settlement",
      "duplicate_settlement",
    ]);
    const { isValid, invalidReason } = await bench.chain.verify(copies[0], REQUIREMENT);
    expect([isValid, invalidReason]).toEqual([false, "invalid_exact_svm_transaction_simulation_failed"]);
  });

  test("fails as the second of two of which the payer can afford only one", async () => {
    const bench = createBench();
    bench.chain.fund(payer.address, 10_000n);
    const both = [wrap(await bench.sign()), wrap(await bench.sign())];
    const settled = await Promise.all(both.map((one) => bench.chain.settle(one, REQUIREMENT)));
    expect(settled.map(({ success }) => success)).toEqual([true, false]);
    expect(bench.chain.balanceOf(payer.address)).toBe(0n);
  });

  test("and the money outlive a kill", async () => {
    const folder = mkdtempSync(join(tmpdir(), "intel-node-solana-"));
    const file = join(folder, "chain.jsonl");
    const first = createBench({ file });
    first.chain.fund(OTHER, 5n);
    const payment = wrap(await first.sign());
    const { transaction } = await first.chain.settle(payment, REQUIREMENT);
    const second = createBench({ file, clock: first.clock });
    expect(second.chain.balances()).toEqual({ ...first.chain.balances() });
    expect(second.chain.settlements()).toEqual(first.chain.settlements());
    expect(await second.rpc("getTransaction", transaction, { encoding: "base64" })).toEqual(
      await first.rpc("getTransaction", transaction, { encoding: "base64" }),
    );
    expect(await second.chain.settle(payment, REQUIREMENT)).toMatchObject({ success: false });
    expect(second.chain.settlements()).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });
});

test("money is only given to a valid address", () => {
  const { chain } = createBench();
  expect(() => chain.fund("0x90F79bf6EB2c4f870365E785982E1f101E93b906", 1n)).toThrow(RangeError);
  expect(chain.balanceOf("nobody")).toBeNull();
  expect(chain.balanceOf(OTHER)).toBe(100_000_000n);
});

describe("the RPC", () => {
  test("knows a block hash for 150 blocks and no other", async () => {
    const { rpc, clock, blockhash } = createBench();
    const hash = await blockhash();
    expect(await rpc("isBlockhashValid", hash)).toMatchObject({ value: true });
    expect(await rpc("isBlockhashValid", OTHER)).toMatchObject({ value: false });
    clock.advance(151 * 400);
    expect(await rpc("isBlockhashValid", hash)).toMatchObject({ value: false });
    expect(await blockhash()).not.toBe(hash);
  });

  test("lists an account's transactions, newest first, in pages, with their memos", async () => {
    const bench = createBench();
    const named: string[] = [];
    for (const memo of ["a", "bb", "ccc"]) {
      const { transaction } = await bench.chain.settle(wrap(await bench.sign({ memos: [memo] })), REQUIREMENT);
      named.unshift(transaction);
    }
    const list = async (options: object) =>
      ((await bench.rpc("getSignaturesForAddress", payer.address, options)) as { signature: string }[]).map(
        ({ signature }) => signature,
      );
    expect(await list({})).toEqual(named);
    expect(await list({ limit: 2 })).toEqual(named.slice(0, 2));
    expect(await list({ before: named[0] })).toEqual(named.slice(1));
    expect(await list({ until: named[2] })).toEqual(named.slice(0, 2));
    expect(await bench.rpc("getSignaturesForAddress", payer.address, { limit: 1 })).toMatchObject([
      { memo: "[3] ccc", err: null },
    ]);
    expect(await bench.rpc("getSignaturesForAddress", OTHER)).toEqual([]);
    expect(await bench.rpc("getSignatureStatuses", [named[0], "unknown"])).toMatchObject({
      value: [{ confirmationStatus: "finalized", err: null }, null],
    });
  });

  test("refuses unknown methods, and slots not reached yet", async () => {
    const { rpc, chain } = createBench();
    expect(await rpc("requestAirdrop")).toEqual({ error: -32601 });
    expect(await rpc("toString")).toEqual({ error: -32601 });
    expect(await rpc("getAccountInfo", 1)).toEqual({ error: -32602 });
    expect(await rpc("getTransaction", "1".repeat(64), { encoding: "base64" })).toBeNull();
    expect(await rpc("getTransaction", "z".repeat(88), { encoding: "base64" })).toEqual({ error: -32602 });
    expect(await rpc("getSignaturesForAddress", OTHER, { minContextSlot: 10 ** 12 })).toEqual({ error: -32016 });
    expect(await chain.rpc(undefined)).toMatchObject({ error: { code: -32700 } });
    expect(await chain.rpc([])).toMatchObject({ error: { code: -32600 } });
  });

  test("shows the mint, and the token account of a wallet it knows", async () => {
    const { rpc, chain } = createBench();
    expect(await rpc("getAccountInfo", MINT)).toMatchObject({ value: { space: 82 } });
    expect(await rpc("getAccountInfo", OTHER)).toMatchObject({ value: null });
    chain.fund(SELLER, 7n);
    const { findTestTokenAccount } = await import("../../test-payer-solana.ts");
    const account = await findTestTokenAccount(SELLER, MINT);
    expect(await rpc("getAccountInfo", account)).toMatchObject({ value: { space: 165 } });
    expect(await rpc("getTokenAccountBalance", account)).toMatchObject({ value: { amount: "7", decimals: 6 } });
  });
});
