import { expect, test } from "bun:test";
import { computeTrust } from "./compute.ts";

test("amounts keep every digit, and a time is there only after the first receipt", () => {
  const total = { count: 2, amount_atomic: 9_007_199_254_740_993n };
  const none = { count: 0, amount_atomic: 0n };
  const known = { node_id: "in1a", public_key: "key", receipts: { organic: total, operator_test: none }, paid: null };
  const { data } = computeTrust({ ...known, last_ms: Date.UTC(2026, 0, 2) }, { now_ms: 5 });
  expect(data).toMatchObject({
    receipts: { organic: { count: 2, amount_atomic: "9007199254740993" }, operator_test: { amount_atomic: "0" } },
    last_settled_at: "2026-01-02T00:00:00Z",
  });
  expect(computeTrust({ ...known, last_ms: null }, { now_ms: 5 })).toMatchObject({
    as_of_ms: 5,
    data: { last_settled_at: null },
  });
});

test("a wallet gets its earlier settlements, a key the reason why there are none", () => {
  const none = { count: 0, amount_atomic: 0n };
  const known = { node_id: "in1a", public_key: "key", receipts: { organic: none, operator_test: none }, last_ms: null };
  const paid = computeTrust({ ...known, paid: { count: 3, amount_atomic: 15_000n } }, { now_ms: 5 });
  expect(paid.data.your_payments).toEqual({ count: 3, amount_atomic: "15000" });
  expect(paid.warnings).toEqual([]);
  const by_key = computeTrust({ ...known, paid: null }, { now_ms: 5 });
  expect([by_key.data.your_payments, by_key.warnings]).toEqual([null, ["your_payments: no wallet paid for this call"]]);
});
