import { describe, expect, test } from "bun:test";
import type { IncomeRow } from "../../ledger/list-income.ts";
import { networkById } from "../networks/table.ts";
import type { IncomingTransfer } from "../types.ts";
import { compareIncome } from "./compare-income.ts";

const base = networkById("eip155:84532");
if (!base) throw new Error("no Base Sepolia");
const PAY_TO = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const PERIOD = { from_ms: 10_000, until_ms: 20_000 };

const came = (transaction: string, changes: Partial<IncomingTransfer> = {}): IncomingTransfer => ({
  transaction,
  from: "0xb",
  amount: 100n,
  at_ms: 15_000,
  ...changes,
});
const booked = (transaction: string, changes: Partial<IncomeRow> = {}): IncomeRow => ({
  receipt_id: `rcpt_${transaction}`,
  network: base.id,
  transaction,
  amount: 100n,
  payer: "0xb",
  pay_to: PAY_TO.toLowerCase(),
  booked_at_ms: 15_000,
  on_chain: null,
  ...changes,
});
const compare = (
  transfers: readonly IncomingTransfer[],
  rows: readonly IncomeRow[],
  explained: readonly string[] = [],
) => {
  const known = { booked: rows, explained: new Set(explained) };
  return compareIncome({ network: base, pay_to: PAY_TO, ...PERIOD, transfers, ...known });
};

describe("the wallet and the books", () => {
  test("are equal, whatever the case of an id", () => {
    const { transactions, equal, unbooked, not_on_chain } = compare([came("0xAB")], [booked("0xab")]);
    expect({ transactions, equal, unbooked, not_on_chain }).toEqual({
      transactions: 1,
      equal: 1,
      unbooked: [],
      not_on_chain: [],
    });
  });

  test("differ by what came and was never booked, with who is owed it", () => {
    const { unbooked, not_on_chain } = compare(
      [came("0x1"), came("0x2", { from: "0xc", amount: 700n })],
      [booked("0x1")],
    );
    expect(unbooked).toEqual([{ transaction: "0x2", from: "0xc", amount: 700n, at_ms: 15_000 }]);
    expect(not_on_chain).toEqual([]);
  });

  test("do not differ by what the operator explained, nor by what is too little to be a sale", () => {
    const rows = [booked("0x1")];
    const transfers = [came("0x1"), came("0x2"), came("0x3", { amount: 99n }), came("0x4", { amount: 1n })];
    const { unbooked, explained, dust, equal } = compare(transfers, rows, ["0x2"]);
    expect([unbooked, explained.map(({ transaction }) => transaction)]).toEqual([[], ["0x2"]]);
    expect([dust, equal]).toEqual([{ count: 2, amount: 100n }, 1]);
  });

  test("a node that sells nothing takes less than a tenth of a cent for dust", () => {
    const { unbooked, dust } = compare([came("0x1", { amount: 1_000n }), came("0x2", { amount: 999n })], []);
    expect([unbooked.map(({ transaction }) => transaction), dust.count]).toEqual([["0x1"], 1]);
  });

  test("what nobody looked into is counted, and is no difference", () => {
    const { unbooked, unopened, equal } = compare(
      [came("0x1", { amount: null }), came("0x2", { amount: null })],
      [booked("0x1")],
    );
    expect([unbooked, unopened, equal]).toEqual([[], 1, 1]);
  });

  test("differ by what was booked and never came", () => {
    const lost = booked("0x9");
    const { unbooked, not_on_chain } = compare([came("0x1")], [booked("0x1"), lost]);
    expect(unbooked).toEqual([]);
    expect(not_on_chain).toEqual([lost]);
  });

  test("are compared by transaction: one may settle several payments, and bring more than was booked", () => {
    const transfers = [came("0x1"), came("0x1"), came("0x2"), came("0x2", { amount: 50n })];
    const { equal, unbooked } = compare(transfers, [booked("0x1"), booked("0x1"), booked("0x2")]);
    expect(equal).toBe(1);
    expect(unbooked).toEqual([{ transaction: "0x2", from: "0xb", amount: 50n, at_ms: 15_000 }]);
  });

  test("a sale that is booked after the end of the period, or landed before its start, is in both", () => {
    const late = { transfers: [came("0x1", { at_ms: 19_999 })], rows: [booked("0x1", { booked_at_ms: 20_001 })] };
    const early = { transfers: [came("0x2", { at_ms: 9_999 })], rows: [booked("0x2", { booked_at_ms: 10_001 })] };
    for (const { transfers, rows } of [late, early]) {
      const { unbooked, not_on_chain } = compare(transfers, rows);
      expect([unbooked, not_on_chain]).toEqual([[], []]);
    }
  });

  test("what lies outside the period, on another network or at another address is no difference", () => {
    const outside = [came("0x1", { at_ms: 20_000 }), came("0x2", { at_ms: 9_999 })];
    const others = [
      booked("0x3", { network: "eip155:8453" }),
      booked("0x4", { pay_to: "0x0000000000000000000000000000000000000001" }),
      booked("0x5", { booked_at_ms: 20_000 }),
    ];
    const { transactions, unbooked, not_on_chain } = compare(outside, others);
    expect([transactions, unbooked, not_on_chain]).toEqual([0, [], []]);
  });

  test("what channels brought is income of the address of now", () => {
    const sweep = booked("0x1", { receipt_id: null, payer: null, pay_to: null });
    expect(compare([came("0x1")], [sweep]).unbooked).toEqual([]);
  });

  test("a known transaction that was not opened counts as it was booked", () => {
    const { equal, unbooked } = compare([came("0x1", { from: null, amount: null })], [booked("0x1")]);
    expect([equal, unbooked]).toEqual([1, []]);
  });
});
