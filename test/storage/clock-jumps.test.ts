import { Database } from "bun:sqlite";
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createScheduler, type ScheduledJob } from "../../src/jobs/scheduler.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { until } from "../helpers/hang-limit.ts";
import { createCaller, createSeller, newLedgerFolder, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";

/** Clocks are set by operators, by time servers and by batteries that ran out. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse("2026-11-18T10:00:00Z");
const JUMPS: readonly (readonly [string, number])[] = [
  ["an hour back", -HOUR_MS],
  ["an hour ahead", HOUR_MS],
  ["forty days ahead", 40 * DAY_MS],
];
const CREDIT = 1_000_000n;

/** What the whole process takes for the time, as if somebody had set the system's clock: it runs on from there. */
const RealDate = Date;
function setClock(now_ms: number | null): void {
  const offset_ms = now_ms === null ? 0 : now_ms - RealDate.now();
  const now = () => RealDate.now() + offset_ms;
  globalThis.Date =
    now_ms === null
      ? RealDate
      : new Proxy(RealDate, {
          construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
          get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
        });
}
afterEach(() => setClock(null));

afterAll(removeLedgerFolders);

function openBooks() {
  const clock = createStillClock(START_MS);
  const file = join(newLedgerFolder(), "ledger.db");
  const ledger = openLedger({ file, clock });
  return { clock, file, ledger, ...createSeller(ledger, clock.now), ...createCaller(ledger, clock.now) };
}

const isRising = (numbers: readonly number[]): boolean =>
  numbers.length > 2 && numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));

function readColumn(file: string, sql: string): readonly number[] {
  const db = new Database(file, { readonly: true });
  const numbers = db.query(sql).values().flat().map(Number);
  db.close();
  return numbers;
}

describe.each(JUMPS)("when the clock jumps %s", (_, jump_ms) => {
  test("ledger times rise all the same, the books stay clean, and nothing held is lost or taken twice", async () => {
    const { clock, file, ledger, sell, buy, debit, hold } = openBooks();
    // What the ledger hands out are its times.
    const times: number[] = [];
    await sell();
    const key = await buy("credits", { credit: CREDIT }, { product: "buy-credits", amount: CREDIT });
    times.push(await hold(key, "pending", "gas"));
    clock.advance(jump_ms);
    await sell();
    times.push(await debit(key), await hold(key, "posted"));
    clock.advance(-jump_ms);
    await sell();
    times.push(await debit(key));
    expect(isRising(times)).toBeTrue();
    expect(isRising(readColumn(file, "SELECT settled_at FROM receipts ORDER BY seq"))).toBeTrue();
    const account = key.account ?? "";
    const { posted, pending } = await ledger.keys.balance(account);
    expect({ posted, pending }).toEqual({ posted: CREDIT - 2n * 2_500n - 20_000n, pending: 20_000n });
    expect(await ledger.charges.recover()).toBe(1);
    expect((await ledger.keys.balance(account)).pending).toBe(0n);
    expect((await ledger.audit()).findings).toEqual([]);
    await ledger.close();
  });

  test("a pass that was bought before it ends as it was sold, one bought after it counts from the clock", async () => {
    const { clock, ledger, buy } = openBooks();
    const day_pass = { plan: "day_pass", pass: true, duration_ms: DAY_MS };
    const before = await buy("before", day_pass, { amount: 5_000_000n });
    clock.advance(jump_ms);
    clock.advance(-jump_ms);
    const after = await buy("after", day_pass, { amount: 5_000_000n });
    expect((await ledger.keys.byPublicId("key_before"))?.pass_until_ms).toBe(before.pass_until_ms);
    const [first, second] = [before, after].map(({ pass_until_ms }) => (pass_until_ms ?? 0) - START_MS - DAY_MS);
    // Times of the ledger rise although its clock stands.
    expect(first).toBeWithin(0, 1_000);
    expect(second).toBeWithin(0, 1_000);
    await ledger.close();
  });
});

describe.each(JUMPS)("jobs, when the system's clock jumps %s,", (_, jump_ms) => {
  test("go on, and none runs twice at once or makes up for what it missed", async () => {
    const ran = { quick: 0, hourly: 0 };
    let at_once = 0;
    let most = 0;
    const job = (id: "quick" | "hourly", every_ms: number): ScheduledJob => ({
      id,
      schedule: { every_ms },
      at_start: false,
      run: async () => {
        at_once += 1;
        most = Math.max(most, at_once);
        ran[id] += 1;
        await Bun.sleep(20);
        at_once -= 1;
      },
    });
    // A moment before a mark of both, and a node whose pauses after a mark are the shortest.
    setClock(START_MS + HOUR_MS - 1_500);
    const jobs = [job("quick", 1_000), job("hourly", HOUR_MS)];
    const scheduler = createScheduler({ now_ms: () => 0, jobs, seed: "seed-2259", log: () => undefined });
    scheduler.start();
    try {
      await until(() => ran.hourly > 0, "a first run");
      setClock(Date.now() + jump_ms);
      const seen = ran.quick;
      await until(() => ran.quick > seen + 1, "runs after the jump");
      // The mark it is at again, and the hours of forty days, are not run.
      expect(ran.hourly).toBe(1);
      const { next_run } = scheduler.status().find(({ id }) => id === "hourly") ?? {};
      expect(Date.parse(next_run ?? "") - Date.now()).toBeWithin(0, HOUR_MS);
    } finally {
      await scheduler.stop();
    }
    expect(most).toBeLessThanOrEqual(2);
  });
});
