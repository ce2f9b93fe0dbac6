import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeBooksAfterEach, failureOf, openBooks } from "../../../test/helpers/open-books.ts";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { sha256Hex } from "../../core/hash.ts";
import type { CallName } from "../charge.ts";
import type { KeyRow } from "../key-rows.ts";

closeBooksAfterEach();

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function openWithKey(credit: bigint) {
  const folder = mkdtempSync(join(tmpdir(), "debits-"));
  folders.push(folder);
  const clock = createStillClock(Date.UTC(2026, 0, 15));
  const ledger = await openBooks({ file: join(folder, "ledger.db"), clock });
  const grant = { plan: "p", credit, duration_ms: null, pass: false, priority: 1, badge: null };
  const issued = { public_id: "key_1", hash: sha256Hex("key"), salt: null, label: null, purchaser: null };
  const key = await ledger.keys.issue(issued, grant, { by: "operator" });
  const mint = (daily_cap: bigint | null) =>
    ledger.keys.mint(key, {
      public_id: "key_2",
      hash: sha256Hex("child"),
      label: null,
      daily_cap,
      call_cap: null,
      products: null,
      expires_at_ms: null,
    });
  const debit = (
    from: KeyRow,
    amount: bigint,
    { name = null, day = 0 }: { name?: CallName | null; day?: number } = {},
  ) =>
    ledger.charges.debit(
      { key: from, root: key, product: "a", amount, now_ms: clock.now() + day * 86_400_000 },
      { body: `{"of":"${from.public_id}"}`, name },
    );
  const isClean = async () => expect((await ledger.audit()).findings).toEqual([]);
  return { ledger, key, mint, debit, isClean };
}

test("debits of one commit are decided one after the other, to the last unit", async () => {
  const { ledger, key, mint, debit, isClean } = await openWithKey(100n);
  const child = await mint(30n);
  const results = await Promise.all([
    debit(key, 50n),
    debit(child, 20n),
    debit(child, 20n),
    debit(child, 10n),
    debit(key, 21n),
    debit(key, 20n),
    debit(key, 1n),
  ]);
  expect(results.map((result) => (result.ok ? "ok" : result.why))).toEqual([
    "ok",
    "ok",
    "daily_cap",
    "ok",
    "insufficient_credits",
    "ok",
    "insufficient_credits",
  ]);
  expect(results.map(({ available }) => available)).toEqual([50n, 30n, 30n, 20n, 20n, 0n, 0n]);
  expect(await ledger.keys.balance("credit:key_1")).toEqual({ posted: 0n, pending: 0n });
  expect(await ledger.keys.usage(child.id)).toMatchObject({ calls: 2, spent: 30n, spent_today: 30n });
  await isClean();
});

test("a name is charged once among debits of one commit", async () => {
  const { ledger, key, debit, isClean } = await openWithKey(1_000n);
  const name = { name: sha256Hex("mine"), fingerprint: "f" };
  const results = await Promise.all([debit(key, 10n), debit(key, 10n, { name }), debit(key, 10n, { name })]);
  expect(results.map((result) => (result.ok ? "ok" : result.why)).sort()).toEqual(["named_before", "ok", "ok"]);
  expect((await ledger.keys.balance("credit:key_1")).posted).toBe(980n);
  expect((await ledger.charges.findNamed(key.id, name.name))?.fingerprint).toBe("f");
  await isClean();
});

test("a day's spending begins anew within one commit, and a hold between debits counts", async () => {
  const { ledger, key, mint, debit, isClean } = await openWithKey(1_000n);
  const child = await mint(30n);
  const charge = { key: child, root: key, product: "a", amount: 10n, now_ms: Date.UTC(2026, 0, 15) };
  const [first, held, over, next_day] = await Promise.all([
    debit(child, 20n),
    ledger.charges.hold(charge, null),
    debit(child, 1n),
    debit(child, 30n, { day: 1 }),
  ]);
  expect([first.ok, held.ok, over.ok, next_day.ok]).toEqual([true, true, false, true]);
  expect(await ledger.keys.usage(child.id)).toMatchObject({ calls: 2, spent: 50n, spent_today: 30n });
  await isClean();
});

test("a hold of which less is charged gives the rest back, and its day counts what was charged", async () => {
  const { ledger, key, mint, debit, isClean } = await openWithKey(1_000n);
  const child = await mint(100n);
  const charge = { key: child, root: key, product: "a", amount: 90n, now_ms: Date.UTC(2026, 0, 15) };
  const held = await ledger.charges.hold(charge, null);
  if (!held.ok) throw new Error(held.why);
  expect(await debit(child, 20n)).toMatchObject({ ok: false, why: "daily_cap" });
  const answer = { body: "{}", name: null };
  const posted = await ledger.charges.post(held.id, { ...charge, amount: 7n }, answer);
  expect(posted.available).toBe(993n);
  expect(await ledger.keys.balance(key.account ?? "")).toEqual({ posted: 993n, pending: 0n });
  expect(await ledger.keys.usage(child.id)).toMatchObject({ calls: 1, spent: 7n, spent_today: 7n });
  expect(await debit(child, 20n)).toMatchObject({ ok: true });
  expect(await ledger.charges.refund(posted.call_id)).toBe(7n);
  await isClean();
});

test("a hold is never charged beyond what was set aside: the ledger stops instead", async () => {
  const { ledger, key } = await openWithKey(1_000n);
  const charge = { key, root: key, product: "a", amount: 90n, now_ms: Date.UTC(2026, 0, 15) };
  const held = await ledger.charges.hold(charge, null);
  if (!held.ok) throw new Error(held.why);
  const posted = ledger.charges.post(held.id, { ...charge, amount: 91n }, { body: "{}", name: null });
  expect(await failureOf(posted)).toMatchObject({ code: "ledger_unavailable" });
  expect(await ledger.keys.balance(key.account ?? "")).toEqual({ posted: 1_000n, pending: 90n });
});
