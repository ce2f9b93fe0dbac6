import { describe, expect, test } from "bun:test";
import { createStillClock, START_MS } from "../../../test/helpers/still-clock.ts";
import type { PaymentRow } from "../../ledger/payment-row.ts";
import type { ResolvedPayment } from "../reconcile.ts";
import type { GateParts } from "./parts.ts";
import { answerOf, owedOf, recall, showTo } from "./recall.ts";

const WINDOW_MS = 86_400_000;
const SETTLED: PaymentRow = {
  id: "pay_1",
  replay_key: "key",
  payload_hash: "hash",
  fingerprint: "request",
  product: "fx/forex-rate",
  network: "eip155:8453",
  asset: "0xusdc",
  payer: "0xpayer",
  pay_to: "0xseller",
  amount: 10_000n,
  valid_until_ms: START_MS + 60_000,
  payload: "{}",
  state: "settled",
  authorized: null,
  facilitator: "one",
  reason: null,
  answer: '{"n":1}',
  chain_transaction: "0xtx",
  hint_transaction: null,
  delivered: true,
  receipt_id: "rcp_1",
  identifier: null,
  proof: null,
  purchase: null,
  door: null,
  created_at_ms: START_MS,
  updated_at_ms: START_MS,
};
const PASSED_ON = {
  origin: "https://seller.example",
  network: "eip155:8453",
  asset: "0xusdc",
  pay_to: "0xother",
  amount_atomic: "5000",
  at: "2026-03-01T12:00:00Z",
};

/** A gate that knows of what `passed_on` says, and counts fetches without proof. */
function createGate({ is_owed = false, age_ms = 0 } = {}) {
  const taken: string[] = [];
  const parts: Partial<GateParts> = {
    clock: createStillClock(START_MS + age_ms),
    replay_window_ms: WINDOW_MS,
    unproven: { take: ({ id, client }) => void taken.push(`${id} ${client}`) },
    revealStored: async ({ id }) => `the key of ${id}`,
    findPassedOn: () => (is_owed ? PASSED_ON : null),
  };
  return { taken, gate: parts as GateParts };
}

const ASKED = { payload_hash: "hash", fingerprint: "request", is_buyer: false, is_copy: false, client: "192.0.2.1" };
const asked = (row: Partial<ResolvedPayment>, more: Partial<typeof ASKED> = {}) => ({
  ...ASKED,
  ...more,
  row: { ...SETTLED, ...row },
});

describe("a settled payment that is sent again", () => {
  test("gets its answer for the replay window, which a stranger has counted against him", () => {
    const { gate, taken } = createGate({ age_ms: WINDOW_MS - 1 });
    const answer = recall(gate, asked({}));
    expect(answer).toMatchObject({ body: '{"n":1}', receipt_id: "rcp_1", from: "replay", settled_at_ms: START_MS });
    expect(answer?.settlement).toEqual({ transaction: "0xtx", network: "eip155:8453", payer: "0xpayer" });
    expect(taken).toEqual(["pay_1 192.0.2.1"]);
    const late = createGate({ age_ms: WINDOW_MS });
    expect(() => recall(late.gate, asked({}))).toThrow("receipt rcp_1");
    expect(late.taken).toEqual([]);
  });

  test("by its buyer, or as a copy of the call that settled it, is not counted", () => {
    const { gate, taken } = createGate();
    for (const who of [{ is_buyer: true }, { is_copy: true }]) expect(recall(gate, asked({}, who))).not.toBeNull();
    expect(taken).toEqual([]);
  });

  test("for another request, with another signature or after its bytes were pruned is spent", () => {
    const { gate, taken } = createGate();
    for (const one of [
      asked({}, { fingerprint: "another" }),
      asked({}, { payload_hash: "another" }),
      asked({ answer: null }),
      asked({ receipt_id: null }),
      asked({ chain_transaction: null }),
    ]) {
      expect(() => recall(gate, one)).toThrow(expect.objectContaining({ code: "payment_already_used" }));
    }
    expect(taken).toEqual([]);
  });

  test("says what was charged where that may be less than what was signed", () => {
    const { gate } = createGate();
    expect(recall(gate, asked({ authorized: 20_000n }))?.charge).toBe(10_000n);
    expect(recall(gate, asked({}))?.charge).toBeUndefined();
  });
});

test("a purchase shows its secret to its buyer alone; data has none", async () => {
  const { gate } = createGate();
  const bought = answerOf({ ...SETTLED, purchase: "{}" }, "replay", gate);
  if (!bought) throw new Error("it is settled");
  expect((await showTo(bought, true)).body).toBe("the key of pay_1");
  expect((await showTo(bought, false)).body).toBe('{"n":1}');
  expect(answerOf(SETTLED, "replay", gate)?.reveal).toBeUndefined();
  expect(answerOf({ ...SETTLED, purchase: "{}" }, "replay", {})?.reveal).toBeUndefined();
});

describe("a payment that came to nothing", () => {
  test("starts over when it was never sent to the chain, for any sender and call", () => {
    const { gate } = createGate({ is_owed: true });
    for (const state of ["rejected", "abandoned"] as const) {
      expect(recall(gate, asked({ state }, { fingerprint: "another" }))).toBeNull();
    }
  });

  test("may be known from the chain: it starts over for what it was meant for, a purchase by its buyer", () => {
    const { gate } = createGate();
    const failed = { state: "settle_failed", answer: null } as const;
    expect(recall(gate, asked(failed))).toBeNull();
    for (const other of [{ fingerprint: "another" }, { payload_hash: "another" }]) {
      expect(() => recall(gate, asked(failed, { ...other, is_buyer: true }))).toThrow("tried for another request");
    }
    expect(() => recall(gate, asked({ ...failed, purchase: "{}" }))).toThrow("without proof that it is yours");
    expect(recall(gate, asked({ ...failed, purchase: "{}" }, { is_buyer: true }))).toBeNull();
  });

  test("hands over what the buyer's own money bought elsewhere, counted for a stranger", () => {
    const { gate, taken } = createGate({ is_owed: true, age_ms: WINDOW_MS - 1 });
    const owed = { code: "settlement_failed", options: expect.objectContaining({ passed_on: PASSED_ON }) };
    const state = "settle_failed";
    expect(() => recall(gate, asked({ state }))).toThrow(expect.objectContaining(owed));
    for (const who of [{ is_buyer: true }, { is_copy: true }])
      expect(() => recall(gate, asked({ state }, who))).toThrow(expect.objectContaining(owed));
    expect(taken).toEqual(["pay_1 192.0.2.1"]);
  });

  test("owes nothing after the window, without an answer, or where nothing left for somebody else", () => {
    const failed = { ...SETTLED, state: "settle_failed" } as const;
    const { gate } = createGate({ is_owed: true });
    expect(owedOf(failed, gate)).toEqual({ body: '{"n":1}', passed_on: PASSED_ON });
    expect(owedOf(SETTLED, gate)).toBeNull();
    expect(owedOf({ ...failed, answer: null }, gate)).toBeNull();
    expect(owedOf(failed, createGate({ is_owed: true, age_ms: WINDOW_MS }).gate)).toBeNull();
    expect(owedOf(failed, createGate().gate)).toBeNull();
  });
});

test("an open payment is sent again, one that cannot land is signed anew; another request finds it spent", () => {
  const { gate } = createGate();
  const told = (row: Partial<ResolvedPayment>) => {
    try {
      return recall(gate, asked({ state: "unknown", ...row }));
    } catch (error) {
      return error;
    }
  };
  const open = { charge_unknown: true, retry_after_s: 5 };
  expect(told({})).toMatchObject({
    code: "settlement_unknown",
    options: { ...open, details: { diagnostic: { same_payment: true, retryable: true } } },
  });
  expect(told({ given_up: true })).toMatchObject({
    code: "settlement_unknown",
    options: { ...open, details: { diagnostic: { same_payment: false, retryable: true } } },
  });
  const another = () => recall(gate, asked({ state: "unknown" }, { fingerprint: "another" }));
  expect(another).toThrow(expect.objectContaining({ code: "payment_already_used" }));
  expect(() => recall(gate, asked({ state: "settling" }))).toThrow("being worked on");
});
