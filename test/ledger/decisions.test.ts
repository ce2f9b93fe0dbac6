import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { closeBooksAfterEach, openBooks } from "../helpers/open-books.ts";
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

/** A child key whose balance and day are in this state. */
async function openIn({ available, spent_today, day = TODAY, is_named = false }: State) {
  const folder = mkdtempSync(join(tmpdir(), "decisions-"));
  folders.push(folder);
  const ledger = await openBooks({ file: join(folder, "ledger.db"), clock: createStillClock(TODAY * DAY_MS) });
  const issued = { public_id: "key_1", hash: sha256Hex("key"), salt: null, label: null, purchaser: null };
  const credit = available + spent_today;
  const grant = { plan: "p", credit, duration_ms: null, pass: false, priority: 1, badge: null };
  const root = await ledger.keys.issue(issued, grant, { by: "operator" });
  const limits = { daily_cap: null, call_cap: null, products: null, expires_at_ms: null };
  const child = await ledger.keys.mint(root, {
    ...{ public_id: "key_2", hash: sha256Hex("child"), label: null },
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
