import { decideGrant, decidePaidGrant } from "../../../src/ledger/decide/grants.ts";
import { decideExpiry, type Lot } from "../../../src/ledger/decide/lots.ts";
import type { Funding, Grant } from "../../../src/ledger/grant.ts";
import type { KeyRow } from "../../../src/ledger/key-rows.ts";
import { credit, freeze, promotion, revenue, row } from "./row.ts";

const NOW = 1_000_000;
const HOUR = 3_600_000;
const BALANCE = "credit:key_1";

const key = (more: Partial<KeyRow> = {}): KeyRow =>
  freeze({
    id: 1,
    public_id: "key_1",
    plan: "old",
    account: null,
    parent: null,
    label: null,
    purchaser: null,
    badge: null,
    priority: 1,
    priority_until_ms: null,
    pass_until_ms: null,
    balance_until_ms: null,
    lot_until_ms: null,
    expires_at_ms: null,
    revoked_at_ms: null,
    suspended_at_ms: null,
    daily_cap: null,
    call_cap: null,
    products: null,
    created_at_ms: 0,
    ...more,
  });
const grant = (more: Partial<Grant> = {}): Grant =>
  freeze({ plan: "new", credit: 0n, duration_ms: null, pass: false, priority: 1, badge: null, ...more });
const lot = (id: number, left: bigint, until_ms: number | null): Lot =>
  freeze({ id, at_ms: 0, until_ms, credit: 100n, left });
const counted = (id: number | null, left: bigint, until_ms: number | null, has_ended: boolean) => ({
  id,
  left,
  until_ms,
  has_ended,
  credit: id === null ? 0n : 100n,
  ...(id === null ? {} : { at_ms: 0 }),
});
const paid = (amount: bigint): Funding =>
  freeze({ by: "payment", payment_id: "pay_1", network: "eip155:8453", paid: amount });
const by_voucher: Funding = freeze({ by: "voucher", paid: 90n });
const chain = { id: "chain:eip155:8453", kind: "chain" };
const command = (given: Grant, funding: Funding = { by: "operator" }) =>
  freeze({ grant: given, funding, now_ms: NOW, gift_reference: "grant:5" });
const state = (of: KeyRow, { lots = [] as Lot[], available = 0n } = {}) => freeze({ key: of, lots, available });
const after = (more: object) => ({
  plan: "new",
  account: null,
  pass_until_ms: null,
  priority: 1,
  priority_until_ms: null,
  badge: null,
  ...more,
});
const expiry = (amount: bigint) => ({
  kind: "expiry",
  reference: "key_1",
  from: credit(BALANCE),
  to: revenue("expired"),
  amount,
});

const ofGrant = row("grant");
const ofExpire = row("expire");
const holder = key({ account: BALANCE, balance_until_ms: NOW + HOUR, lot_until_ms: NOW - 1 });

/** When a grant begins whose buyer was told a time. */
const STARTS = [
  { says: "from when its buyer was told", from_ms: NOW - 59_999, starts_ms: NOW - 59_999 },
  { says: "from now, when that is a minute ago", from_ms: NOW - 60_000, starts_ms: NOW },
  { says: "from now, when that is still to come", from_ms: NOW + 1, starts_ms: NOW },
] as const;

export const GRANT_ROWS = [
  ofGrant("granted", "credit that was paid for, as much as was paid", {
    decide: () => decidePaidGrant(command(grant({ credit: 90n }), paid(90n)), state(key())),
    transfers: [{ kind: "plan", reference: "pay_1", from: chain, to: credit(BALANCE), amount: 90n }],
    key: after({ account: BALANCE }),
    lots: [],
    new_lot: { credit: 90n, until_ms: null },
  }),
  ofGrant("granted", "more credit than was paid: the node gives the rest", {
    decide: () => decidePaidGrant(command(grant({ credit: 99n, duration_ms: HOUR }), paid(90n)), state(key())),
    transfers: [
      { kind: "plan", reference: "pay_1", from: chain, to: credit(BALANCE), amount: 90n },
      { kind: "bonus", reference: "pay_1", from: promotion("bonus"), to: credit(BALANCE), amount: 9n },
    ],
    key: after({ account: BALANCE }),
    lots: [],
    new_lot: { credit: 99n, until_ms: NOW + HOUR },
  }),
  ofGrant("granted", "less credit than was paid: the rest is income of the plan", {
    decide: () => decidePaidGrant(command(grant({ credit: 80n }), paid(90n)), state(key())),
    transfers: [
      { kind: "plan", reference: "pay_1", from: chain, to: credit(BALANCE), amount: 90n },
      { kind: "plan", reference: "pay_1", from: credit(BALANCE), to: revenue("plans"), amount: 10n },
    ],
    key: after({ account: BALANCE }),
    lots: [],
    new_lot: { credit: 80n, until_ms: null },
  }),
  ofGrant("granted", "credit that a voucher paid for, out of what it earned, by the name of its grant", {
    decide: () => decidePaidGrant(command(grant({ credit: 99n }), by_voucher), state(key())),
    transfers: [
      { kind: "plan", reference: "grant:5", from: revenue("channels"), to: credit(BALANCE), amount: 90n },
      { kind: "bonus", reference: "grant:5", from: promotion("bonus"), to: credit(BALANCE), amount: 9n },
    ],
    key: after({ account: BALANCE }),
    lots: [],
    new_lot: { credit: 99n, until_ms: null },
  }),
  ofGrant("granted", "a pass begins where the one before ends, and the badge that is there stays", {
    decide: () =>
      decidePaidGrant(
        command(grant({ pass: true, duration_ms: HOUR, priority: 3, badge: "b2" }), paid(90n)),
        state(key({ pass_until_ms: NOW + 10, badge: "b1" })),
      ),
    transfers: [{ kind: "plan", reference: "pay_1", from: chain, to: revenue("plans"), amount: 90n }],
    key: after({ pass_until_ms: NOW + 10 + HOUR, priority: 3, priority_until_ms: NOW + 10 + HOUR, badge: "b1" }),
    lots: [],
    new_lot: null,
  }),
  ofGrant("granted", "a higher priority that still runs stays", {
    decide: () =>
      decideGrant(
        command(grant({ pass: true, duration_ms: HOUR, priority: 2 })),
        state(key({ priority: 4, priority_until_ms: NOW + 1 })),
      ),
    key: after({ pass_until_ms: NOW + HOUR, priority: 4, priority_until_ms: NOW + 1 }),
    lots: [],
    new_lot: null,
  }),
  ofGrant("granted", "one that has run out does not", {
    decide: () =>
      decideGrant(
        command(grant({ pass: true, duration_ms: HOUR, priority: 2 })),
        state(key({ priority: 4, priority_until_ms: NOW })),
      ),
    key: after({ pass_until_ms: NOW + HOUR, priority: 2, priority_until_ms: NOW + HOUR }),
    lots: [],
    new_lot: null,
  }),
  ofGrant("granted", "what has ended by then is income first, and the gift is the node's own", {
    decide: () =>
      decideGrant(
        command(grant({ credit: 50n })),
        state(holder, { lots: [lot(3, 40n, NOW), lot(4, 60n, NOW + HOUR)], available: 100n }),
      ),
    transfers: [
      expiry(40n),
      { kind: "bonus", reference: "grant:5", from: promotion("goodwill"), to: credit(BALANCE), amount: 50n },
    ],
    key: after({ account: BALANCE }),
    lots: [counted(3, 40n, NOW, true), counted(4, 60n, NOW + HOUR, false)],
    new_lot: { credit: 50n, until_ms: null },
  }),
  ofGrant("granted", "time alone: what is open lasts longer, what has no end keeps none, nothing is moved", {
    decide: () =>
      decideGrant(
        command(grant({ duration_ms: HOUR })),
        state(holder, { lots: [lot(3, 1n, NOW - 5), lot(4, 1n, NOW + 2 * HOUR), lot(5, 1n, null)], available: 3n }),
      ),
    key: after({ account: BALANCE }),
    lots: [counted(3, 1n, NOW + HOUR, false), counted(4, 1n, NOW + 2 * HOUR, false), counted(5, 1n, null, false)],
    new_lot: null,
  }),
  ofGrant("granted", "what was paid for is given to a key that was revoked meanwhile", {
    decide: () => decidePaidGrant(command(grant({ credit: 9n }), paid(9n)), state(key({ revoked_at_ms: NOW }))),
    transfers: [{ kind: "plan", reference: "pay_1", from: chain, to: credit(BALANCE), amount: 9n }],
    key: after({ account: BALANCE }),
    lots: [],
    new_lot: { credit: 9n, until_ms: null },
  }),
  ofGrant("granted", "what was paid for a pass is income, though the key has a balance, whose lots stay", {
    decide: () =>
      decidePaidGrant(
        command(grant({ pass: true, duration_ms: HOUR }), paid(90n)),
        state(holder, { lots: [lot(3, 40n, NOW + HOUR)], available: 40n }),
      ),
    transfers: [{ kind: "plan", reference: "pay_1", from: chain, to: revenue("plans"), amount: 90n }],
    key: after({ account: BALANCE, pass_until_ms: NOW + HOUR }),
    lots: [],
    new_lot: null,
  }),
  ofGrant("granted", "of equal priorities the one that lasts longer", {
    decide: () =>
      decideGrant(
        command(grant({ pass: true, duration_ms: HOUR, priority: 2 })),
        state(key({ priority: 2, priority_until_ms: NOW + 5 })),
      ),
    key: after({ pass_until_ms: NOW + HOUR, priority: 2, priority_until_ms: NOW + HOUR }),
    lots: [],
    new_lot: null,
  }),
  ...STARTS.map(({ says, from_ms, starts_ms }) =>
    ofGrant("granted", says, {
      decide: () => decideGrant(command(grant({ credit: 9n, duration_ms: HOUR, from_ms })), state(key())),
      transfers: [
        { kind: "bonus", reference: "grant:5", from: promotion("goodwill"), to: credit(BALANCE), amount: 9n },
      ],
      key: after({ account: BALANCE }),
      lots: [],
      new_lot: { credit: 9n, until_ms: starts_ms + HOUR },
    }),
  ),
  ofGrant("child_key", "a child key has no balance of its own", {
    decide: () => decideGrant(command(grant({ credit: 9n })), state(key({ parent: 7, revoked_at_ms: NOW }))),
  }),
  ofGrant("revoked", "a revoked key gets nothing more", {
    decide: () => decideGrant(command(grant({ credit: 9n })), state(key({ revoked_at_ms: NOW }))),
  }),
  ofExpire("expired", "only what has ended", {
    decide: () =>
      decideExpiry(NOW, {
        ...state(holder, { lots: [lot(3, 40n, NOW), lot(4, 60n, NOW + 1)], available: 100n }),
        has_ended_lots: false,
      }),
    transfers: [expiry(40n)],
    lots: [counted(3, 40n, NOW, true), counted(4, 60n, NOW + 1, false)],
  }),
  ofExpire("expired", "all of it, when the key was revoked", {
    decide: () =>
      decideExpiry(NOW, {
        ...state(key({ account: BALANCE, revoked_at_ms: 1 }), {
          lots: [lot(3, 40n, NOW + HOUR), lot(4, 60n, null)],
          available: 100n,
        }),
        has_ended_lots: false,
      }),
    transfers: [expiry(100n)],
    lots: [counted(3, 40n, NOW + HOUR, true), counted(4, 60n, null, true)],
  }),
  ofExpire("expired", "what came back after all had ended has ended as well", {
    decide: () =>
      decideExpiry(NOW, {
        ...state(key({ account: BALANCE, balance_until_ms: NOW - HOUR }), { available: 30n }),
        has_ended_lots: true,
      }),
    transfers: [expiry(30n)],
    lots: [counted(null, 30n, NOW - HOUR, true)],
  }),
  ofExpire("nothing_left", "a lot that was spent ends without a transfer", {
    decide: () => decideExpiry(NOW, { ...state(holder, { lots: [lot(3, 0n, NOW - 1)] }), has_ended_lots: false }),
    lots: [counted(3, 0n, NOW - 1, true)],
  }),
  ofExpire("expired", "in the moment of its end", {
    decide: () =>
      decideExpiry(NOW, {
        ...state(key({ account: BALANCE, lot_until_ms: NOW }), { lots: [lot(3, 5n, NOW)], available: 5n }),
        has_ended_lots: false,
      }),
    transfers: [expiry(5n)],
    lots: [counted(3, 5n, NOW, true)],
  }),
  ofExpire("nothing_left", "no lot is made of nothing", {
    decide: () => decideExpiry(NOW, { ...state(key({ account: BALANCE, revoked_at_ms: 1 })), has_ended_lots: true }),
    lots: [],
  }),
  ofExpire("not_ended", "a moment before its end", {
    decide: () =>
      decideExpiry(NOW, {
        ...state(key({ account: BALANCE, lot_until_ms: NOW + 1 }), { lots: [lot(3, 5n, NOW + 1)], available: 5n }),
        has_ended_lots: false,
      }),
    lots: [],
  }),
  ofExpire("not_ended", "a child key, and a key without a balance, even when they were revoked", {
    decide: () =>
      decideExpiry(NOW, { ...state(key({ parent: 7, account: BALANCE, revoked_at_ms: 1 })), has_ended_lots: true }),
    lots: [],
  }),
];
