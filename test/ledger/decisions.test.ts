import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { decideBegin, decideKeep, decideMove, decideWake } from "../../src/ledger/decide/payments.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import type { NewPayment, PaymentState } from "../../src/ledger/payment-row.ts";
import { closeBooksAfterEach, failureOf, openBooks } from "../helpers/open-books.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import { PAID, REFUSALS } from "./decide/spending-rows.ts";

/** Every engine answers what the table of decisions says, whatever language it decides in. */
closeBooksAfterEach();

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const DAY_MS = 86_400_000;
const TODAY = 20_000;
const NAME = { name: sha256Hex("mine"), fingerprint: "f" };

interface State {
  readonly available: bigint;
  readonly spent_today: bigint;
  readonly day?: number;
  readonly is_named?: boolean;
}

async function openEmpty(): Promise<Ledger> {
  const folder = mkdtempSync(join(tmpdir(), "decisions-"));
  folders.push(folder);
  return openBooks({ file: join(folder, "ledger.db"), clock: createStillClock(TODAY * DAY_MS) });
}

/** A child key whose balance and day are in this state. */
async function openIn({ available, spent_today, day = TODAY, is_named = false }: State) {
  const ledger = await openEmpty();
  const issued = { public_id: "key_1", hash: sha256Hex("key"), salt: null, label: null, purchaser: null };
  const credit = available + spent_today;
  const grant = { plan: "p", credit, duration_ms: null, pass: false, priority: 1, badge: null };
  const root = await ledger.keys.issue(issued, grant, { by: "operator" });
  const limits = { daily_cap: null, call_cap: null, products: null, expires_at_ms: null };
  const child = await ledger.keys.mint(root, {
    public_id: "key_2",
    hash: sha256Hex("child"),
    label: null,
    ...limits,
  });
  const charge = (amount: bigint, { cap = null as bigint | null, on = TODAY } = {}) => ({
    key: { id: child.id, daily_cap: cap },
    root,
    product: "fear-greed",
    amount,
    now_ms: on * DAY_MS,
  });
  const answer = { body: "{}", name: is_named ? NAME : null };
  if (spent_today > 0n) await ledger.charges.debit(charge(spent_today, { on: day }), answer);
  const usage = () => ledger.keys.usage(child.id);
  return { ledger, root, charge, answer, usage };
}

const titled = <T extends { readonly says: string }>(rows: readonly T[]) => rows.map((row) => [row.says, row] as const);

describe("refused", () => {
  test.each(titled(REFUSALS))("%s", async (_, { why, amount, cap, state }) => {
    const { ledger, root, charge, answer, usage } = await openIn(state);
    const before = await usage();
    const refused = { ok: false as const, why, available: state.available };
    expect(await ledger.charges.debit(charge(amount, { cap }), answer)).toEqual(refused);
    expect(await ledger.charges.hold(charge(amount, { cap }), answer.name)).toEqual(refused);
    expect(await usage()).toEqual(before);
    expect(await ledger.keys.balance(root.account ?? "")).toEqual({ posted: state.available, pending: 0n });
    expect((await ledger.audit()).findings).toEqual([]);
  });
});

describe("paid at once", () => {
  test.each(titled(PAID))("%s", async (_, { amount, cap, state, after }) => {
    const { ledger, root, charge, answer, usage } = await openIn(state);
    const charged = await ledger.charges.debit(charge(amount, { cap }), answer);
    expect(charged).toMatchObject({ ok: true, available: after.available });
    expect(await usage()).toMatchObject({ day: after.day, spent_today: after.spent_today });
    expect(await ledger.keys.balance(root.account ?? "")).toEqual({ posted: after.available, pending: 0n });
    expect((await ledger.audit()).findings).toEqual([]);
  });
});

describe("set aside", () => {
  test.each(titled(PAID))("%s", async (_, { amount, cap, state, after }) => {
    const { ledger, root, charge, answer, usage } = await openIn(state);
    const held = await ledger.charges.hold(charge(amount, { cap }), answer.name);
    expect(held.ok).toBeTrue();
    expect(await usage()).toMatchObject({ day: after.day, spent_today: after.spent_today });
    expect(await ledger.keys.balance(root.account ?? "")).toEqual({ posted: state.available, pending: amount });
    expect((await ledger.audit()).findings).toEqual([]);
  });
});

const newPayment = (n: number): NewPayment => ({
  replay_key: `evm:${n}`,
  payload_hash: `hash ${n}`,
  fingerprint: "request",
  product: "fear-greed",
  network: "eip155:84532",
  asset: "0xusdc",
  payer: "0xpayer",
  pay_to: "0xseller",
  amount: 40n,
  valid_until_ms: 4_000_000_000_000,
  payload: "{}",
});
const settled = (n: number) => ({ chain_transaction: `0x${n}`, label: "organic" as const, delivered: true });
const IDENTIFIER = sha256Hex("0xpayer mine");

/** Brings a payment that has begun to a state. */
type Way = (ledger: Ledger, id: string, n: number) => Promise<void>;
type Reached = Exclude<PaymentState, "verified" | "producing">;
const keepAnswer: Way = ({ payments }, id) => payments.keepAnswer(id, "{}", { identifier: IDENTIFIER });
const WAYS: Readonly<Record<Reached, Way>> = {
  received: async () => undefined,
  rejected: ({ payments }, id, n) => payments.drop(id, `evm:${n}`, { state: "rejected", reason: "forged" }),
  abandoned: ({ payments }, id, n) => payments.drop(id, `evm:${n}`, { state: "abandoned", reason: "no data" }),
  settling: keepAnswer,
  async settle_failed(ledger, id, n) {
    await keepAnswer(ledger, id, n);
    await ledger.payments.end(id, "settle_failed", "refused");
  },
  async unknown(ledger, id, n) {
    await keepAnswer(ledger, id, n);
    await ledger.payments.markUnknown(id, "timeout");
  },
  async settled(ledger, id, n) {
    await keepAnswer(ledger, id, n);
    await ledger.payments.settle(id, settled(n));
  },
};
/** Of a payment over its price. */
const FLAT = { amount: 40n, charge: null };
const STATES = Object.keys(WAYS) as readonly Reached[];

/** Begins a payment and brings it to a state. @returns its id. */
async function bring(ledger: Ledger, state: Reached, n: number): Promise<string> {
  const begun = await ledger.payments.begin(newPayment(n));
  if (!begun.started) throw new Error("a new payment starts");
  await WAYS[state](ledger, begun.id, n);
  expect((await ledger.payments.find(`evm:${n}`))?.state).toBe(state);
  return begun.id;
}

describe.each(STATES.map((state) => [state] as const))("a payment that is %s", (state) => {
  test("begins again or not", async () => {
    const ledger = await openEmpty();
    await bring(ledger, state, 1);
    const again = await ledger.payments.begin(newPayment(1));
    expect(again.started).toBe(decideBegin(state).result !== "known");
  });

  test("takes an answer or not", async () => {
    const ledger = await openEmpty();
    const id = await bring(ledger, state, 1);
    const kept = ledger.payments.keepAnswer(id, "{}");
    if (decideKeep(id, { ...FLAT, state, holder: null }).result === "kept") await kept;
    else expect(await failureOf(kept)).toMatchObject({ code: "ledger_unavailable" });
    expect(ledger.halted).toBeNull();
  });

  test("leaves its name to another one or not", async () => {
    const ledger = await openEmpty();
    const holder = { id: await bring(ledger, state, 1), state };
    const named = (await ledger.payments.get(holder.id))?.identifier === IDENTIFIER;
    const id = await bring(ledger, "received", 2);
    const kept = ledger.payments.keepAnswer(id, "{}", { identifier: IDENTIFIER });
    if (decideKeep(id, { ...FLAT, state: "received", holder: named ? holder : null }).result === "kept") await kept;
    else expect(await failureOf(kept)).toMatchObject({ code: "identifier_conflict" });
    expect(ledger.halted).toBeNull();
  });

  test("is dropped or not", async () => {
    const ledger = await openEmpty();
    const id = await bring(ledger, state, 1);
    await ledger.payments.drop(id, "evm:1", { state: "abandoned", reason: "no data" });
    const is_moved = decideMove("abandoned", state).result === "moved";
    expect((await ledger.payments.find("evm:1"))?.state).toBe(is_moved ? "abandoned" : state);
  });

  test("is woken to the state it is left in", async () => {
    const ledger = await openEmpty();
    const id = await bring(ledger, state, 1);
    expect((await ledger.payments.wake(id))?.state).toBe(decideWake(state)?.to ?? state);
  });
});

test("a payment settles once, and its chain transaction pays for it alone", async () => {
  const ledger = await openEmpty();
  const id = await bring(ledger, "settled", 1);
  const row = await ledger.payments.get(id);
  expect(await ledger.payments.settle(id, settled(2))).toMatchObject({ receipt_id: row?.receipt_id });
  const other = await bring(ledger, "received", 2);
  await ledger.payments.keepAnswer(other, "{}");
  expect(await ledger.payments.settle(other, settled(1))).toBeNull();
  expect(await ledger.payments.get(other)).toMatchObject({
    state: "unknown",
    reason: `transaction 0x1 paid for ${id}`,
  });
  expect((await ledger.audit()).findings).toEqual([]);
});

describe("a payment of which at most its amount was signed", () => {
  test.each([1n, 39n, 40n])("is booked at its charge of %p, written down with its answer", async (charge) => {
    const ledger = await openEmpty();
    const id = await bring(ledger, "received", 1);
    await ledger.payments.keepAnswer(id, "{}", { charge });
    expect(await ledger.payments.get(id)).toMatchObject({ state: "settling", amount: charge, authorized: 40n });
    const booked = await ledger.payments.settle(id, settled(1));
    expect(await ledger.receipts.get(booked?.receipt_id ?? "")).toMatchObject({ amount: charge });
    expect(await ledger.audit()).toMatchObject({ findings: [], receipts: 1 });
  });

  test("keeps its charge while nobody knows whether it was taken", async () => {
    const ledger = await openEmpty();
    const id = await bring(ledger, "received", 1);
    await ledger.payments.keepAnswer(id, "{}", { charge: 7n });
    await ledger.payments.markUnknown(id, "timeout");
    const [open] = await ledger.payments.listUnknown(10);
    expect(open).toMatchObject({ amount: 7n, authorized: 40n });
    const booked = await ledger.payments.settle(id, settled(1));
    expect(await ledger.receipts.get(booked?.receipt_id ?? "")).toMatchObject({ amount: 7n });
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("starts over at what was signed when it was not taken", async () => {
    const ledger = await openEmpty();
    const id = await bring(ledger, "received", 1);
    await ledger.payments.keepAnswer(id, "{}", { charge: 7n });
    await ledger.payments.end(id, "settle_failed", "refused");
    expect((await ledger.payments.begin(newPayment(1))).started).toBe(true);
    expect(await ledger.payments.find("evm:1")).toMatchObject({ state: "received", amount: 40n, authorized: null });
    await ledger.payments.keepAnswer(id, "{}", { charge: 9n });
    expect(await ledger.payments.get(id)).toMatchObject({ amount: 9n, authorized: 40n });
  });
});
