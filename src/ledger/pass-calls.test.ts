import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeBooksAfterEach, ENGINE, failureOf, openBooks, runOnBooks } from "../../test/helpers/open-books.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { sha256Hex } from "../core/hash.ts";
import { createPassCalls, type PassCall } from "./pass-calls.ts";
import { createWriter } from "./sqlite/writer.ts";

closeBooksAfterEach();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function openWithPass() {
  const folder = mkdtempSync(join(tmpdir(), "passes-"));
  folders.push(folder);
  const file = join(folder, "ledger.db");
  // A whole minute, so that a test knows when the next one begins.
  const clock = createStillClock(Date.UTC(2026, 0, 15));
  const ledger = await openBooks({ file, clock });
  const grant = { plan: "day_pass", credit: 50_000n, duration_ms: 48 * HOUR_MS, pass: true, priority: 1, badge: null };
  const issued = { public_id: "key_1", hash: sha256Hex("key"), salt: null, label: null, purchaser: "0xpayer" };
  const key = await ledger.keys.issue(issued, grant, { by: "operator" });
  const call = (product = "a") => ledger.charges.pass({ key, product, now_ms: clock.now() });
  const lines = async () => {
    const calls = await ledger.statements.calls(key.id, { limit: 100 });
    return calls.map(({ access, product, times }) => `${access} ${product} ${times}`);
  };
  return { file, clock, ledger, key, call, lines };
}

describe("calls of a pass", () => {
  test("are one row a minute and product, however many they are, and each is counted", async () => {
    const { clock, ledger, key, call, lines } = await openWithPass();
    for (let minute = 0; minute < 3; minute++) {
      for (let n = 0; n < 5_000; n++) {
        call("a");
        if (n % 5 === 0) call("b");
        if (n % 700 === 0) await ledger.flush();
      }
      await ledger.flush();
      clock.advance(MINUTE_MS);
    }
    expect(await lines()).toEqual(Array(3).fill(["pass b 1000", "pass a 5000"]).flat());
    expect(await ledger.keys.usage(key.id)).toMatchObject({ calls: 18_000, spent: 0n });
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("are listed in the statement with debits in the order they began, pages and audit included", async () => {
    const { clock, ledger, key, call, lines } = await openWithPass();
    call();
    await ledger.flush();
    const charge = { key, root: key, product: "paid", amount: 10_000n, now_ms: clock.now() };
    await ledger.charges.debit(charge, { body: "{}", name: null });
    call();
    await ledger.flush();
    expect(await lines()).toEqual(["debit paid 1", "pass a 2"]);
    const [newest] = await ledger.statements.calls(key.id, { limit: 1 });
    expect(await ledger.statements.calls(key.id, { limit: 5, before: newest?.id })).toMatchObject([{ times: 2 }]);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test.skipIf(ENGINE === "postgres")("do not let the file grow with their number", async () => {
    const { file, clock, ledger, call } = await openWithPass();
    const pages = () => {
      ledger.checkpoint();
      const db = new Database(file, { readonly: true });
      const { page_count } = db.query("PRAGMA page_count").get() as { page_count: number };
      db.close();
      return page_count;
    };
    const before = pages();
    for (let minute = 0; minute < 60; minute++) {
      for (let n = 0; n < 2_000; n++) call();
      await ledger.flush();
      clock.advance(MINUTE_MS);
    }
    // 60 rows of some 60 bytes are two pages of 4 kB; 120,000 would be 1,700.
    expect(pages() - before).toBeLessThanOrEqual(3);
  });

  test("are not changed but by more of them", async () => {
    const { file, ledger, call } = await openWithPass();
    for (let n = 0; n < 5; n++) call();
    await ledger.close();
    for (const change of ["times = 4", "product = 'b'"]) {
      expect((await failureOf(runOnBooks(file, [`UPDATE calls SET ${change}`]))).message).toContain("calls are final");
    }
    await runOnBooks(file, ["UPDATE calls SET times = 6"]);
    const again = await openBooks({ file, clock: createStillClock() });
    expect((await again.audit()).findings).toMatchObject([{ rule: "I2" }]);
    await again.close();
  });
});

test("a write that has to be done again counts its calls once", async () => {
  const db = new Database(":memory:");
  const writer = createWriter(db);
  const written: string[] = [];
  let fails = true;
  const pass = createPassCalls(writer, {
    insert: (_call, times) => {
      written.push(`insert ${times}`);
      return 7;
    },
    add: (_call, id, times) => void written.push(`add ${times} to ${id}`),
  });
  const call = { key: { id: 1 }, root: { id: 1 }, product: "a", now_ms: 0 } as PassCall;
  for (let n = 0; n < 3; n++) pass(call);
  // Fails once with the whole batch, which is then run one by one.
  const poison = writer
    .write(() => {
      if (fails) throw new Error("no");
    })
    .catch(() => undefined);
  await poison;
  fails = false;
  pass(call);
  await writer.flush();
  expect(written.at(0)).toBe("insert 3");
  expect(written.filter((one) => one === "insert 3").length).toBeLessThanOrEqual(2);
  expect(written.at(-1)).toBe("add 1 to 7");
  writer.stop();
});
