import { expect, test } from "bun:test";
import { refuseSettled } from "./settle-refusal.ts";
import { mayBeEmptyWallet, toRefusal } from "./verify-refusal.ts";

test.each([
  ["insufficient_funds", "insufficient_funds", true, "fund it"],
  ["invalid_exact_evm_insufficient_balance", "insufficient_funds", true, "fund it"],
  ["permit2_allowance_required", "invalid_payment", true, "approve the Permit2"],
  ["invalid_exact_evm_payload_authorization_valid_before", "payment_expired", false, "sign a new one"],
  ["payment_expired", "payment_expired", false, "sign a new one"],
  ["amount_mismatch", "amount_mismatch", false, "sign a new one"],
  ["authorization_value_mismatch", "amount_mismatch", false, "sign a new one"],
  ["gas_too_high", "invalid_payment", false, "more gas"],
  ["transaction_simulation_failed", "invalid_payment", false, "tried out"],
  ["whatever it says", "invalid_payment", false, "sign a new one"],
])("a facilitator's %s is %s; the same payment may come again: %p", (reason, code, again, hint) => {
  const refusal = toRefusal(reason);
  expect(refusal.code).toBe(code as typeof refusal.code);
  expect(refusal.diagnostic).toMatchObject({ retryable: again, same_payment: again });
  expect(refusal.diagnostic.hint).toContain(hint);
});

test("an empty wallet is seen by its word, or by a trial that failed", () => {
  const reasons = ["insufficient_funds", "x_insufficient_balance", "simulation_failed", "expired"];
  expect(reasons.map(mayBeEmptyWallet)).toEqual([true, true, true, false]);
});

test("a refused settlement withholds the data, but for what the buyer paid somebody else for", () => {
  const about = { reason: "no funds!", network: "eip155:8453", payer: "0xpayer" };
  const plain = refuseSettled(about, { body: '{"a":1}' });
  expect(plain.diagnostic).toMatchObject({ reason: "no_funds_", retryable: false, same_payment: false });
  expect(plain.diagnostic.hint).toContain("the data is withheld");
  expect([plain.failed_settlement, plain.options.details]).toEqual([
    { network: "eip155:8453", payer: "0xpayer" },
    undefined,
  ]);
  const passed_on = {
    origin: "https://seller.example",
    network: "eip155:8453",
    asset: "0xusdc",
    pay_to: "0xseller",
    amount_atomic: null,
    at: "2026-03-01T12:00:00Z",
  };
  const owed = refuseSettled(about, { body: '{"a":1}', passed_on });
  expect(owed.diagnostic.hint).toContain("what your payment to https://seller.example has brought is in `answer`");
  expect(owed.options).toMatchObject({ passed_on, details: { answer: { a: 1 } } });
});
