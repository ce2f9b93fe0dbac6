import { afterEach, describe, expect, test } from "bun:test";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { ChainQuestion } from "../../src/payments/landing/chain-reader.ts";
import { NOT_CONFIRMED } from "../../src/payments/landing/with-confirmation.ts";
import { createReconciler } from "../../src/payments/reconcile.ts";
import type { ChainVerdict } from "../../src/payments/types.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const BASE = "eip155:84532";
const LANDED = `0x${"b".repeat(64)}`;
const HINT = `0x${"a".repeat(64)}`;
const OVER: ChainVerdict = { paid: false, final: true, reason: "expired_unused" };
const NOT_YET: ChainVerdict = { paid: false, final: false, reason: "not_used_yet" };

let opened: Ledger | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

/** A reconciler on a real ledger, before a chain and a facilitator that answer as a test says. */
function createBench() {
  const clock = createStillClock(Date.UTC(2026, 0, 15));
  const ledger = openLedger({ file: ":memory:", clock });
  opened = ledger;
  const script = {
    chain: async (_question: ChainQuestion): Promise<ChainVerdict> => NOT_YET,
    again: null as string | null,
  };
  const questions: ChainQuestion[] = [];
  const reconciler = createReconciler({
    ledger,
    clock,
    rpc_urls: () => [],
    chain: {
      canRead: () => true,
      ask: (question) => {
        questions.push(question);
        return script.chain(question);
      },
    },
    labelOf: () => "organic",
    settleAgain: async () => (script.again === null ? null : { kind: "settled", transaction: script.again }),
    log: () => undefined,
  });
  let payments = 0;
  const leaveOpen = async (reason = "timed out", transaction?: string): Promise<string> => {
    payments += 1;
    const name = `payment ${payments}`;
    const begun = await ledger.payments.begin({
      replay_key: name,
      payload_hash: name,
      fingerprint: name,
      product: "p",
      network: BASE,
      asset: "usdc",
      payer: "payer",
      pay_to: "seller",
      amount: 10_000n,
      valid_until_ms: clock.now() + 300_000,
      payload: JSON.stringify({ name }),
    });
    if (!begun.started) throw new Error("not new");
    await ledger.payments.keepAnswer(begun.id, "{}");
    await ledger.payments.markUnknown(begun.id, reason, { transaction, facilitator: "one" });
    return begun.id;
  };
  const resolve = async (id: string, buyer_is_there = false) => {
    const row = await ledger.payments.get(id);
    if (!row) throw new Error("no such payment");
    return reconciler.resolve(row, buyer_is_there);
  };
  const counts = async () => (await ledger.landings.counts())[0];
  return { clock, ledger, script, questions, reconciler, leaveOpen, resolve, counts };
}

describe("an open settlement", () => {
  test("is looked up by what the facilitator named, and is confirmed at once when it is there", async () => {
    const bench = createBench();
    const id = await bench.leaveOpen("timed out", HINT);
    bench.script.chain = async () => ({ paid: true, transaction: LANDED });
    expect(await bench.resolve(id)).toMatchObject({ state: "settled", chain_transaction: LANDED, facilitator: "one" });
    expect(bench.questions).toMatchObject([{ hint_transaction: HINT, amount: 10_000n, pay_to: "seller" }]);
    expect(await bench.counts()).toMatchObject({ confirmed: 1, pending: 0 });
    expect((await bench.ledger.audit()).findings).toEqual([]);
  });

  test("that a facilitator says it settled after all has still to be seen on the chain", async () => {
    const bench = createBench();
    const id = await bench.leaveOpen();
    bench.clock.advance(15_000);
    bench.script.again = LANDED;
    expect(await bench.resolve(id, true)).toMatchObject({ state: "settled" });
    expect(await bench.counts()).toMatchObject({ confirmed: 0, pending: 1 });
  });

  test("is not booked by a transaction that paid for another", async () => {
    const bench = createBench();
    bench.script.chain = async () => ({ paid: true, transaction: LANDED });
    const [first, second] = [await bench.leaveOpen(), await bench.leaveOpen()];
    await bench.resolve(first);
    expect(await bench.resolve(second)).toMatchObject({ state: "unknown" });
    expect(await bench.ledger.audit()).toMatchObject({ findings: [], receipts: 1 });
  });

  test.each<[reason: string, disbelieved: number | undefined]>([
    [NOT_CONFIRMED, 1],
    [`transaction ${HINT} paid for pay_other`, 1],
    ["timed out", undefined],
    ["settlement_pending", undefined],
    ["the node stopped while settling", undefined],
  ])("(%s) that never was counts against who reported it, and only then", async (reason, disbelieved) => {
    const bench = createBench();
    const id = await bench.leaveOpen(reason);
    bench.script.chain = async () => OVER;
    expect(await bench.resolve(id)).toMatchObject({ state: "settle_failed", reason: "expired_unused" });
    expect((await bench.counts())?.disbelieved).toBe(disbelieved as number);
    if (disbelieved) expect(await bench.counts()).toMatchObject({ facilitator: "one", network: BASE });
  });

  test.each<[what: string, verdict: ChainVerdict]>([
    ["never taken", OVER],
    ["taken by another transaction", { paid: true, transaction: `0x${"c".repeat(64)}` }],
  ])("that was settled while the chain was asked stays so, though an endpoint says it was %s", async (_, verdict) => {
    const bench = createBench();
    const id = await bench.leaveOpen();
    bench.script.chain = async () => {
      await bench.ledger.payments.settle(id, { chain_transaction: LANDED, label: "organic", delivered: true });
      return verdict;
    };
    expect(await bench.resolve(id)).toMatchObject({ state: "settled", chain_transaction: LANDED });
    expect(bench.ledger.halted).toBeNull();
    expect(await bench.ledger.audit()).toMatchObject({ findings: [], receipts: 1 });
  });

  test("stays open while nobody answers", async () => {
    const bench = createBench();
    const id = await bench.leaveOpen();
    bench.script.chain = async () => {
      throw new Error("down");
    };
    expect(await bench.resolve(id)).toMatchObject({ state: "unknown", reason: "timed out" });
  });
});

describe("a pass over the open ones", () => {
  test("ends when nobody answers", async () => {
    const bench = createBench();
    for (let n = 0; n < 60; n++) await bench.leaveOpen();
    bench.script.chain = async () => {
      throw new Error("down");
    };
    expect(await bench.reconciler.resolveAll()).toBe(60);
    expect(bench.questions.length).toBeLessThan(20);
  });

  test("is bounded, and what stays open for ever does not hide what came later", async () => {
    const bench = createBench();
    for (let n = 0; n < 250; n++) {
      await bench.leaveOpen();
      bench.clock.advance(1);
    }
    const late = await bench.leaveOpen();
    const landed = { paid: true, transaction: LANDED } as const;
    bench.script.chain = async ({ payload }) => (payload.name === "payment 251" ? landed : NOT_YET);
    expect(await bench.reconciler.resolveAll()).toBe(200);
    bench.clock.advance(15_000);
    await bench.reconciler.resolveAll();
    expect(await bench.ledger.payments.get(late)).toMatchObject({ state: "settled" });
    // And then from the oldest on again.
    bench.clock.advance(15_000);
    expect(await bench.reconciler.resolveAll()).toBe(200);
    expect(bench.questions.at(-200)?.payload).toEqual({ name: "payment 1" });
  });
});
