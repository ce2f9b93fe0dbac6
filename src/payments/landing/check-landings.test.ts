import { describe, expect, test } from "bun:test";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import type { Landing, LandingLook, Landings } from "../../ledger/landings.ts";
import type { Network } from "../networks/table.ts";
import type { ChainVerdict } from "../types.ts";
import type { ChainQuestion } from "./chain-reader.ts";
import { createLandingCheck } from "./check-landings.ts";

const NETWORK = "eip155:8453";
const NOW_MS = Date.UTC(2026, 0, 15);
const DAY_MS = 86_400_000;
const NAMED = `0x${"a".repeat(64)}`;
const NOT_YET: ChainVerdict = { paid: false, final: false, reason: "not_used_yet" };
const OVER: ChainVerdict = { paid: false, final: true, reason: "expired_unused" };

const landing = (receipt_id: string, of: Partial<Landing> = {}): Landing => ({
  receipt_id,
  payment_id: `pay_${receipt_id}`,
  network: NETWORK,
  facilitator: "one",
  state: "pending",
  looks: 0,
  chain_transaction: NAMED,
  amount: 10_000n,
  pay_to: "seller",
  payload: `{"of":"${receipt_id}"}`,
  created_at_ms: NOW_MS - 1_000,
  settled_at_ms: NOW_MS - 30_000,
  doubted: true,
  ...of,
});

function createBench(due: readonly Landing[], reply: (question: ChainQuestion) => Promise<ChainVerdict>) {
  const noted: [string, LandingLook][] = [];
  const postponed: [string, number][] = [];
  const alarms: Readonly<Record<string, unknown>>[] = [];
  const log: Readonly<Record<string, unknown>>[] = [];
  const asked: ChainQuestion[] = [];
  const limits: number[] = [];
  let at_once = 0;
  let at_once_max = 0;
  const never = () => {
    throw new Error("not in this test");
  };
  const landings: Landings = {
    listDue: async (network, now_ms, limit) => {
      expect(now_ms).toBe(NOW_MS);
      limits.push(limit);
      return network === NETWORK ? due.slice(0, limit) : [];
    },
    note: async (receipt, look) => void noted.push([receipt, look]),
    postpone: async (receipt, due_at_ms) => void postponed.push([receipt, due_at_ms]),
    confirmPayment: never,
    countDisbelieved: never,
    counts: never,
    doubts: never,
    listMissing: never,
    countUnknown: never,
    listIncome: never,
  };
  const check = createLandingCheck({
    landings,
    clock: createStillClock(NOW_MS),
    chain: {
      canRead: ({ testnet }: Network) => !testnet,
      async ask(question) {
        asked.push(question);
        at_once += 1;
        at_once_max = Math.max(at_once_max, at_once);
        try {
          return await reply(question);
        } finally {
          at_once -= 1;
        }
      },
    },
    log: (event) => log.push(event),
    alarm: (event) => alarms.push(event),
  });
  return { check, noted, postponed, alarms, log, asked, limits, atOnceMax: () => at_once_max };
}
const many = (count: number, of: Partial<Landing> = {}) =>
  Array.from({ length: count }, (_, index) => landing(`r${index}`, of));

describe("a look at a reported settlement", () => {
  test("asks by the signed payload, with the named transaction as a hint", async () => {
    const bench = createBench([landing("a")], async () => ({ paid: true, transaction: NAMED }));
    expect(await bench.check.pass()).toBe(1);
    expect(bench.asked).toMatchObject([
      { payload: { of: "a" }, amount: 10_000n, pay_to: "seller", hint_transaction: NAMED, since_ms: NOW_MS - 1_000 },
    ]);
    expect(bench.noted).toEqual([["a", { state: "confirmed", checked_at_ms: NOW_MS, due_at_ms: null }]]);
    expect(bench.alarms).toEqual([]);
  });

  test.each([
    ["used_but_not_found", false],
    ["used_for_another_amount", true],
  ])("doubts a sale of which the chain says %s: %p", async (reason, is_doubted) => {
    const due = [landing("a", { settled_at_ms: NOW_MS - 60_000, doubted: false })];
    const bench = createBench(due, async () => ({ paid: false, final: false, reason }));
    await bench.check.pass();
    expect(bench.noted).toMatchObject([["a", { state: "pending", doubted: is_doubted }]]);
    expect(bench.alarms).toMatchObject(is_doubted ? [{ event: "settlement_doubted", reason }] : []);
  });

  test("confirms what landed by another transaction than was named, and raises an alarm", async () => {
    const transaction = `0x${"b".repeat(64)}`;
    const bench = createBench([landing("a")], async () => ({ paid: true, transaction }));
    await bench.check.pass();
    expect(bench.noted).toMatchObject([["a", { state: "confirmed" }]]);
    expect(bench.alarms).toMatchObject([{ event: "landed_by_another_transaction", receipt: "a", transaction }]);
  });

  test("that is slow is over before the next pass begins: what it saw does not undo what was seen later", async () => {
    const slow = Promise.withResolvers<ChainVerdict>();
    const verdicts = [slow.promise, Promise.resolve(OVER)];
    const bench = createBench([landing("a")], () => verdicts.shift() ?? Promise.resolve(OVER));
    const passes = [bench.check.pass(), bench.check.pass()];
    await Bun.sleep(0);
    expect(bench.asked).toHaveLength(1);
    slow.resolve(NOT_YET);
    await Promise.all(passes);
    expect(bench.noted.map(([, { state }]) => state)).toEqual(["pending", "missing"]);
  });

  test("raises one alarm for what never landed, and looks again for a month", async () => {
    const bench = createBench([landing("a")], async () => OVER);
    await bench.check.pass();
    expect(bench.noted).toMatchObject([["a", { state: "missing", due_at_ms: NOW_MS + DAY_MS / 4 }]]);
    expect(bench.alarms).toMatchObject([{ event: "never_landed", receipt: "a", facilitator: "one", network: NETWORK }]);

    const again = createBench([landing("a", { state: "missing" })], async () => OVER);
    await again.check.pass();
    expect(again.alarms).toEqual([]);

    const daily = createBench(many(1, { state: "missing", created_at_ms: NOW_MS - DAY_MS }), async () => OVER);
    await daily.check.pass();
    expect(daily.noted).toMatchObject([["r0", { state: "missing", due_at_ms: NOW_MS + DAY_MS }]]);

    const old = createBench(many(1, { state: "missing", created_at_ms: NOW_MS - 30 * DAY_MS }), async () => OVER);
    await old.check.pass();
    expect(old.noted).toMatchObject([["r0", { state: "missing", due_at_ms: null }]]);
  });

  test.each<[looks: number, again_s: number]>([
    [0, 10],
    [1, 20],
    [5, 320],
    [30, 21_600],
  ])("after %i that saw nothing is followed by the next in %i s", async (looks, again_s) => {
    const bench = createBench([landing("a", { looks })], async () => NOT_YET);
    await bench.check.pass();
    expect(bench.noted).toMatchObject([["a", { state: "pending", due_at_ms: NOW_MS + again_s * 1_000 }]]);
  });
});

describe("a report that the chain does not know", () => {
  const SEEN_PART: ChainVerdict = { paid: false, final: false, reason: "used, by something else" };
  test.each<[what: string, of: Partial<Landing>, verdict: ChainVerdict, doubted: boolean]>([
    ["after 30 s is doubted at once", { settled_at_ms: NOW_MS - 30_000 }, NOT_YET, true],
    ["before that is not", { settled_at_ms: NOW_MS - 29_999 }, NOT_YET, false],
    ["never to be taken any more is", { settled_at_ms: NOW_MS - 1_000 }, OVER, true],
    ["but knows to be used is not", { settled_at_ms: NOW_MS - 90_000 }, SEEN_PART, false],
  ])("%s", async (_what, of, verdict, doubted) => {
    const bench = createBench([landing("a", { ...of, doubted: false })], async () => verdict);
    await bench.check.pass();
    expect(bench.noted).toMatchObject([["a", { doubted }]]);
    const events = bench.alarms.map(({ event }) => event);
    expect(events).toEqual(doubted ? [verdict === OVER ? "never_landed" : "settlement_doubted"] : []);
  });

  test("is looked at again when the time for doubt has come, not later", async () => {
    const young = landing("a", { looks: 2, settled_at_ms: NOW_MS - 20_000, doubted: false });
    const bench = createBench([young], async () => NOT_YET);
    await bench.check.pass();
    expect(bench.noted).toMatchObject([["a", { due_at_ms: NOW_MS + 10_000 }]]);
  });
});

describe("a pass", () => {
  test("is bounded, and looks up a few at once", async () => {
    const bench = createBench(many(300), async () => {
      await Promise.resolve();
      return NOT_YET;
    });
    expect(await bench.check.pass()).toBe(200);
    expect(bench.atOnceMax()).toBe(4);
    expect(new Set(bench.noted.map(([receipt]) => receipt)).size).toBe(200);
    // Three main networks can be read here; the others are not even listed.
    expect(bench.limits).toEqual([200, 200, 200]);
  });

  test("ends when nobody answers, and counts no look", async () => {
    const bench = createBench(many(100), async () => {
      throw new Error("down");
    });
    expect(await bench.check.pass()).toBe(0);
    expect(bench.asked.length).toBeLessThanOrEqual(6);
    expect(bench.noted).toEqual([]);
    expect(bench.postponed.length).toBe(bench.asked.length);
    for (const [, due_at_ms] of bench.postponed) expect(due_at_ms).toBe(NOW_MS + 60_000);
  });

  test("goes on past one that cannot be read, such as a payload no family knows", async () => {
    const bench = createBench(many(20), async ({ payload }) => {
      if (payload.of === "r1") throw new Error("no such payload");
      return { paid: true, transaction: NAMED };
    });
    expect(await bench.check.pass()).toBe(19);
    expect(bench.postponed.map(([receipt]) => receipt)).toEqual(["r1"]);
  });

  test("ends early when it is canceled, and the next one works", async () => {
    let asked = 0;
    const bench = createBench(many(100), async () => {
      asked += 1;
      if (asked === 1) bench.check.cancel();
      return NOT_YET;
    });
    expect(await bench.check.pass()).toBeLessThanOrEqual(4);
    expect(await bench.check.pass()).toBe(100);
  });
});
