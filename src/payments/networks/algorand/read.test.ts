import { describe, expect, test } from "bun:test";
import { decodeSignedTransaction, decodeUnsignedTransaction, encodeMsgpack } from "algosdk";
import { PaymentRefusal } from "../../refusal.ts";
import { networkById } from "../table.ts";
import { algorandFamily } from "./index.ts";

const network = networkById("algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k");
if (!network) throw new Error("not in the network table");
const FEE_PAYER = "RKEOHXLUBHYZL7KS3MWTZOS5OLFGOCN7DWKBEG7TOSEADNAPN5OOTUNSLE";
const PAYER = "QE4XODVIPULV6VVDKRTMGTD6ZTFY3CURWTXDPIS56YHVXD6JWOKORTLPBU";
const SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
const NOW_MS = Date.UTC(2026, 0, 15);

/** A payment of 10,000 units by the official client: seeds 0x01 pays the fee, 0x02 pays, 0x03 is paid. */
const GROUP = [
  "iqNmZWXNB9CiZnbNA+ijZ2VurG1haW5uZXQtdjEuMKJnaMQgwGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit+jZ3JwxCBdzCOtqcGO" +
    "FOrJ2fKmGXfzpffuNlh2Jt+Fn1mGII4mNaJsds0D8qRub3RlxA54NDAyLWZlZS1wYXllcqNyY3bEIIqI4910CfGV/VLbLTy6XXLKZwm/HZQS" +
    "G/N0iAG0D29co3NuZMQgiojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1ykdHlwZaNwYXk=",
  "gqNzaWfEQJKXlcR+H6fDRojiOObE0v6Njd8yVnEu9Nt4vuUtbbY/9bBFfBBapuV/5IigK4yBYD3VLJyAFrKBqx1AaDMN6AejdHhui6RhYW10" +
    "zScQpGFyY3bEIO1JKMYo0cLG6ukDOJBZlWEpWSc6XGP5NjbBRhSshzfRomZ2zQPoo2dlbqxtYWlubmV0LXYxLjCiZ2jEIMBhxNj8Hb3e0tdg" +
    "S+RWjj9tBBmHrDe95LYgtas5JIrfo2dycMQgXcwjranBjhTqydnyphl386X37jZYdibfhZ9ZhiCOJjWibHbNA/Kkbm90ZcQIdmVjdG9yLTGj" +
    "c25kxCCBOXcOqH0XX1ajVGbDTH7My42KkbTuN6Jd9g9bj8mzlKR0eXBlpWF4ZmVypHhhaWTOAeGrcA==",
];
const vector = { paymentGroup: GROUP, paymentIndex: 1 };
const requirement = {
  scheme: "exact",
  network: network.id,
  amount: "10000",
  asset: network.asset,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { feePayer: FEE_PAYER },
} as const;

describe("the payment of the official client", () => {
  test("is named by the transaction that pays, its payer, and who is asked to pay the fee", () => {
    const signed = algorandFamily.identify({ network, payload: vector, now_ms: NOW_MS });
    expect(signed).toMatchObject({
      replay_key: "avm:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k:K532774LLGWI2CJWNFCEV5VBPFW5J5ZDRXLATQQNAEY4EGLBCCJA",
      payer: PAYER,
      fee_payer: FEE_PAYER,
      valid_until_ms: NOW_MS + 28_000,
    });
    expect(JSON.parse(signed.payload_json)).toEqual(vector);
  });

  test("passes every check, and its signature is good", async () => {
    algorandFamily.check({ requirement, payload: vector, now_ms: NOW_MS, fee_payers: [FEE_PAYER] });
    expect(await algorandFamily.checkSignature({ network, payload: vector })).toBe("yes");
  });
});

const decode = (text: string | undefined): Buffer => Buffer.from(text ?? "", "base64");
const wordOf = (work: () => unknown): string => {
  try {
    work();
    return "taken";
  } catch (error) {
    if (error instanceof PaymentRefusal) return error.diagnostic.reason;
    throw error;
  }
};
const identify = (payload: Readonly<Record<string, unknown>>) =>
  algorandFamily.identify({ network, payload, now_ms: NOW_MS });

describe("a group is read only in the one form that is signed", () => {
  const [fee = "", pays = ""] = GROUP;
  const bytes = decode(pays);
  const readChanged = (change: (copy: Buffer) => Uint8Array): string =>
    wordOf(() =>
      identify({ paymentGroup: [fee, Buffer.from(change(Buffer.from(bytes))).toString("base64")], paymentIndex: 1 }),
    );

  test("every byte of it that is changed gives another payment, another signature, or no payment", () => {
    const [known, hash] = [identify(vector).replay_key, identify(vector).payload_hash];
    let taken = 0;
    for (let at = 0; at < bytes.length; at++) {
      for (const flip of [1, 0x20, 0x80]) {
        const copy = Buffer.from(bytes);
        copy.writeUInt8(copy.readUInt8(at) ^ flip, at);
        const payload = { paymentGroup: [fee, copy.toString("base64")], paymentIndex: 1 };
        const word = wordOf(() => {
          const signed = identify(payload);
          expect(signed.payload_hash).not.toBe(hash);
          const in_signature = at >= 7 && at < 71;
          expect(signed.replay_key === known).toBe(in_signature);
          taken += 1;
        });
        expect(["taken", "invalid_transaction", "invalid_validity_window", "payment_not_signed"]).toContain(word);
      }
    }
    // Those in the signature, the keys, the note and the numbers.
    expect(taken).toBeGreaterThan(500);
  });

  test("what was taken has the id that the official library gives it", () => {
    const read = decodeSignedTransaction(bytes);
    expect(identify(vector).replay_key.split(":")[2]).toBe(read.txn.txID());
    expect(Buffer.from(encodeMsgpack(read)).equals(bytes)).toBe(true);
    expect(decodeUnsignedTransaction(decode(fee)).sender.toString()).toBe(FEE_PAYER);
  });

  test.each<[string, (copy: Buffer) => Uint8Array]>([
    ["something after the end", (copy) => Buffer.concat([copy, Uint8Array.of(0)])],
    ["cut off", (copy) => copy.subarray(0, -1)],
    ["a map in a longer form", (copy) => Buffer.concat([Uint8Array.of(0xde, 0, 2), copy.subarray(1)])],
    ["nothing", () => new Uint8Array()],
    ["deeper than any transaction", () => new Uint8Array(2_000).fill(0x91)],
    ["a list that says it has 65535 members", () => Uint8Array.of(0x81, 0xa1, 0x61, 0xdc, 0xff, 0xff)],
    ["a text that is no UTF-8", () => Uint8Array.of(0x81, 0xa1, 0xff, 0x01)],
    ["names in the wrong order", () => Uint8Array.of(0x82, 0xa1, 0x62, 1, 0xa1, 0x61, 1)],
    ["a name twice", () => Uint8Array.of(0x82, 0xa1, 0x61, 1, 0xa1, 0x61, 1)],
    ["an entry that is zero", () => Uint8Array.of(0x81, 0xa1, 0x61, 0)],
    ["a number in a longer form", () => Uint8Array.of(0x81, 0xa1, 0x61, 0xcc, 1)],
    ["a negative number", () => Uint8Array.of(0x81, 0xa1, 0x61, 0xff)],
  ])("not with %s", (_, change) => {
    expect(readChanged(change)).toBe("invalid_transaction");
  });
});

test("the requirement carries the facilitator's fee payer and its tag, and nothing else", () => {
  const extra = (supported: Record<string, unknown>) => algorandFamily.requirementExtra(network, supported);
  expect(extra({ feePayer: FEE_PAYER, tag: "t", decimals: 6 })).toEqual({ feePayer: FEE_PAYER, tag: "t" });
  expect(extra({ feePayer: `${FEE_PAYER.slice(0, -1)}A`, tag: "" })).toEqual({});
});

test.each([
  [SELLER, true],
  [`${SELLER.slice(0, -1)}N`, false],
  [`A${SELLER.slice(1)}`, false],
  [SELLER.toLowerCase(), false],
  [SELLER.slice(1), false],
  ["", false],
])("an address is 32 bytes and their checksum in base32: %s", (text, is) => {
  expect(algorandFamily.isAddress(text)).toBe(is);
});
