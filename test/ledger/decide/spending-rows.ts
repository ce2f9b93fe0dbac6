import type { Charge } from "../../../src/ledger/charge.ts";
import {
  decideDebit,
  decideGiveBack,
  decideHold,
  decidePost,
  decideRefund,
  type Hold,
  type Spending,
} from "../../../src/ledger/decide/spending.ts";
import { credit, freeze, revenue, row } from "./row.ts";

const DAY = 20_000;
const BALANCE = "credit:key_1";

/** A charge of a price on day 20,000, by a key with a cap. */
const charge = (amount: bigint, { cap = null as bigint | null, day = DAY } = {}): Charge =>
  freeze({
    key: { id: 1, daily_cap: cap },
    root: { account: BALANCE },
    product: "fear-greed",
    amount,
    now_ms: day * 86_400_000 + 5,
  });
const spending = (available: bigint, more: Partial<Spending> = {}): Spending =>
  freeze({ available, is_named: false, day: DAY, spent_today: 0n, ...more });
const left = (available: bigint, spent_today = 0n, day = DAY) => ({ available, day, spent_today });
const held = (amount: bigint, more: Partial<Hold> = {}): Hold =>
  freeze({ is_open: true, account: BALANCE, amount, day: DAY, ...more });
const debit = (amount: bigint) => ({
  kind: "debit",
  reference: "fear-greed",
  from: credit(BALANCE),
  to: revenue("calls"),
  amount,
});
const refund = { kind: "refund", reference: "call:7", from: revenue("calls"), to: credit(BALANCE), amount: 30n };

/** What a charge is refused for, whether it is paid at once or set aside. */
export const REFUSALS = [
  {
    why: "named_before",
    says: "a name that was charged pays for nothing more, even with nothing left and over the cap",
    amount: 50n,
    cap: 10n,
    state: { available: 0n, spent_today: 10n, is_named: true },
  },
  {
    why: "insufficient_credits",
    says: "one unit too few",
    amount: 101n,
    cap: null,
    state: { available: 100n, spent_today: 0n, is_named: false },
  },
  {
    why: "insufficient_credits",
    says: "too little is said before the cap is",
    amount: 101n,
    cap: 5n,
    state: { available: 100n, spent_today: 0n, is_named: false },
  },
  {
    why: "daily_cap",
    says: "one unit over the cap of a child key",
    amount: 21n,
    cap: 30n,
    state: { available: 100n, spent_today: 10n, is_named: false },
  },
  {
    why: "daily_cap",
    says: "a cap of nothing",
    amount: 1n,
    cap: 0n,
    state: { available: 100n, spent_today: 0n, is_named: false },
  },
] as const;

/** What can be paid: what is left then, and what counts for the day. `day`: when it was spent last. */
export const PAID = [
  {
    says: "the last unit of a balance",
    amount: 100n,
    cap: null,
    state: { available: 100n, spent_today: 0n, day: DAY },
    after: left(0n, 100n),
  },
  {
    says: "the last unit of a cap",
    amount: 20n,
    cap: 30n,
    state: { available: 100n, spent_today: 10n, day: DAY },
    after: left(80n, 30n),
  },
  {
    says: "a new day begins at zero",
    amount: 30n,
    cap: 30n,
    state: { available: 100n, spent_today: 30n, day: DAY - 1 },
    after: left(70n, 30n),
  },
  {
    says: "so does an earlier one, when the clock was set back",
    amount: 30n,
    cap: 30n,
    state: { available: 100n, spent_today: 30n, day: DAY + 1 },
    after: left(70n, 30n),
  },
] as const;

const ofDebit = row("debit");
const ofHold = row("hold");
const ofPost = row("post");
const ofGiveBack = row("give_back");
const ofRefund = row("refund");

const refusals = REFUSALS.flatMap(({ why, says, amount, cap, state: { available, ...more } }) => {
  const state = spending(available, more);
  const after = left(available, more.spent_today);
  return [
    ofDebit(why, says, { decide: () => decideDebit(charge(amount, { cap }), state), after }),
    ofHold(why, says, { decide: () => decideHold(charge(amount, { cap }), state), after }),
  ];
});
const paid = PAID.flatMap(({ says, amount, cap, state: { available, ...more }, after }) => {
  const state = spending(available, more);
  return [
    ofDebit("charged", says, {
      decide: () => decideDebit(charge(amount, { cap }), state),
      transfers: [debit(amount)],
      after,
    }),
    ofHold("held", says, { decide: () => decideHold(charge(amount, { cap }), state), set_aside: amount, after }),
  ];
});

export const SPENDING_ROWS = [
  ...refusals,
  ...paid,
  ofPost("charged", "all that was set aside", {
    decide: () => decidePost({ id: 9, charge: charge(90n) }, freeze({ hold: held(90n), ...left(10n, 90n) })),
    transfers: [debit(90n)],
    freed: 90n,
    charged_less: null,
    after: left(10n, 90n),
  }),
  ofPost("charged", "less than was set aside: the rest can be spent again, today too", {
    decide: () => decidePost({ id: 9, charge: charge(7n) }, freeze({ hold: held(90n), ...left(10n, 95n) })),
    transfers: [debit(7n)],
    freed: 90n,
    charged_less: 7n,
    after: left(93n, 12n),
  }),
  ofPost("charged", "on a later day, which has forgotten what was set aside", {
    decide: () => decidePost({ id: 9, charge: charge(7n) }, freeze({ hold: held(90n), ...left(10n, 5n, DAY + 1) })),
    transfers: [debit(7n)],
    freed: 90n,
    charged_less: 7n,
    after: left(93n, 5n, DAY + 1),
  }),
  ofGiveBack("given_back", "all of it, and it counts no more today", {
    decide: () => decideGiveBack(freeze({ hold: held(90n), day: DAY, spent_today: 95n })),
    freed: 90n,
    after: { day: DAY, spent_today: 5n },
  }),
  ofGiveBack("given_back", "a day never counts below zero", {
    decide: () => decideGiveBack(freeze({ hold: held(90n), day: DAY, spent_today: 80n })),
    freed: 90n,
    after: { day: DAY, spent_today: 0n },
  }),
  ofGiveBack("given_back", "a day that has begun since keeps its count", {
    decide: () => decideGiveBack(freeze({ hold: held(90n, { day: DAY - 1 }), day: DAY, spent_today: 95n })),
    freed: 90n,
    after: { day: DAY, spent_today: 95n },
  }),
  ofGiveBack("ended_before", "a hold that was charged or given back", {
    decide: () => decideGiveBack(freeze({ hold: held(90n, { is_open: false }), day: DAY, spent_today: 95n })),
    freed: 0n,
    after: { day: DAY, spent_today: 95n },
  }),
  ofGiveBack("ended_before", "a hold nobody knows", {
    decide: () => decideGiveBack(freeze({ hold: null, day: DAY, spent_today: 95n })),
    freed: 0n,
    after: { day: DAY, spent_today: 95n },
  }),
  ofRefund("refunded", "what it cost", {
    decide: () => decideRefund(7, freeze({ debit: { account: BALANCE, amount: 30n }, is_refunded: false })),
    transfers: [refund],
  }),
  ofRefund("refunded_before", "never twice", {
    decide: () => decideRefund(7, freeze({ debit: { account: BALANCE, amount: 30n }, is_refunded: true })),
  }),
  ofRefund("no_debit", "a call of a pass cost nothing", {
    decide: () => decideRefund(7, freeze({ debit: null, is_refunded: false })),
  }),
];

/** What no caller may ask for. */
export const BROKEN_SPENDING = [
  {
    says: "a hold is charged once",
    decide: () => decidePost({ id: 9, charge: charge(7n) }, { hold: held(90n, { is_open: false }), ...left(10n) }),
  },
  {
    says: "what was never set aside is not charged",
    decide: () => decidePost({ id: 9, charge: charge(7n) }, { hold: null, ...left(10n) }),
  },
  {
    says: "a hold is charged no more than was set aside",
    decide: () => decidePost({ id: 9, charge: charge(91n) }, { hold: held(90n), ...left(10n) }),
  },
];
