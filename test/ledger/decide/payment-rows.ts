import { decideCouponHold, decideCouponUse } from "../../../src/ledger/decide/coupons.ts";
import {
  assertMoves,
  decideBegin,
  decideKeep,
  decideMove,
  decideSettle,
  type EndState,
} from "../../../src/ledger/decide/payments.ts";
import { PAYMENT_STATES, type PaymentState } from "../../../src/ledger/payment-row.ts";
import { freeze, promotion, revenue, row } from "./row.ts";

const ofBegin = row("payment_begin");
const ofKeep = row("payment_keep");
const ofMove = row("payment_move");
const ofSettle = row("payment_settle");
const ofCoupon = row("coupon_hold");
const ofCouponUse = row("coupon_use");

const RUNNING = ["received", "verified", "producing"] as const;
const MOVING = ["settling", "unknown"] as const;
const OVER = ["rejected", "abandoned", "settle_failed"] as const;
/** From which states a payment may come to another one; from all others it stays. */
const MAY_COME_FROM = {
  rejected: RUNNING,
  abandoned: RUNNING,
  settle_failed: MOVING,
  unknown: MOVING,
} as const satisfies Record<EndState, readonly PaymentState[]>;
const END_STATES = Object.keys(MAY_COME_FROM) as readonly EndState[];
const may = (to: EndState, from: PaymentState): boolean => MAY_COME_FROM[to].some((state) => state === from);
const isOver = (state: PaymentState): boolean => OVER.some((one) => one === state);

const begins = PAYMENT_STATES.map((state) =>
  ofBegin(isOver(state) ? "restarted" : "known", `one that is ${state}`, { decide: () => decideBegin(state) }),
);
const moves = PAYMENT_STATES.flatMap((from) =>
  END_STATES.map((to) =>
    ofMove(may(to, from) ? "moved" : "stays", `from ${from} to ${to}`, { decide: () => decideMove(to, from) }),
  ),
);
/** Of a payment over its price. */
const FLAT = { amount: 40n, charge: null };
const keeps = PAYMENT_STATES.map((state) =>
  ofKeep(RUNNING.some((one) => one === state) ? "kept" : "not_taken", `the answer of one that is ${state}`, {
    decide: () => decideKeep("pay_1", freeze({ ...FLAT, state, holder: null })),
    frees: null,
    charged: null,
  }),
);
const names = PAYMENT_STATES.map((state) =>
  ofKeep(isOver(state) ? "kept" : "identifier_taken", `the name of another one that is ${state}`, {
    decide: () => decideKeep("pay_1", freeze({ ...FLAT, state: "verified" as const, holder: { id: "pay_2", state } })),
    frees: isOver(state) ? "pay_2" : null,
    charged: null,
  }),
);

const settle = freeze({ id: "pay_1", chain_transaction: "0xabc" });
const payment = (state: PaymentState, { receipt_id = null as string | null, is_purchase = false } = {}) =>
  freeze({ state, receipt_id, network: "eip155:8453", amount: 40n, is_purchase });
const sale = {
  kind: "sale",
  reference: "pay_1",
  from: { id: "chain:eip155:8453", kind: "chain" },
  to: revenue("sales"),
  amount: 40n,
};

const coupon = { is_taken: false, client_has_one: false, spent: 60n };

export const PAYMENT_ROWS = [
  ofBegin("started", "one that nobody has seen", { decide: () => decideBegin(null) }),
  ...begins,
  ...moves,
  ofMove("stays", "one that is not there", { decide: () => decideMove("abandoned", null) }),
  ...keeps,
  ...names,
  ofKeep("not_taken", "the answer of one whose row is not there", {
    decide: () => decideKeep("pay_1", freeze({ ...FLAT, amount: null, state: null, holder: null })),
    frees: null,
    charged: null,
  }),
  ...[1n, 39n, 40n].map((charge) =>
    ofKeep("kept", `an answer that is charged ${charge} of what was signed`, {
      decide: () => decideKeep("pay_1", freeze({ state: "received", holder: null, amount: 40n, charge })),
      frees: null,
      charged: { amount: charge, authorized: 40n },
    }),
  ),
  ofKeep("kept", "its own name again", {
    decide: () =>
      decideKeep("pay_1", freeze({ ...FLAT, state: "verified", holder: { id: "pay_1", state: "verified" } })),
    frees: null,
    charged: null,
  }),
  ofKeep("not_taken", "a name is not taken from another one for an answer that cannot be kept", {
    decide: () =>
      decideKeep("pay_1", freeze({ ...FLAT, state: "settled", holder: { id: "pay_2", state: "rejected" } })),
    frees: null,
    charged: null,
  }),
  ...MOVING.map((state) =>
    ofSettle("settled", `a call, from ${state}`, {
      decide: () => decideSettle(settle, freeze({ payment: payment(state), paid_for: null })),
      transfers: [sale],
    }),
  ),
  ofSettle("settled", "a plan: where its money goes the grant says", {
    decide: () => decideSettle(settle, freeze({ payment: payment("settling", { is_purchase: true }), paid_for: null })),
  }),
  ofSettle("settled_before", "the second one who learns of it", {
    decide: () =>
      decideSettle(settle, freeze({ payment: payment("settled", { receipt_id: "rcp_1" }), paid_for: null })),
    receipt_id: "rcp_1",
  }),
  ofSettle("settled_before", "even when the transaction paid for another one as well", {
    decide: () =>
      decideSettle(settle, freeze({ payment: payment("settled", { receipt_id: "rcp_1" }), paid_for: "pay_2" })),
    receipt_id: "rcp_1",
  }),
  ofSettle("transaction_taken", "a transaction of the chain pays once", {
    decide: () => decideSettle(settle, freeze({ payment: payment("settling"), paid_for: "pay_2" })),
    reason: "transaction 0xabc paid for pay_2",
  }),
  ofCoupon("held", "the last unit of the budget", {
    decide: () => decideCouponHold({ amount: 40n, budget: 100n }, freeze(coupon)),
  }),
  ofCoupon("budget_spent", "one unit too few", {
    decide: () => decideCouponHold({ amount: 41n, budget: 100n }, freeze(coupon)),
  }),
  ofCoupon("client_used_one", "a client's second one, before the budget is looked at", {
    decide: () => decideCouponHold({ amount: 41n, budget: 100n }, freeze({ ...coupon, client_has_one: true })),
  }),
  ofCoupon("used_before", "one that is held or used, before all else", {
    decide: () =>
      decideCouponHold({ amount: 41n, budget: 100n }, freeze({ ...coupon, is_taken: true, client_has_one: true })),
  }),
  ofCouponUse("used", "the node bears the price", {
    decide: () => decideCouponUse("cpn_1", freeze({ amount: 40n })),
    transfers: [
      { kind: "coupon", reference: "coupon:cpn_1", from: promotion("welcome"), to: revenue("calls"), amount: 40n },
    ],
  }),
];

export const BROKEN_PAYMENTS = [
  ...[-1n, 0n, 41n].map((charge) => ({
    says: `of 40 that were signed, ${charge} is not charged`,
    decide: () => decideKeep("pay_1", { state: "received", holder: null, amount: 40n, charge }),
  })),
  { says: "a coupon that is not held is not used", decide: () => decideCouponUse("cpn_1", null) },
  { says: "a move that must come about and cannot", decide: () => assertMoves("pay_1", "unknown", "settled") },
  ...[...RUNNING, ...OVER].map((state) => ({
    says: `a payment that is ${state} does not settle`,
    decide: () => decideSettle(settle, { payment: payment(state), paid_for: null }),
  })),
  {
    says: "a payment that was settled without a receipt is not settled again",
    decide: () => decideSettle(settle, { payment: payment("settled"), paid_for: null }),
  },
  {
    says: "a payment that is over does not become unknown, whatever its transaction paid for",
    decide: () => decideSettle(settle, { payment: payment("rejected"), paid_for: "pay_2" }),
  },
];
