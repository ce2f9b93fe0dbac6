import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNodeError } from "../../src/core/errors.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import type { KeyRow } from "../../src/ledger/key-rows.ts";
import { type Ledger, openLedgerInThread } from "../../src/ledger/ledger.ts";
import { startBookThread } from "../../src/ledger/sqlite/book-thread.ts";
import { book_threads } from "../../src/ledger/sqlite/spare-thread.ts";
import type { ThreadOrder } from "../../src/ledger/sqlite/thread-messages.ts";
import { until } from "../helpers/hang-limit.ts";
import { failureOf } from "../helpers/open-books.ts";
import { createStillClock } from "../helpers/still-clock.ts";

/** What the books promise of the thread that writes them, beyond what every engine does. */
const folders: string[] = [];
const open: Ledger[] = [];
afterEach(async () => {
  for (const ledger of open.splice(0)) await ledger.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function start() {
  const folder = mkdtempSync(join(tmpdir(), "book-thread-"));
  folders.push(folder);
  const workers: Worker[] = [];
  const spawn = (): Worker => {
    const worker = new Worker(new URL("../../src/ledger/sqlite/ledger-worker.ts", import.meta.url).href);
    workers.push(worker);
    return worker;
  };
  const clock = createStillClock();
  const ledger = await openLedgerInThread({ file: join(folder, "ledger.db"), clock, spawn });
  open.push(ledger);
  const told: (string | null)[] = [];
  ledger.onTrouble((reason) => told.push(reason));
  return { ledger, clock, told, kill: () => workers.at(-1)?.terminate() };
}

const grant = { plan: "p", credit: 1_000_000n, duration_ms: null, pass: false, priority: 1, badge: null };
const issue = ({ keys }: Ledger, n = 1): Promise<KeyRow> => {
  const key = { public_id: `key_${n}`, hash: sha256Hex(`${n}`), salt: null, label: null, purchaser: null };
  return keys.issue(key, grant, { by: "operator" });
};
const debit = ({ charges }: Ledger, key: KeyRow, product: string) =>
  charges.debit({ key, root: key, product, amount: 10n, now_ms: 0 }, { body: "{}", name: null });
const payment = (replay_key: string) => ({
  replay_key,
  payload_hash: "hash",
  fingerprint: "request",
  product: "one",
  network: "eip155:84532",
  asset: "0xusdc",
  payer: "0xpayer",
  pay_to: "0xseller",
  amount: 10_000n,
  valid_until_ms: 4_000_000_000_000,
  payload: "{}",
});

describe("a thread of the books that dies", () => {
  test("is started again, and nothing it acknowledged is lost", async () => {
    const { ledger, told, kill } = await start();
    const key = await issue(ledger);
    let acknowledged = 0;
    let open_ended = 0;
    let refused = 0;
    for (let round = 1; round <= 5; round++) {
      const calls = Array.from({ length: 40 }, async (_, n) => {
        if (n > 20) await Bun.sleep(n / 10);
        try {
          await debit(ledger, key, `${round}:${n}`);
          acknowledged += 1;
        } catch (error) {
          if (!isNodeError(error) || error.code !== "ledger_unavailable") throw error;
          if (error.options.charge_unknown) open_ended += 1;
          else refused += 1;
        }
      });
      await Bun.sleep(round);
      kill();
      await Promise.all(calls);
      // All of them may have been answered before: then nobody has heard of its end yet.
      await until(() => told.filter((reason) => reason === null).length === round, "the next thread");
    }
    expect(told.length).toBe(10);
    expect(told[0]).toContain("started again");
    expect(acknowledged + open_ended + refused).toBe(200);
    const { calls } = await ledger.keys.usage(key.id);
    // What was never answered is in the books or not; what was answered is, and what was refused is not.
    expect(calls).toBeGreaterThanOrEqual(acknowledged);
    expect(calls).toBeLessThanOrEqual(acknowledged + open_ended);
    expect(await debit(ledger, key, "after")).toMatchObject({ ok: true });
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("leaves no payment that could be settled without its answer", async () => {
    const { ledger, kill } = await start();
    const begun = await ledger.payments.begin(payment("a"));
    if (!begun.started) throw new Error("not started");
    kill();
    await until(() => ledger.trouble !== null, "the end of the thread");
    await until(() => ledger.trouble === null, "the next thread");
    // It was begun, and never written: there is nothing to keep an answer for.
    expect(await failureOf(ledger.payments.keepAnswer(begun.id, "{}"))).toMatchObject({ code: "ledger_unavailable" });
    expect(await ledger.payments.find("a")).toBeNull();
    expect(await ledger.payments.begin(payment("a"))).toMatchObject({ started: true });
  });

  test("stays away when the books had been stopped", async () => {
    const { ledger, kill } = await start();
    const begun = await ledger.payments.begin(payment("a"));
    if (!begun.started) throw new Error("not started");
    await ledger.flush();
    const settled = { chain_transaction: "0x1", label: "organic", delivered: true } as const;
    await failureOf(ledger.payments.settle(begun.id, settled));
    expect(ledger.halted).toContain("I5");
    kill();
    await until(() => ledger.trouble !== null, "the end of the thread");
    expect(await failureOf(issue(ledger))).toMatchObject({ code: "ledger_unavailable" });
    expect(ledger.trouble).toContain("I5");
    open.splice(0);
    await failureOf(ledger.close());
  });
});

describe("a query beside the thread", () => {
  test("sees what was acknowledged, and a payment from the moment it was begun or dropped", async () => {
    const { ledger } = await start();
    for (let n = 0; n < 50; n++) {
      const key = await issue(ledger, n);
      expect((await ledger.keys.find(sha256Hex(`${n}`)))?.public_id).toBe(key.public_id);
      const begun = await ledger.payments.begin(payment(`${n}`));
      if (!begun.started) throw new Error("not started");
      expect((await ledger.payments.find(`${n}`))?.state).toBe("received");
      void ledger.payments.drop(begun.id, `${n}`, { state: "abandoned", reason: "no" });
      expect((await ledger.payments.find(`${n}`))?.state).toBe("abandoned");
    }
  });

  test("has the time of the clock it was opened with", async () => {
    const { ledger, clock } = await start();
    clock.set(Date.UTC(2031, 0, 1));
    const key = await issue(ledger);
    expect(new Date(key.created_at_ms).getUTCFullYear()).toBe(2031);
  });
});

test("the thread books what is asked for in one turn in that order, in however many pieces it is sent", async () => {
  const { ledger } = await start();
  const key = await issue(ledger);
  const results = await Promise.all(Array.from({ length: 100 }, (_, n) => debit(ledger, key, `${n}`)));
  expect(results.map(({ ok, available }) => [ok, available])).toEqual(
    results.map((_, n) => [true, 1_000_000n - 10n * BigInt(n + 1)]),
  );
  expect((await ledger.audit()).findings).toEqual([]);
});

describe("a thread whose books are closed", () => {
  async function openIn(thread: Worker, name: string): Promise<Ledger> {
    const folder = mkdtempSync(join(tmpdir(), "book-thread-"));
    folders.push(folder);
    book_threads.giveBack(thread);
    const ledger = await openLedgerInThread({ file: join(folder, `${name}.db`), clock: createStillClock() });
    open.push(ledger);
    return ledger;
  }
  /** What waits to open the next books, if not a new one. */
  const waiting = () => {
    const thread = book_threads.take();
    thread.unref();
    return thread;
  };

  test("opens the next ones, and knows nothing of the earlier", async () => {
    const thread = waiting();
    const first = await openIn(thread, "first");
    const key = await issue(first);
    expect(await debit(first, key, "one")).toMatchObject({ ok: true, available: 999_990n });
    await first.close();
    const again = waiting();
    expect(again).toBe(thread);
    const second = await openIn(again, "second");
    expect(await second.keys.byPublicId(key.public_id)).toBeNull();
    const other = await issue(second, 2);
    // The same answer again: it is sent in full to whoever opened these books.
    expect(await debit(second, other, "one")).toMatchObject({ ok: true, available: 999_990n });
    expect(await second.audit()).toMatchObject({ ok: true, findings: [] });
    expect(await second.keys.usage(other.id)).toMatchObject({ calls: 1, spent: 10n });
    await second.close();
    waiting().terminate();
    open.splice(0);
  });

  test("ends when an answer is still to come: the next ledger would take it for its own", async () => {
    waiting().terminate();
    let ended = 0;
    const thread = Object.assign(new EventTarget(), {
      onmessage: (_: MessageEvent) => undefined,
      onerror: () => undefined,
      ref: () => undefined,
      unref: () => undefined,
      terminate() {
        ended += 1;
      },
      postMessage({ start: order }: ThreadOrder) {
        if (order) queueMicrotask(() => thread.onmessage(new MessageEvent("message", { data: { ready: true } })));
      },
    });
    book_threads.giveBack(thread as unknown as Worker);
    const books = await startBookThread({
      start: { file: "none", synchronous: "FULL" },
      clock: createStillClock(),
    });
    void books.call("keys", "issue", []);
    books.endClosed();
    expect(ended).toBe(1);
    const next = waiting();
    expect(next === (thread as unknown)).toBe(false);
    next.terminate();
  });
});
