import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeBooksAfterEach, ENGINE, openBooks } from "../../test/helpers/open-books.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";

closeBooksAfterEach();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIVE_MINUTES_MS = 300_000;
/** A signature of 4 kB, the longest that is taken. */
const PAYLOAD = JSON.stringify({ signature: `0x${"ab".repeat(4_096)}` });

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "upkeep-"));
  folders.push(folder);
  const clock = createStillClock(Date.UTC(2026, 0, 15));
  const file = join(folder, "ledger.db");
  const ledger = await openBooks({ file, clock });
  const { payments } = ledger;
  let count = 0;
  const begin = async (valid_ms = FIVE_MINUTES_MS, replay_key = `key ${count++}`) => {
    const begun = await payments.begin({
      replay_key,
      payload_hash: "hash",
      fingerprint: "request",
      product: "one",
      network: "eip155:84532",
      asset: "0xusdc",
      payer: "0xpayer",
      pay_to: "0xseller",
      amount: 10_000n,
      valid_until_ms: clock.now() + valid_ms,
      payload: PAYLOAD,
    });
    if (!begun.started) throw new Error("not started");
    return { id: begun.id, replay_key };
  };
  const refuse = async (valid_ms?: number, state: "rejected" | "abandoned" = "rejected", replay_key?: string) => {
    const one = await begin(valid_ms, replay_key);
    void payments.drop(one.id, one.replay_key, { state, reason: "no" });
    return one;
  };
  /** What the job does every five minutes. */
  const prune = () => payments.pruneEnded(clock.now() - DAY_MS);
  const pages = () => {
    ledger.checkpoint();
    const db = new Database(file, { readonly: true });
    const { page_count } = db.query("PRAGMA page_count").get() as { page_count: number };
    db.close();
    return page_count;
  };
  return { clock, file, ledger, payments, begin, refuse, prune, pages };
}

describe("payments that were rejected or abandoned", () => {
  test("go a day after their signature died, and their counts stay", async () => {
    const { clock, ledger, payments, refuse, prune } = await open();
    const [first, second] = [await refuse(), await refuse(FIVE_MINUTES_MS, "abandoned")];
    await ledger.flush();
    clock.advance(DAY_MS + FIVE_MINUTES_MS);
    expect(await prune()).toBe(0);
    expect(await payments.get(first.id)).toMatchObject({ state: "rejected", reason: "no" });
    clock.advance(1);
    expect(await prune()).toBe(2);
    for (const { id, replay_key } of [first, second]) {
      expect(await payments.get(id)).toBeNull();
      expect(await payments.find(replay_key)).toBeNull();
    }
    await refuse();
    await ledger.flush();
    expect(await ledger.audit()).toMatchObject({ ok: true, payments: { rejected: 2, abandoned: 1 } });
  });

  test("go a day and an hour after they ended, however far their sender put the end of his signature", async () => {
    const { clock, ledger, refuse, prune } = await open();
    await refuse(Date.UTC(9999, 0, 1));
    await ledger.flush();
    clock.advance(DAY_MS + HOUR_MS);
    expect(await prune()).toBe(0);
    clock.advance(1);
    expect(await prune()).toBe(1);
  });

  test("may start over before and after, and nothing that may have been paid ever goes", async () => {
    const { clock, ledger, payments, begin, refuse, prune } = await open();
    const again = await refuse();
    expect((await begin(FIVE_MINUTES_MS, again.replay_key)).id).toBe(again.id);
    payments.drop(again.id, again.replay_key, { state: "rejected", reason: "no" });
    const states = ["settled", "unknown", "settle_failed", "settling"] as const;
    const ids = new Map<string, string>();
    for (const state of states) {
      const { id } = await begin();
      ids.set(state, id);
      await payments.keepAnswer(id, "answer");
      if (state === "settled") {
        await payments.settle(id, { chain_transaction: "0x1", label: "organic", delivered: true });
      }
      if (state === "unknown") await payments.markUnknown(id, "timeout");
      if (state === "settle_failed") await payments.end(id, "settle_failed", "refused");
    }
    clock.advance(100 * DAY_MS);
    expect(await prune()).toBe(1);
    for (const state of states) {
      expect(await payments.get(ids.get(state) ?? "")).toMatchObject({ state, payload: PAYLOAD });
    }
    expect((await begin(FIVE_MINUTES_MS, again.replay_key)).id).not.toBe(again.id);
    expect((await ledger.audit()).ok).toBe(true);
  });

  test.skipIf(ENGINE === "postgres")(
    "do not keep the signed payload: a row is some hundred bytes, whatever was sent",
    async () => {
      const { ledger, payments, refuse, pages } = await open();
      const before = pages();
      for (let n = 0; n < 500; n++) {
        await refuse();
        if (n % 20 === 0) await ledger.flush();
      }
      await ledger.flush();
      expect((await payments.find("key 0"))?.payload).toBe("");
      // 500 payloads of 8 kB would be 1,500 pages.
      expect(pages() - before).toBeLessThan(250);
    },
  );

  test.skipIf(ENGINE === "postgres")(
    "under refusals without end the file stays as large as after the first day",
    async () => {
      const { clock, ledger, refuse, prune, pages } = await open();
      const sizes: number[] = [];
      for (let day = 0; day < 6; day++) {
        for (let hour = 0; hour < 24; hour++) {
          for (let n = 0; n < 20; n++) await refuse(n % 2 === 0 ? FIVE_MINUTES_MS : Date.UTC(9999, 0, 1));
          await ledger.flush();
          clock.advance(HOUR_MS);
          await prune();
        }
        sizes.push(pages());
      }
      const [, second = 0] = sizes;
      expect(Math.max(...sizes.slice(2))).toBeLessThanOrEqual(second + 2);
      expect(await ledger.audit()).toMatchObject({ ok: true, payments: { rejected: 6 * 24 * 20 } });
    },
  );
});
