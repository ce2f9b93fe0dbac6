import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeBooksAfterEach, failureOf, openBooks } from "../../test/helpers/open-books.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { sha256Hex } from "../core/hash.ts";
import type { Charge } from "./charges.ts";
import type { KeyRow } from "./key-rows.ts";
import type { Grant, Purchase } from "./keys.ts";
import { renderPurchase } from "./purchase.ts";

closeBooksAfterEach();

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const open = async () => {
  const folder = mkdtempSync(join(tmpdir(), "keys-"));
  folders.push(folder);
  const clock = createStillClock();
  return { clock, ledger: await openBooks({ file: join(folder, "ledger.db"), clock }) };
};
type Books = Awaited<ReturnType<typeof open>>;

const HOUR_MS = 3_600_000;
const credit = (amount: bigint, more: Partial<Grant> = {}): Grant => ({
  plan: "buy_credits",
  credit: amount,
  duration_ms: null,
  pass: false,
  priority: 1,
  badge: null,
  ...more,
});
const pass = (duration_ms: number, more: Partial<Grant> = {}): Grant =>
  credit(0n, { plan: "day_pass", pass: true, duration_ms, ...more });
const newKey = (n: number) => ({
  public_id: `key_${n}`,
  hash: sha256Hex(`key ${n}`),
  salt: null,
  label: null,
  purchaser: "0xpayer",
});
const issue = ({ ledger }: Books, n: number, grant: Grant) => ledger.keys.issue(newKey(n), grant, { by: "operator" });
const charge = ({ clock }: Books, key: KeyRow, more: Partial<Charge> = {}): Charge => ({
  key,
  root: key,
  product: "fear-greed",
  amount: 10_000n,
  now_ms: clock.now(),
  ...more,
});
const answer = { body: '{"data":1}', name: null };
const balance = ({ ledger }: Books, key: KeyRow) => ledger.keys.balance(key.account ?? "");

describe("a balance", () => {
  test("pays for exactly as many calls as it is worth, however many come at once", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(70_000n));
    const all = await Promise.all(
      Array.from({ length: 70 }, () => books.ledger.charges.debit(charge(books, key), answer)),
    );
    expect(all.filter((one) => one.ok)).toHaveLength(7);
    expect(all.filter((one) => !one.ok && one.why === "insufficient_credits")).toHaveLength(63);
    expect(await balance(books, key)).toEqual({ posted: 0n, pending: 0n });
    expect((await books.ledger.audit()).findings).toEqual([]);
  });

  test("cannot be spent while it is held, and can again when the hold is void", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(15_000n));
    const held = await books.ledger.charges.hold(charge(books, key), null);
    if (!held.ok) throw new Error("not held");
    expect(await books.ledger.charges.debit(charge(books, key), answer)).toMatchObject({
      ok: false,
      available: 5_000n,
    });
    await books.ledger.charges.void(held.id);
    expect(await books.ledger.charges.debit(charge(books, key), answer)).toMatchObject({ ok: true, available: 5_000n });
    expect((await books.ledger.audit()).findings).toEqual([]);
  });

  test("is debited once by a hold that is posted, and posting twice stops the ledger", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(15_000n));
    const held = await books.ledger.charges.hold(charge(books, key), null);
    if (!held.ok) throw new Error("not held");
    expect(await books.ledger.charges.post(held.id, charge(books, key), answer)).toMatchObject({ available: 5_000n });
    expect(await failureOf(books.ledger.charges.post(held.id, charge(books, key), answer))).toMatchObject({
      code: "ledger_unavailable",
    });
    expect(books.ledger.halted).toContain("I4");
    expect(await balance(books, key)).toEqual({ posted: 5_000n, pending: 0n });
  });

  test("gets back what was held when the process ended", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(15_000n));
    await books.ledger.charges.hold(charge(books, key), null);
    expect(await books.ledger.charges.recover()).toBe(1);
    expect(await balance(books, key)).toEqual({ posted: 15_000n, pending: 0n });
    expect((await books.ledger.keys.usage(key.id)).spent_today).toBe(0n);
  });

  test("of a plan is what was paid and the node's bonus", async () => {
    const books = await open();
    await issue(books, 1, credit(1_250_000n));
    expect((await books.ledger.audit()).accounts).toContainEqual({
      id: "promotion:goodwill",
      posted: -1_250_000n,
      pending: 0n,
    });
  });

  test("gives a call back once", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(20_000n));
    const done = await books.ledger.charges.debit(charge(books, key), answer);
    if (!done.ok) throw new Error("not charged");
    expect(await books.ledger.charges.refund(done.call_id)).toBe(10_000n);
    expect(await books.ledger.charges.refund(done.call_id)).toBe(0n);
    expect((await balance(books, key)).posted).toBe(20_000n);
  });

  test("that was topped up lasts until the later end", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(1n, { duration_ms: 30 * 24 * HOUR_MS }));
    const later = await books.ledger.keys.grant(key.public_id, credit(1n, { duration_ms: HOUR_MS }), {
      by: "operator",
    });
    expect(later.balance_until_ms).toBe(key.balance_until_ms);
    const for_ever = await books.ledger.keys.grant(key.public_id, credit(1n), { by: "operator" });
    expect(for_ever.balance_until_ms).toBeNull();
  });

  test("that has ended is booked as expired, and not before", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(5_000n, { duration_ms: HOUR_MS }));
    expect(await failureOf(books.ledger.keys.expire(key.public_id))).toMatchObject({ code: "invalid_parameter" });
    expect(await books.ledger.keys.ended(books.clock.now(), 10)).toEqual([]);
    books.clock.advance(2 * HOUR_MS);
    expect(await books.ledger.keys.ended(books.clock.now(), 10)).toEqual(["key_1"]);
    expect(await books.ledger.keys.expire(key.public_id)).toBe(5_000n);
    expect(await books.ledger.keys.expire(key.public_id)).toBe(0n);
    expect(await books.ledger.keys.ended(books.clock.now(), 10)).toEqual([]);
    expect((await books.ledger.audit()).findings).toEqual([]);
  });
});

describe("the lots of a balance", () => {
  const DAY_MS = 24 * HOUR_MS;
  const top = (books: Books, amount: bigint, duration_ms: number | null) =>
    books.ledger.keys.grant("key_1", credit(amount, { duration_ms }), { by: "operator" });
  const lotsOf = async ({ ledger, clock }: Books, key: KeyRow) =>
    (await ledger.keys.lots(key.id)).map(({ left, until_ms }) => [
      left,
      until_ms === null ? null : Math.round((until_ms - clock.now()) / HOUR_MS),
    ]);
  const debit = async (books: Books, key: KeyRow, amount: bigint) => {
    const done = await books.ledger.charges.debit(charge(books, key, { amount }), answer);
    if (!done.ok) throw new Error(done.why);
    return done.call_id;
  };
  const auditOf = async ({ ledger }: Books) => (await ledger.audit()).findings;

  test("each keep their end, and the earliest is spent first", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(15_000n, { duration_ms: 30 * DAY_MS }));
    await top(books, 1_000n, null);
    await top(books, 2_000n, DAY_MS);
    expect(await lotsOf(books, key)).toEqual([
      [2_000n, 24],
      [15_000n, 720],
      [1_000n, null],
    ]);
    await debit(books, key, 2_500n);
    expect((await lotsOf(books, key)).map(([left]) => left)).toEqual([0n, 14_500n, 1_000n]);
    books.clock.advance(2 * DAY_MS);
    // Nothing was left of the one that ended.
    expect(await books.ledger.keys.expire("key_1")).toBe(0n);
    books.clock.advance(29 * DAY_MS);
    expect(await books.ledger.keys.expire("key_1")).toBe(14_500n);
    expect(await lotsOf(books, key)).toEqual([[1_000n, null]]);
    expect(await books.ledger.keys.byPublicId("key_1")).toMatchObject({ balance_until_ms: null, lot_until_ms: null });
    expect((await balance(books, key)).posted).toBe(1_000n);
    expect(await auditOf(books)).toEqual([]);
  });

  test("that have ended do not live again with the next grant", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(15_000n, { duration_ms: 30 * DAY_MS }));
    books.clock.advance(31 * DAY_MS);
    await top(books, 990n, null);
    expect(await lotsOf(books, key)).toEqual([[990n, null]]);
    expect(await balance(books, key)).toEqual({ posted: 990n, pending: 0n });
    expect((await books.ledger.audit()).accounts).toContainEqual({
      id: "revenue:expired",
      posted: 15_000n,
      pending: 0n,
    });
    expect(await auditOf(books)).toEqual([]);
  });

  test("are not spent by what was drawn before they came", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(10_000n));
    await debit(books, key, 4_000n);
    await top(books, 5_000n, DAY_MS);
    expect(await lotsOf(books, key)).toEqual([
      [5_000n, 24],
      [6_000n, null],
    ]);
    expect(await auditOf(books)).toEqual([]);
  });

  test("keep what is held over their end; what comes back then lives with the last, or has ended", async () => {
    const books = await open();
    const { charges, keys } = books.ledger;
    const key = await issue(books, 1, credit(10_000n, { duration_ms: DAY_MS }));
    await top(books, 1_000n, 2 * DAY_MS);
    const held = await charges.hold(charge(books, key, { amount: 4_000n }), null);
    if (!held.ok) throw new Error("not held");
    books.clock.advance(DAY_MS + HOUR_MS);
    expect(await keys.expire("key_1")).toBe(6_000n);
    await charges.void(held.id);
    await books.ledger.flush();
    expect((await lotsOf(books, key)).map(([left]) => left)).toEqual([5_000n]);
    const call = await debit(books, key, 3_000n);
    books.clock.advance(DAY_MS);
    expect(await keys.expire("key_1")).toBe(2_000n);
    expect(await charges.refund(call)).toBe(3_000n);
    expect(await keys.expire("key_1")).toBe(3_000n);
    expect(await balance(books, key)).toEqual({ posted: 0n, pending: 0n });
    expect(await auditOf(books)).toEqual([]);
  });

  test("all end with a key that was revoked, and are prolonged together by time alone", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(1_000n, { duration_ms: DAY_MS }));
    await top(books, 2_000n, 9 * DAY_MS);
    await top(books, 3_000n, null);
    await books.ledger.keys.grant("key_1", credit(0n, { duration_ms: 3 * DAY_MS }), { by: "operator" });
    expect(await lotsOf(books, key)).toEqual([
      [1_000n, 72],
      [2_000n, 216],
      [3_000n, null],
    ]);
    await books.ledger.keys.revoke("key_1");
    expect(await books.ledger.keys.expire("key_1")).toBe(6_000n);
    expect(await auditOf(books)).toEqual([]);
  });
});

describe("a pass", () => {
  test("that is bought again begins where the first ends", async () => {
    const books = await open();
    const key = await issue(books, 1, pass(24 * HOUR_MS));
    const longer = await books.ledger.keys.grant(key.public_id, pass(24 * HOUR_MS), { by: "operator" });
    expect((longer.pass_until_ms ?? 0) - (key.pass_until_ms ?? 0)).toBe(24 * HOUR_MS);
  });

  test("is not stretched by a clock that was wrong before", async () => {
    const books = await open();
    const right_ms = books.clock.now();
    books.clock.advance(40 * 24 * HOUR_MS);
    await issue(books, 1, credit(1n));
    books.clock.set(right_ms);
    const key = await issue(books, 2, pass(24 * HOUR_MS));
    expect((key.pass_until_ms ?? 0) - right_ms).toBe(24 * HOUR_MS);
    expect((await books.ledger.audit()).findings).toEqual([]);
  });

  test("keeps its priority when a plan of lower priority is added, and falls back after its end", async () => {
    const books = await open();
    const key = await issue(books, 1, pass(HOUR_MS, { priority: 3 }));
    const more = await books.ledger.keys.grant(key.public_id, credit(5n, { priority: 1 }), { by: "operator" });
    expect(more).toMatchObject({ priority: 3, priority_until_ms: key.pass_until_ms });
    books.clock.advance(2 * HOUR_MS);
    const after = await books.ledger.keys.grant(key.public_id, credit(5n, { priority: 1 }), { by: "operator" });
    expect(after.priority).toBe(1);
  });
});

describe("a child key", () => {
  const child = (n: number, more = {}) => ({
    public_id: `key_child${n}`,
    hash: sha256Hex(`child ${n}`),
    label: null,
    daily_cap: 25_000n,
    call_cap: null,
    products: null,
    expires_at_ms: null,
    ...more,
  });

  test("spends its parent's balance up to its own cap of a day", async () => {
    const books = await open();
    const root = await issue(books, 1, credit(1_000_000n));
    const key = await books.ledger.keys.mint(root, child(1));
    const all = await Promise.all(
      Array.from({ length: 20 }, () => books.ledger.charges.debit(charge(books, key, { root }), answer)),
    );
    expect(all.filter((one) => one.ok)).toHaveLength(2);
    expect(all.find((one) => !one.ok)).toMatchObject({ why: "daily_cap" });
    books.clock.advance(24 * HOUR_MS);
    expect(await books.ledger.charges.debit(charge(books, key, { root }), answer)).toMatchObject({ ok: true });
    expect((await balance(books, root)).posted).toBe(970_000n);
    expect((await books.ledger.audit()).findings).toEqual([]);
  });

  test("counts towards the thousand while it lives, and is listed before all that are dead", async () => {
    const books = await open();
    const { ledger, clock } = books;
    const root = await issue(books, 1, credit(1_000_000n));
    const mint = (from: number, count: number, more = {}) =>
      Promise.all(Array.from({ length: count }, (_, at) => ledger.keys.mint(root, child(from + at, more))));
    await mint(0, 400, { expires_at_ms: clock.now() + HOUR_MS });
    const revoked = await mint(1_000, 600);
    expect((await failureOf(mint(2_000, 1))).message).toContain("at most 1000 living child keys");
    await Promise.all(revoked.map(({ public_id }) => ledger.keys.revoke(public_id)));
    clock.advance(2 * HOUR_MS);
    await mint(3_000, 1_000, { expires_at_ms: clock.now() + HOUR_MS });
    expect((await failureOf(mint(4_000, 1))).message).toContain("at most 1000 living child keys");
    clock.advance(2 * HOUR_MS);
    await mint(5_000, 300);
    const shown = await ledger.keys.children(root.id);
    expect([shown.length, shown.filter(({ public_id }) => /_child5\d{3}$/.test(public_id)).length]).toEqual([
      2_000, 300,
    ]);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("ends with its parent", async () => {
    const books = await open();
    const root = await issue(books, 1, credit(1_000_000n));
    const key = await books.ledger.keys.mint(root, child(1));
    await books.ledger.keys.revoke(root.public_id);
    expect((await books.ledger.keys.byPublicId(key.public_id))?.revoked_at_ms).not.toBeNull();
  });
});

test("label and caps of a key can be changed, and what is not named does not change", async () => {
  const books = await open();
  const { ledger } = books;
  const key = await issue(books, 1, credit(1_000_000n));
  await ledger.keys.amend(key.public_id, { daily_cap: 150n, label: "Ann's" });
  await ledger.keys.amend(key.public_id, { call_cap: 9n });
  expect(await ledger.keys.byPublicId(key.public_id)).toMatchObject({ label: "Ann's", daily_cap: 150n, call_cap: 9n });
  const changed = await ledger.keys.amend(key.public_id, { label: null, daily_cap: null });
  expect(changed).toMatchObject({ label: null, daily_cap: null, call_cap: 9n });
  expect((await failureOf(ledger.keys.amend("key_none", {}))).message).toContain("No such key");
});

describe("a call that was named", () => {
  test("is charged once and keeps its answer", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(1_000_000n));
    const named = { body: '{"data":7}', name: { name: "n1", fingerprint: "request" } };
    const both = await Promise.all([1, 2].map(() => books.ledger.charges.debit(charge(books, key), named)));
    expect(both.map((one) => one.ok || one.why)).toEqual([true, "named_before"]);
    expect(await books.ledger.charges.findNamed(key.id, "n1")).toMatchObject({
      fingerprint: "request",
      body: '{"data":7}',
    });
    expect(await books.ledger.keys.usage(key.id)).toMatchObject({ calls: 1, spent: 10_000n });
  });
});

test("a statement lists every call, newest first, debits and passes", async () => {
  const books = await open();
  const key = await issue(books, 1, credit(1_000_000n));
  for (const product of ["a", "b", "c"]) await books.ledger.charges.debit(charge(books, key, { product }), answer);
  books.ledger.charges.pass(charge(books, key, { product: "d" }));
  await books.ledger.flush();
  const lines = await books.ledger.statements.calls(key.id, { limit: 10 });
  expect(lines.map((line) => `${line.access} ${line.product}`)).toEqual(["pass d", "debit c", "debit b", "debit a"]);
  const older = await books.ledger.statements.calls(key.id, { limit: 10, before: lines[1]?.id });
  expect(older.map((line) => line.product)).toEqual(["b", "a"]);
});

test("a coupon is used once, a client has one a day, and the node keeps its budget", async () => {
  const books = await open();
  const rules = { client_since_ms: books.clock.now() - 24 * HOUR_MS, budget: 20_000n, budget_since_ms: 0 };
  const { coupons } = books.ledger;
  const redeem = (id: string, client: string) =>
    coupons.hold({ id, client, product: "fear-greed", amount: 10_000n }, rules);
  expect(await redeem("c1", "a")).toBe("held");
  expect(await redeem("c1", "b")).toBe("used_before");
  expect(await redeem("c2", "a")).toBe("client_used_one");
  await coupons.release("c1");
  expect(await redeem("c2", "a")).toBe("held");
  await coupons.use("c2");
  await coupons.release("c2");
  expect(await redeem("c2", "z")).toBe("used_before");
  expect(await redeem("c3", "b")).toBe("held");
  expect(await redeem("c4", "c")).toBe("budget_spent");
  expect(await coupons.recover()).toBe(1);
  expect(await redeem("c4", "c")).toBe("held");
  expect((await books.ledger.audit()).findings).toEqual([]);
});

describe("a purchase", () => {
  const buy = async ({ ledger, clock }: Books, target: Purchase["target"], grant: Grant) => {
    const network = "eip155:84532";
    const begun = await ledger.payments.begin({
      replay_key: `evm:${crypto.randomUUID()}`,
      payload_hash: "hash",
      fingerprint: "request",
      product: "buy-credits",
      network,
      asset: "0xusdc",
      payer: "0xpayer",
      pay_to: "0xseller",
      amount: 990_000n,
      valid_until_ms: 4_000_000_000_000,
      payload: "{}",
    });
    if (!begun.started) throw new Error("not started");
    const receipt_id = `rcp_${begun.id}`;
    const purchase = { receipt_id, grant: { ...grant, from_ms: clock.now() }, target };
    await ledger.payments.keepAnswer(begun.id, "answer", { purchase: renderPurchase(purchase) });
    const settled = { chain_transaction: `0x${begun.id}`, label: "organic", delivered: true } as const;
    expect(await ledger.payments.settle(begun.id, settled)).toMatchObject({ receipt_id });
    return begun.id;
  };

  test("issues the key in the commit that settles it, with exactly what the plan grants", async () => {
    const books = await open();
    const salt = new Uint8Array(32).fill(7);
    const id = await buy(books, { key: { ...newKey(1), salt } }, credit(1_250_000n));
    const key = await books.ledger.keys.byPublicId("key_1");
    if (!key) throw new Error("no key");
    expect((await balance(books, key)).posted).toBe(1_250_000n);
    expect((await books.ledger.audit()).accounts).toEqual([
      { id: "chain:eip155:84532", posted: -990_000n, pending: 0n },
      { id: "credit:key_1", posted: 1_250_000n, pending: 0n },
      { id: "promotion:bonus", posted: -260_000n, pending: 0n },
    ]);
    expect((await books.ledger.audit()).findings).toEqual([]);
    expect(await books.ledger.keys.saltOf("key_1")).toEqual(salt);
    expect((await books.ledger.payments.get(id))?.purchase).not.toContain("salt");
    books.clock.advance(2 * HOUR_MS);
    expect(await books.ledger.keys.dropSalts(books.clock.now())).toBe(1);
    expect(await books.ledger.keys.saltOf("key_1")).toBeNull();
  });

  test("tops up the key it names", async () => {
    const books = await open();
    const key = await issue(books, 1, credit(100n));
    await buy(books, { public_id: key.public_id }, credit(1_250_000n));
    expect((await balance(books, key)).posted).toBe(1_250_100n);
    expect((await books.ledger.statements.grants(key.id)).map((grant) => grant.paid)).toEqual([0n, 990_000n]);
    expect((await books.ledger.audit()).findings).toEqual([]);
  });

  test("whose payment never landed suspends the key until it is found", async () => {
    const books = await open();
    const { ledger, clock } = books;
    const look = (id: string, state: "missing" | "confirmed", checked_at_ms = clock.now()) =>
      ledger.landings.note(`rcp_${id}`, { state, checked_at_ms, due_at_ms: null, doubted: true });
    const suspended = async () => (await ledger.keys.suspended(10)).map(({ public_id }) => public_id);
    const first = await buy(books, { key: newKey(1) }, credit(1_250_000n));
    await buy(books, { key: newKey(2) }, pass(HOUR_MS));
    const key = await ledger.keys.find(newKey(1).hash);
    if (!key) throw new Error("no key");
    const second = await buy(books, { public_id: "key_1" }, credit(1_250_000n));
    const found_at_ms = clock.now();
    await look(first, "missing", found_at_ms);
    const at_ms = (await ledger.keys.find(newKey(1).hash))?.suspended_at_ms;
    expect([await suspended(), at_ms]).toEqual([["key_1"], found_at_ms]);
    await look(second, "missing");
    clock.advance(HOUR_MS);
    await look(first, "confirmed");
    expect((await ledger.keys.byPublicId("key_1"))?.suspended_at_ms).toBe(found_at_ms);
    // A confirmed payment stays confirmed, whatever later looks say.
    await look(first, "missing");
    await look(second, "confirmed");
    expect([await suspended(), (await ledger.keys.find(newKey(1).hash))?.suspended_at_ms]).toEqual([[], null]);
    expect((await balance(books, key)).posted).toBe(2_500_000n);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("of a pass earns its price at once, and one that grants less than it costs earns the rest", async () => {
    const books = await open();
    await buy(books, { key: newKey(1) }, pass(HOUR_MS));
    await buy(books, { key: newKey(2) }, credit(900_000n));
    expect((await books.ledger.audit()).accounts).toContainEqual({
      id: "revenue:plans",
      posted: 1_080_000n,
      pending: 0n,
    });
    expect((await books.ledger.audit()).findings).toEqual([]);
  });
});
