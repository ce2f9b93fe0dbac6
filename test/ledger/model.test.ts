import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SettableClock } from "../../src/core/clock.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import type { Grant } from "../../src/ledger/keys.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { renderPurchase } from "../../src/ledger/purchase.ts";
import { repeat } from "../helpers/effort.ts";
import { closeBooksAfterEach, ENGINE, failureOf, openBooks } from "../helpers/open-books.ts";
import { TEST_SEED as SEED } from "../helpers/seed.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import { CHANNEL_COMMANDS, compareChannels } from "./channel-commands.ts";
import { type ChannelModel, createChannelModel } from "./channel-model.ts";
import { createModel, createRandom, type Model, type ModelKey, type Random } from "./model.ts";

closeBooksAfterEach();

/**
 * Commands with quick counts: a commit for each costs a database some 0.3 ms of processor time, and a thread as much
 * for its messages; the code it runs is tried with all of them in this process.
 */
const QUICK_OF_ENGINE = { serving: 30_000, thread: 4_000, postgres: 2_000 };

/**
 * The ledger against a plain map: seeded commands go to both, and both must say the same. `TEST_SEED=n` repeats a run,
 * full counts are 100,000 commands on each engine, `TEST_LONG=1` makes it 20 million.
 */
const COMMANDS = repeat({ quick: QUICK_OF_ENGINE[ENGINE], full: 100_000, long: 20_000_000 });
const COMPARE_EVERY = ENGINE === "postgres" ? 2_500 : 500;
const AUDIT_EVERY = process.env.TEST_LONG ? 500_000 : 10_000;
const HOUR_MS = 3_600_000;

// Memory-backed where there is such a folder: this test is about the rules; others are about the disk.
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "ledger-model-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  readonly random: Random;
  readonly model: Model;
  readonly channels: ChannelModel;
  readonly clock: SettableClock;
  ledger: Ledger;
  count: number;
  readonly counts: Map<string, number>;
}

const AMOUNTS = [3_000n, 10_000n, 50_000n, 250_000n] as const;
const grantOf = ({ random }: Run): Grant => {
  const pass = random.below(4) === 0;
  return {
    plan: pass ? "day_pass" : "buy_credits",
    credit: pass ? 0n : BigInt(1 + random.below(1_500_000)),
    duration_ms: random.below(3) === 0 && !pass ? null : HOUR_MS * (1 + random.below(800)),
    pass,
    priority: 1 + random.below(4),
    badge: null,
  };
};
const rows = async (run: Run, key: ModelKey) => {
  const row = await run.ledger.keys.byPublicId(key.public_id);
  if (!row) throw new Error(`${key.public_id} is gone`);
  return { key: row, root: await run.ledger.keys.rootOf(row) };
};
const someKey = (run: Run): ModelKey => run.random.pick(run.model.keys);
const newKey = (run: Run) => ({
  public_id: `key_${run.count}`,
  hash: sha256Hex(`${run.count}`),
  salt: null,
  label: null,
  purchaser: null,
});

/** A payment that buys: it may settle at once, be unknown first, or come to nothing. */
async function pay(run: Run, target: ModelKey | null): Promise<void> {
  const { ledger, model, random, clock } = run;
  const grant = { ...grantOf(run), from_ms: clock.now() };
  const amount = 990_000n;
  const begun = await ledger.payments.begin({
    replay_key: `evm:${run.count}`,
    payload_hash: `hash ${run.count}`,
    fingerprint: "request",
    product: "buy-credits",
    network: "eip155:84532",
    asset: "0xusdc",
    payer: `0x${random.below(5)}`,
    pay_to: "0xseller",
    amount,
    valid_until_ms: 4_000_000_000_000,
    payload: "{}",
  });
  if (!begun.started) throw new Error("a new payment has to start");
  const fresh = newKey(run);
  const receipt_id = `rcp_${run.count}`;
  const json = renderPurchase({
    receipt_id,
    grant,
    target: target ? { public_id: target.public_id } : { key: fresh },
  });
  await ledger.payments.keepAnswer(begun.id, "answer", { purchase: json });
  const outcome = random.below(10);
  if (outcome === 0) return ledger.payments.end(begun.id, "settle_failed", "refused");
  if (outcome <= 2) await ledger.payments.markUnknown(begun.id, "timeout");
  const settled = { chain_transaction: `0x${run.count}`, label: "organic", delivered: true } as const;
  expect(await ledger.payments.settle(begun.id, settled)).toMatchObject({ receipt_id });
  // A second word about the same settlement changes nothing.
  expect(await ledger.payments.settle(begun.id, settled)).toMatchObject({ receipt_id });
  model.grant(target ?? model.add(fresh.public_id), grant, clock.now());
}

const COMMANDS_OF: Readonly<Record<string, { readonly weight: number; run(run: Run): Promise<void> }>> = {
  issue: {
    weight: 2,
    async run(run) {
      const grant = grantOf(run);
      const key = newKey(run);
      await run.ledger.keys.issue(key, grant, { by: "operator" });
      run.model.grant(run.model.add(key.public_id), grant, run.clock.now());
    },
  },
  buy: { weight: 2, run: (run) => pay(run, null) },
  top_up: {
    weight: 2,
    async run(run) {
      const key = someKey(run);
      if (key.parent === null && !key.revoked) await pay(run, key);
    },
  },
  gift: {
    weight: 2,
    async run(run) {
      const key = someKey(run);
      const grant = grantOf(run);
      const given = run.ledger.keys.grant(key.public_id, grant, { by: "operator" });
      if (key.parent !== null || key.revoked) {
        expect(await failureOf(given)).toBeInstanceOf(Error);
        return;
      }
      await given;
      run.model.grant(key, grant, run.clock.now());
      return undefined;
    },
  },
  mint: {
    weight: 2,
    async run(run) {
      const parent = someKey(run);
      if (parent.parent !== null) return;
      const { public_id, hash } = newKey(run);
      const daily_cap = run.random.below(2) === 0 ? null : BigInt(10_000 + run.random.below(500_000));
      const limits = { label: null, daily_cap, call_cap: null, products: null, expires_at_ms: null };
      await run.ledger.keys.mint((await rows(run, parent)).key, { public_id, hash, ...limits });
      run.model.add(public_id, parent, daily_cap);
    },
  },
  debit: {
    weight: 60,
    async run(run) {
      const key = someKey(run);
      const amount = run.random.pick(AMOUNTS);
      const now_ms = run.clock.now();
      const expected = run.model.canPay(key, amount, now_ms);
      const charge = { ...(await rows(run, key)), product: "fear-greed", amount, now_ms };
      const result = await run.ledger.charges.debit(charge, { body: `{"n":${run.random.below(9)}}`, name: null });
      expect(result.ok ? "ok" : result.why).toBe(expected);
      if (!result.ok) return;
      run.model.count(key, amount, now_ms);
      run.model.debit(key, amount, result.call_id);
    },
  },
  hold: {
    weight: 12,
    async run(run) {
      const key = someKey(run);
      const amount = run.random.pick(AMOUNTS);
      const now_ms = run.clock.now();
      const expected = run.model.canPay(key, amount, now_ms);
      const result = await run.ledger.charges.hold(
        { ...(await rows(run, key)), product: "mempool", amount, now_ms },
        null,
      );
      expect(result.ok ? "ok" : result.why).toBe(expected);
      if (!result.ok) return;
      run.model.count(key, amount, now_ms);
      run.model.rootOf(key).pending += amount;
      run.model.holds.push({ id: result.id, amount, key, day: Math.floor(now_ms / 86_400_000) });
    },
  },
  end_hold: {
    weight: 12,
    async run(run) {
      const { holds } = run.model;
      if (holds.length === 0) return;
      const [hold] = holds.splice(run.random.below(holds.length), 1);
      if (!hold) return;
      if (run.random.below(3) === 0) {
        await run.ledger.charges.void(hold.id);
        return run.model.giveBack(hold);
      }
      const charge = {
        ...(await rows(run, hold.key)),
        product: "mempool",
        // A metered call costs what it used: a third of them less than was held.
        amount: run.random.below(3) === 0 ? BigInt(1 + run.random.below(Number(hold.amount))) : hold.amount,
        now_ms: run.clock.now(),
      };
      const { call_id } = await run.ledger.charges.post(hold.id, charge, { body: "{}", name: null });
      run.model.giveBack({ ...hold, amount: hold.amount - charge.amount });
      run.model.rootOf(hold.key).pending -= charge.amount;
      run.model.debit(hold.key, charge.amount, call_id);
    },
  },
  refund: {
    weight: 1,
    async run(run) {
      const { debits } = run.model;
      if (debits.length === 0) return;
      const debit = run.random.pick(debits);
      const given = await run.ledger.charges.refund(debit.call_id);
      expect(given).toBe(debit.refunded ? 0n : debit.amount);
      debit.root.balance += given;
      debit.refunded = true;
    },
  },
  revoke: {
    weight: 1,
    async run(run) {
      const key = someKey(run);
      // Most keys live: what is revoked is hardly ever used again.
      if (run.random.below(4) !== 0) return;
      await run.ledger.keys.revoke(key.public_id);
      key.revoked = true;
      for (const child of run.model.keys) if (child.parent === key) child.revoked = true;
    },
  },
  expire: {
    weight: 1,
    async run(run) {
      const key = someKey(run);
      const now_ms = run.clock.now();
      const first_ms = key.lots[0]?.until_ms ?? null;
      const ended = key.has_ended || (first_ms !== null && first_ms <= now_ms);
      const may = key.parent === null && key.has_balance && (ended || key.revoked);
      const expiring = run.ledger.keys.expire(key.public_id);
      if (!may) {
        expect(await failureOf(expiring)).toBeInstanceOf(Error);
        return;
      }
      expect(await expiring).toBe(run.model.endLots(key, key.revoked ? null : now_ms));
      return undefined;
    },
  },
  ...CHANNEL_COMMANDS,
  clock: {
    weight: 1,
    async run({ clock, random }) {
      clock.advance(random.pick([-HOUR_MS, HOUR_MS, 5_000, 40 * 24 * HOUR_MS, -40 * 24 * HOUR_MS]));
    },
  },
  restart: {
    // In a quick run too it is to take part.
    weight: ENGINE === "serving" ? 0.05 : 0.3,
    async run(run) {
      await run.ledger.close();
      run.ledger = await openBooks({ file: join(folder, "ledger.db"), clock: run.clock });
      await run.ledger.payments.recover();
      // What was being sent is open from now on, until the chain tells.
      await run.ledger.channels.recover();
      expect(await run.ledger.charges.recover()).toBe(run.model.holds.length);
      for (const hold of run.model.holds.splice(0)) run.model.giveBack(hold);
    },
  },
};

const NAMES = Object.keys(COMMANDS_OF);
const TOTAL = NAMES.reduce((sum, name) => sum + (COMMANDS_OF[name]?.weight ?? 0), 0);
const pickCommand = (random: Random): string => {
  let rest = random.next() * TOTAL;
  for (const name of NAMES) {
    rest -= COMMANDS_OF[name]?.weight ?? 0;
    if (rest < 0) return name;
  }
  return "debit";
};

async function compare(run: Run): Promise<void> {
  const { ledger, model } = run;
  await compareChannels(run);
  for (const key of model.keys) {
    const row = await ledger.keys.byPublicId(key.public_id);
    const usage = await ledger.keys.usage(row?.id ?? 0);
    const { posted, pending } = await ledger.keys.balance(row?.account ?? "");
    const { calls, spent, revoked, pass_until_ms, balance_until_ms, granted } = key;
    expect({
      key: row?.public_id,
      posted,
      pending,
      calls: usage.calls,
      spent: usage.spent,
      revoked: row?.revoked_at_ms !== null,
      granted: await ledger.statements.granted(row?.id ?? 0),
    }).toEqual({ key: key.public_id, posted: key.balance, pending: key.pending, calls, spent, revoked, granted });
    // The ledger's clock reading and the model's may be some milliseconds apart.
    const apart = (a: number | null | undefined, b: number | null) =>
      a === null || b === null ? a === b : Math.abs((a ?? 0) - b) < 5_000;
    expect([apart(row?.pass_until_ms, pass_until_ms), apart(row?.balance_until_ms, balance_until_ms)]).toEqual([
      true,
      true,
    ]);
  }
}

/** Every statement adds up to the balance, from nothing. */
async function compareStatements({ ledger, model }: Run): Promise<void> {
  for (const { public_id, balance, parent } of model.keys) {
    const row = await ledger.keys.byPublicId(public_id);
    if (!row || parent !== null) continue;
    const of = { key_id: row.id, account: row.account, is_child: false };
    const { opening, lines } = await ledger.statements.page(of, { limit: 1_000_000 });
    const moved = lines.reduce((sum, { change }) => sum + change, 0n);
    expect([public_id, opening, moved]).toEqual([public_id, 0n, balance]);
  }
}

describe(`the ledger, seed ${SEED}`, () => {
  test(`says what a plain map says over ${COMMANDS} commands`, async () => {
    const clock = createStillClock();
    const run: Run = {
      random: createRandom(SEED),
      model: createModel(),
      channels: createChannelModel(),
      clock,
      ledger: await openBooks({ file: join(folder, "ledger.db"), clock }),
      count: 0,
      counts: new Map(),
    };
    await COMMANDS_OF.issue?.run(run);
    for (run.count = 1; run.count <= COMMANDS; run.count++) {
      const name = pickCommand(run.random);
      // A bounded world: with many keys every one would be used too rarely to go wrong.
      const grows = name === "issue" || name === "buy" || name === "mint";
      if (grows && run.model.keys.length >= 300) continue;
      run.counts.set(name, (run.counts.get(name) ?? 0) + 1);
      await COMMANDS_OF[name]?.run(run);
      if (run.model.debits.length > 10_000) run.model.debits.splice(0, 5_000);
      if (run.count % COMPARE_EVERY === 0) await compare(run);
      if (run.count % AUDIT_EVERY === 0) expect((await run.ledger.audit()).findings).toEqual([]);
    }
    await compare(run);
    await compareStatements(run);
    expect((await run.ledger.audit()).findings).toEqual([]);
    // Every command took part.
    expect(NAMES.filter((name) => !run.counts.has(name))).toEqual([]);
    await run.ledger.close();
  });
});
