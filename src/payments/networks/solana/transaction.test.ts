import { describe, expect, test } from "bun:test";
import { Keypair, MessageV0, PublicKey, VersionedTransaction } from "@solana/web3.js";
import { findTestTokenAccount } from "../../../sandbox/test-payer-solana.ts";
import { findTokenAccount, isOnCurve } from "./token-account.ts";
import { parseTransaction } from "./transaction.ts";

const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
/** Bytes that follow from a number, so that a failure comes again. */
const digest = (index: number): Uint8Array => new Bun.CryptoHasher("sha256").update(`key ${index}`).digest();

describe("the token account of an owner", () => {
  test("of the published example", () => {
    const account = findTokenAccount("GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse", MINT);
    expect(account).toBe("DNDTCnZkNk358qDFZd9unHtnrc73SsXcpVWtwJJMrR4B");
  });

  test("is the one the Solana library derives, for 200 owners", async () => {
    for (let index = 0; index < 200; index++) {
      const owner = Keypair.fromSeed(digest(index)).publicKey.toBase58();
      expect(findTokenAccount(owner, MINT)).toBe(await findTestTokenAccount(owner, MINT));
    }
  });

  test("of an invalid address is an error", () => {
    expect(() => findTokenAccount("nobody", MINT)).toThrow(RangeError);
  });
});

describe("whether 32 bytes are on the curve", () => {
  test("is what the Solana library says, for 2,000 hashes", () => {
    for (let index = 0; index < 2_000; index++) {
      const bytes = digest(index);
      expect([index, isOnCurve(bytes)]).toEqual([index, PublicKey.isOnCurve(bytes)]);
    }
  });

  // y = 0, 1 and p - 1 in both signs.
  test.each(["00".repeat(32), `01${"00".repeat(31)}`, `ec${"ff".repeat(30)}7f`])("at the corners: %s", (text) => {
    const bytes = Buffer.from(text, "hex");
    expect(isOnCurve(bytes)).toBe(PublicKey.isOnCurve(bytes));
  });
});

const keys = Array.from({ length: 5 }, (_, index) => new PublicKey(digest(index)));
interface Shape {
  readonly header?: [number, number, number];
  readonly accounts?: readonly PublicKey[];
  readonly indexes?: readonly number[];
  readonly program?: number;
  readonly data?: Uint8Array;
  readonly tables?: boolean;
}
function build({ header = [2, 0, 1], accounts = keys, indexes = [1, 2], program = 4, data, tables }: Shape = {}) {
  const [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts] = header;
  const table = { accountKey: new PublicKey(digest(9)), writableIndexes: [0], readonlyIndexes: [] };
  const message = new MessageV0({
    header: { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts },
    staticAccountKeys: [...accounts],
    recentBlockhash: new PublicKey(digest(7)).toBase58(),
    compiledInstructions: [
      { programIdIndex: program, accountKeyIndexes: [...indexes], data: data ?? Uint8Array.of(1) },
    ],
    addressTableLookups: tables ? [table] : [],
  });
  return new VersionedTransaction(message).serialize();
}

describe("a transaction is read", () => {
  test("as it was built", () => {
    const bytes = build();
    const parsed = parseTransaction(bytes);
    expect(parsed?.accounts).toEqual(keys.map((key) => hex(key.toBytes())));
    expect(parsed?.signatures).toHaveLength(2);
    expect(hex(parsed?.blockhash ?? new Uint8Array())).toBe(hex(digest(7)));
    expect(hex(parsed?.message ?? new Uint8Array())).toBe(hex(bytes.subarray(129)));
    expect(parsed?.instructions).toEqual([{ program: 4, accounts: [1, 2], data: Uint8Array.of(1) }]);
    expect(parsed?.lookup_tables).toBe(0);
  });

  test("with data of more than 127 bytes", () => {
    const data = new Uint8Array(300).fill(7);
    expect(parseTransaction(build({ data }))?.instructions[0]?.data).toEqual(data);
  });

  test("when it uses lookup tables, as far as saying so", () => {
    expect(parseTransaction(build({ tables: true }))?.lookup_tables).toBe(1);
  });
});

describe("no transaction is", () => {
  const good = Buffer.from(build());
  const edit = (at: number, value: number) => {
    const bytes = Buffer.from(good);
    bytes.writeUInt8(value, at);
    return bytes;
  };
  const cases: [what: string, bytes: Uint8Array][] = [
    ["one byte too many", Buffer.concat([good, Uint8Array.of(0)])],
    ["a longer spelling of a length", Buffer.concat([Uint8Array.of(0x82, 0), good.subarray(1)])],
    ["another version", edit(129, 0x81)],
    ["fewer signatures than signers", Buffer.concat([Uint8Array.of(1), good.subarray(65)])],
    ["a fee payer that is read-only", build({ header: [2, 2, 1] })],
    ["more kinds of accounts than accounts", build({ header: [2, 0, 4] })],
    ["an account twice", build({ accounts: [...keys.slice(0, 4), keys[0] as PublicKey] })],
    ["an account that is not there", build({ indexes: [5] })],
    ["a program that is not there", build({ program: 5 })],
    ["the fee payer as a program", build({ program: 0 })],
    ["more than a packet holds", build({ data: new Uint8Array(1_000) })],
    ["nothing", new Uint8Array()],
  ];
  test.each(cases)("%s", (_, bytes) => {
    expect(parseTransaction(good)).not.toBeNull();
    expect(parseTransaction(bytes)).toBeNull();
  });

  test("any beginning of one", () => {
    for (let length = 0; length < good.length; length++) expect(parseTransaction(good.subarray(0, length))).toBeNull();
  });
});
