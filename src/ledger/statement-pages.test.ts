import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeBooksAfterEach, openBooks } from "../../test/helpers/open-books.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { sha256Hex } from "../core/hash.ts";
import { renderCSV } from "../http/statement-csv.ts";
import type { KeyRow } from "./key-rows.ts";
import type { Grant } from "./keys.ts";
import type { StatementLine } from "./statement-pages.ts";

closeBooksAfterEach();

const HOUR_MS = 3_600_000;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const grantOf = (credit: bigint, more: Partial<Grant> = {}): Grant => ({
  plan: "buy_credits",
  credit,
  duration_ms: null,
  pass: false,
  priority: 1,
  badge: null,
  ...more,
});

async function openWithKey(grant: Grant) {
  const folder = mkdtempSync(join(tmpdir(), "statements-"));
  folders.push(folder);
  const clock = createStillClock(Date.UTC(2026, 0, 15));
  const ledger = await openBooks({ file: join(folder, "ledger.db"), clock });
  const limits = { daily_cap: null, call_cap: null, products: null, expires_at_ms: null, label: null };
  const issued = { public_id: "key_1", hash: sha256Hex("key"), salt: null, label: null, purchaser: null };
  const key = await ledger.keys.issue(issued, grant, { by: "operator" });
  const mint = (n: number) =>
    ledger.keys.mint(key, { public_id: `key_1${n}`, hash: sha256Hex(`child ${n}`), ...limits });
  const charge = async (from: KeyRow, amount: bigint) => ({
    key: from,
    root: await ledger.keys.rootOf(from),
    product: "fear-greed",
    amount,
    now_ms: clock.now(),
  });
  const debit = async (from: KeyRow, amount: bigint): Promise<number> => {
    const done = await ledger.charges.debit(await charge(from, amount), { body: "{}", name: null });
    if (!done.ok) throw new Error(done.why);
    clock.advance(1_000);
    return done.call_id;
  };
  /** Every page of a key's statement; each is checked to begin where the next one ends. */
  const pagesOf = async (of: KeyRow, limit: number): Promise<StatementLine[]> => {
    const { account } = await ledger.keys.rootOf((await ledger.keys.byPublicId(of.public_id)) ?? of);
    const lines: StatementLine[] = [];
    let before: number | undefined;
    let closing: bigint | undefined;
    do {
      const asked = { key_id: of.id, account, is_child: of.parent !== null };
      const page = await ledger.statements.page(asked, { limit, before });
      const moved = page.lines.reduce((sum, { change }) => sum + change, 0n);
      expect(page.opening + moved).toBe(page.closing);
      if (closing !== undefined) expect(page.closing).toBe(closing);
      closing = page.opening;
      before = page.next_before ?? undefined;
      lines.push(...page.lines);
    } while (before !== undefined);
    expect(closing).toBe(0n);
    return lines;
  };
  const posted = async () => (await ledger.keys.balance("credit:key_1")).posted;
  return { clock, ledger, key, mint, charge, debit, pagesOf, posted };
}

const sumOf = (lines: readonly StatementLine[]): bigint => lines.reduce((sum, { change }) => sum + change, 0n);

/** A column of a CSV, read as any spreadsheet would. */
function columnOf(csv: string, name: string): string[] {
  const [head = "", ...rows] = csv.trimEnd().split("\r\n");
  const index = head.split(",").indexOf(name);
  return rows.map((row) => row.split(",")[index] ?? "");
}

/** A key that met everything: top-ups, a voided hold, a refund, a child, a gift, expiry and a gift after it. */
async function openWithHistory() {
  const books = await openWithKey(grantOf(100_000n, { duration_ms: HOUR_MS }));
  const { clock, ledger, key, charge, debit } = books;
  const first = await debit(key, 10_000n);
  const held = await ledger.charges.hold(await charge(key, 20_000n), null);
  if (!held.ok) throw new Error(held.why);
  await ledger.charges.void(held.id);
  const child = await books.mint(1);
  const of_child = await debit(child, 7_000n);
  await ledger.keys.grant("key_1", grantOf(50_000n, { plan: "operator", duration_ms: HOUR_MS }), { by: "operator" });
  await debit(child, 3_000n);
  const posted = await ledger.charges.hold(await charge(key, 5_000n), null);
  if (!posted.ok) throw new Error(posted.why);
  await ledger.charges.post(posted.id, await charge(key, 5_000n), { body: "{}", name: null });
  clock.advance(1_000);
  await ledger.charges.refund(first);
  await ledger.charges.refund(of_child);
  clock.advance(2 * HOUR_MS);
  expect(await ledger.keys.expire("key_1")).toBe(142_000n);
  clock.advance(1_000);
  await ledger.keys.grant("key_1", grantOf(30_000n), { by: "operator" });
  await debit(key, 1_000n);
  return { ...books, child };
}

describe("a statement", () => {
  test("adds up to the balance over voided holds, top-ups, children, refunds, expiry and goodwill", async () => {
    const { ledger, key, pagesOf, posted } = await openWithHistory();
    const lines = await pagesOf(key, 100);
    expect(lines.map(({ kind, change, balance }) => [kind, change, balance]).reverse()).toEqual([
      ["grant", 100_000n, 100_000n],
      ["call", -10_000n, 90_000n],
      ["call", -7_000n, 83_000n],
      ["grant", 50_000n, 133_000n],
      ["call", -3_000n, 130_000n],
      ["call", -5_000n, 125_000n],
      ["refund", 10_000n, 135_000n],
      ["refund", 7_000n, 142_000n],
      ["expiry", -142_000n, 0n],
      ["grant", 30_000n, 30_000n],
      ["call", -1_000n, 29_000n],
    ]);
    expect(sumOf(lines)).toBe(await posted());
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("reads the same in pages of any size, each opening with what the next one closes with", async () => {
    const { key, child, pagesOf } = await openWithHistory();
    for (const of of [key, child]) {
      const whole = await pagesOf(of, 100);
      for (const limit of [1, 2, 3, 5, whole.length]) expect(await pagesOf(of, limit)).toEqual(whole);
    }
  });

  test("goes on from any of its lines, even where no page ended", async () => {
    const { ledger, key, child } = await openWithHistory();
    const { account } = await ledger.keys.rootOf(key);
    for (const of of [key, child]) {
      const asked = { key_id: of.id, account, is_child: of.parent !== null };
      const { lines } = await ledger.statements.page(asked, { limit: 100 });
      for (const [index, line] of lines.entries()) {
        const before = line.id;
        const rest = await ledger.statements.page(asked, { limit: 100, before });
        expect([rest.closing, rest.lines]).toEqual([line.balance - line.change, lines.slice(index + 1)]);
      }
    }
  });

  test("as CSV sums to the balance, in atomic units and in dollars", async () => {
    const { key, pagesOf, posted } = await openWithHistory();
    const csv = renderCSV(await pagesOf(key, 100));
    const atomic = columnOf(csv, "change_atomic").reduce((sum, text) => sum + BigInt(text), 0n);
    expect(atomic).toBe(await posted());
    const dollars = columnOf(csv, "change_usd").reduce((sum, text) => sum + Number(text), 0);
    expect(dollars.toFixed(6)).toBe("0.029000");
    expect([columnOf(csv, "balance_atomic")[0], columnOf(csv, "balance_usd")[0]]).toEqual(["29000", "0.029"]);
    expect(columnOf(csv, "key_id")).toContain("key_11");
    expect(columnOf(csv, "plan").filter((plan) => plan !== "")).toEqual(["buy_credits", "operator", "buy_credits"]);
  });

  test("of a child is its own calls: it closes with minus what it spent", async () => {
    const { ledger, child, pagesOf } = await openWithHistory();
    const lines = await pagesOf(child, 100);
    expect(lines.map(({ kind, change, refunded }) => [kind, change, refunded])).toEqual([
      ["refund", 7_000n, false],
      ["call", -3_000n, false],
      ["call", -7_000n, true],
    ]);
    expect(sumOf(lines)).toBe(7_000n - (await ledger.keys.usage(child.id)).spent);
  });

  test("leaves out what is only held, until it is debited", async () => {
    const { ledger, key, charge, pagesOf, posted } = await openWithKey(grantOf(50_000n));
    await ledger.charges.hold(await charge(key, 20_000n), null);
    expect(await pagesOf(key, 10)).toHaveLength(1);
    expect(sumOf(await pagesOf(key, 10))).toBe(await posted());
  });

  test("of a pass has its price paid, and calls by the minute that move nothing", async () => {
    const day_pass = grantOf(0n, { plan: "day_pass", pass: true, duration_ms: 48 * HOUR_MS });
    const { clock, ledger, key, debit, pagesOf, posted } = await openWithKey(day_pass);
    const call = () => ledger.charges.pass({ key, product: "a", now_ms: clock.now() });
    for (let minute = 0; minute < 3; minute++) {
      for (let n = 0; n < 5; n++) call();
      await ledger.flush();
      clock.advance(60_000);
    }
    expect((await pagesOf(key, 2)).map(({ kind, times, change }) => [kind, times, change])).toEqual([
      ["call", 5, 0n],
      ["call", 5, 0n],
      ["call", 5, 0n],
      ["grant", 0, 0n],
    ]);
    await ledger.keys.grant("key_1", grantOf(40_000n), { by: "operator" });
    const topped_up = (await ledger.keys.byPublicId("key_1")) ?? key;
    await debit(topped_up, 15_000n);
    for (const limit of [1, 3, 10]) expect(sumOf(await pagesOf(topped_up, limit))).toBe(await posted());
  });

  test("of another key has nothing of this one", async () => {
    const { ledger, pagesOf } = await openWithHistory();
    const other = { public_id: "key_2", hash: sha256Hex("other"), salt: null, label: null, purchaser: null };
    const key = await ledger.keys.issue(other, grantOf(9_000n), { by: "operator" });
    expect((await pagesOf(key, 10)).map(({ kind, key: named }) => [kind, named])).toEqual([["grant", "key_2"]]);
  });
});
