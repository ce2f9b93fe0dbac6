import { afterEach, describe, expect, test } from "bun:test";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { SettleOutcome } from "../../src/payments/facilitators/types.ts";
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
    again: null as string | SettleOutcome | null,
    readable: true,
  };
  let asked_again = 0;
  const questions: ChainQuestion[] = [];
  const reconciler = createReconciler({
    ledger,
    clock,
    rpc_urls: () => [],
    chain: {
      canRead: () => script.readable,
      ask: (question) => {
        questions.push(question);
        return script.chain(question);
      },
    },
    labelOf: () => "organic",
    settleAgain: async () => {
      asked_again += 1;
      return typeof script.again === "string" ? { kind: "settled", transaction: script.again } : script.again;
    },
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
  const timesAskedAgain = () => asked_again;
  return { clock, ledger, script, questions, reconciler, leaveOpen, resolve, counts, timesAskedAgain };
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

const refused = (reason: string): SettleOutcome => ({ kind: "refused", reason, transaction: "" });
const END_MS = 300_000;

describe("an open settlement whose facilitator is asked again by its buyer", () => {
  test.each([true, false])("ends with its refusal (a chain to ask: %p)", async (readable) => {
    const bench = createBench();
    bench.script.readable = readable;
    const id = await bench.leaveOpen();
    bench.script.again = refused("invalid_exact_evm_signature");
    bench.clock.advance(15_000);
    expect(await bench.resolve(id, true)).toMatchObject({
      state: "settle_failed",
      reason: "invalid_exact_evm_signature",
    });
    expect((await bench.ledger.audit()).findings).toEqual([]);
  });

  test.each(["insufficient_funds", "invalid_exact_evm_insufficient_balance", "simulation_failed", "payment_expired"])(
    "does not end with %s, which the first settle may have brought about",
    async (reason) => {
      const bench = createBench();
      const id = await bench.leaveOpen();
      bench.script.again = refused(reason);
      bench.clock.advance(15_000);
      expect(await bench.resolve(id, true)).toMatchObject({ state: "unknown" });
    },
  );

  test.each<[what: string, reason: string, hint: string | undefined, chain: ChainVerdict]>([
    ["was named a transaction for", "timed out", HINT, NOT_YET],
    ["was reported as settled", NOT_CONFIRMED, undefined, NOT_YET],
    ["was pending", "settlement_pending", undefined, NOT_YET],
    ["the chain has seen", "timed out", undefined, { paid: false, final: false, reason: "used_but_not_found" }],
  ])("does not end with a refusal when it %s", async (_what, reason, hint, verdict) => {
    const bench = createBench();
    const id = await bench.leaveOpen(reason, hint);
    bench.script.chain = async () => verdict;
    bench.script.again = refused("invalid_exact_evm_signature");
    bench.clock.advance(15_000);
    expect(await bench.resolve(id, true)).toMatchObject({ state: "unknown" });
  });
});

describe("an open settlement that can land no more", () => {
  test("is asked for once more and given up 30 seconds after its end, where no chain can be asked", async () => {
    const bench = createBench();
    bench.script.readable = false;
    const id = await bench.leaveOpen();
    bench.clock.advance(END_MS + 30_000);
    expect(await bench.resolve(id, true)).not.toHaveProperty("given_up");
    expect(bench.timesAskedAgain()).toBe(1);
    bench.clock.advance(2_001);
    expect(await bench.resolve(id, true)).toMatchObject({ state: "unknown", given_up: true });
    expect(await bench.resolve(id, true)).toMatchObject({ state: "unknown", given_up: true });
    bench.clock.advance(60_000);
    expect(await bench.resolve(id, false)).toMatchObject({ state: "unknown", given_up: true });
    expect(bench.timesAskedAgain()).toBe(2);
  });

  test("is booked when the last question shows that it was settled", async () => {
    const bench = createBench();
    bench.script.readable = false;
    const id = await bench.leaveOpen();
    bench.clock.advance(END_MS + 60_000);
    bench.script.again = LANDED;
    expect(await bench.resolve(id, true)).toMatchObject({ state: "settled", chain_transaction: LANDED });
  });

  test("is neither asked for nor given up without its buyer", async () => {
    const bench = createBench();
    bench.script.readable = false;
    const id = await bench.leaveOpen();
    bench.clock.advance(END_MS + 60_000);
    expect(await bench.resolve(id, false)).not.toHaveProperty("given_up");
    expect(bench.timesAskedAgain()).toBe(0);
  });

  test.each<[what: string, readable: boolean, again: SettleOutcome | null, chain: ChainVerdict | Error]>([
    ["the chain cannot be read", true, null, new Error("down")],
    ["the chain's endpoint stands still", true, null, NOT_YET],
    ["the chain saw it and shows no more", true, null, { paid: false, final: false, reason: "used_but_not_found" }],
    ["the facilitator says that it was used", false, { kind: "unknown", cause: "nonce_already_used" }, NOT_YET],
    ["the facilitator names a transaction", false, { kind: "unknown", cause: "no", transaction: HINT }, NOT_YET],
  ])("is given up ten minutes after its end when %s", async (_what, readable, again, verdict) => {
    const bench = createBench();
    Object.assign(bench.script, { readable, again });
    bench.script.chain = async () => {
      if (verdict instanceof Error) throw verdict;
      return verdict;
    };
    const id = await bench.leaveOpen();
    bench.clock.advance(END_MS + 60_000);
    expect(await bench.resolve(id, true)).not.toHaveProperty("given_up");
    bench.clock.advance(600_000);
    expect(await bench.resolve(id, true)).toMatchObject({ state: "unknown", given_up: true });
  });

  test("is booked all the same when the chain shows it later", async () => {
    const bench = createBench();
    const id = await bench.leaveOpen();
    bench.clock.advance(END_MS + 700_000);
    expect(await bench.resolve(id, true)).toMatchObject({ given_up: true });
    bench.script.chain = async () => ({ paid: true, transaction: LANDED });
    bench.clock.advance(3_000);
    const row = await bench.resolve(id, false);
    expect(row).toMatchObject({ state: "settled" });
    expect(row).not.toHaveProperty("given_up");
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
