import { Database } from "bun:sqlite";
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isNodeError } from "../../src/core/errors.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import type { Charge } from "../../src/ledger/charges.ts";
import type { KeyRow } from "../../src/ledger/key-rows.ts";
import type { Grant } from "../../src/ledger/keys.ts";
import { type Ledger, openLedger, openLedgerInThread } from "../../src/ledger/ledger.ts";
import type { PaymentStart } from "../../src/ledger/payments.ts";
import { renderPurchase } from "../../src/ledger/purchase.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import type { Fact, FactKind } from "../helpers/storage-facts.ts";
import { createRandom } from "../ledger/model.ts";

/**
 * Uses a ledger as a node does, from a seed, and writes one line to the file "acks" for everything the ledger said,
 * after it said it. Meant to be cut off, traced, and run on disks that fail: a refusal is noted and the work goes on.
 */
export interface WorkloadOptions {
  readonly folder: string;
  readonly seed: number;
  readonly steps: number;
  readonly synchronous?: "FULL" | "NORMAL";
  /** Where its notes go, when its own folder cannot be relied on. */
  readonly acks?: string;
  /** How long to wait after each step, ms: time for a disk to come back. */
  readonly pause_ms?: number;
  /** Where the books are written: in this thread unless it says otherwise. */
  readonly engine?: "serving" | "thread";
  /** Dies at the end as if killed, instead of closing its ledger. */
  readonly dies?: boolean;
}

const START_MS = Date.parse("2026-11-18T10:00:00Z");
const BURST_MAX = 6;
const CHECKPOINT_EVERY = 12;
const ANSWER_CHARS_MAX = 6_000;
const MAY = { client_since_ms: 0, budget: 1_000_000_000n, budget_since_ms: 0 };

async function runWorkload(options: WorkloadOptions): Promise<void> {
  const { folder, seed, steps, synchronous = "FULL", pause_ms = 0 } = options;
  const acks = openSync(options.acks ?? join(folder, "acks"), "a");
  const say = (line: string) => void writeSync(acks, `${line}\n`);
  const clock = createStillClock(START_MS);
  const file = join(folder, "ledger.db");
  const opening = { file, clock, synchronous };
  const ledger = options.engine === "thread" ? await openLedgerInThread(opening) : openLedger(opening);
  // A second connection, because a node's backups and commands have one too.
  const beside = new Database(file);
  beside.run("PRAGMA busy_timeout = 5000");
  beside.run("PRAGMA wal_autocheckpoint = 0");
  const random = createRandom(seed);
  const calls = createCalls({ ledger, now_ms: clock.now, random, say });
  await calls.prepare();
  for (let step = 0; step < steps; step++) {
    const burst = Array.from({ length: 1 + random.below(BURST_MAX) }, () => random.pick(calls.kinds)());
    await Promise.all(burst);
    if (random.below(CHECKPOINT_EVERY) === 0) {
      // Both ways of using the log again: cutting it off, and writing over it from its beginning.
      const restart = async () => beside.run("PRAGMA wal_checkpoint(RESTART)");
      await (random.below(2) === 0 ? ledger.checkpoint() : restart()).catch((error) => say(`! ${error}`));
    }
    if (pause_ms > 0) await Bun.sleep(pause_ms);
  }
  if (options.dies) {
    say("done");
    process.kill(process.pid, "SIGKILL");
  }
  beside.close();
  await ledger.close().catch((error) => say(`! ${error}`));
  say("done");
}

interface CallParts {
  readonly ledger: Ledger;
  readonly now_ms: () => number;
  readonly random: ReturnType<typeof createRandom>;
  readonly say: (line: string) => void;
}

function createCalls({ ledger, now_ms, random, say }: CallParts) {
  let n = 0;
  const keys: KeyRow[] = [];
  const debits: number[] = [];

  /** Notes what the ledger said about `fact`. Returns undefined when it refused. */
  const told = async <T>(promise: Promise<T>, fact: Fact | ((value: T) => Fact)): Promise<T | undefined> => {
    try {
      const value = await promise;
      say(`+${JSON.stringify(typeof fact === "function" ? fact(value) : fact)}`);
      return value;
    } catch (error) {
      if (!isNodeError(error) || error.code !== "ledger_unavailable") throw error;
      const { charge_unknown = false } = error.options;
      // What is not known yet may turn out either way.
      if (typeof fact !== "function" && !charge_unknown) say(`-${JSON.stringify(fact)}`);
      else say(`? ${error.message} ${error.options.cause}`);
      return undefined;
    }
  };
  const fact = (is: FactKind, id: string | number, more?: string): Fact => ({
    is,
    id: String(id),
    ...(more === undefined ? {} : { more }),
  });
  const next = (what: string): string => `${what}-${n++}`;
  const text = (): string => JSON.stringify({ n, filler: "x".repeat(random.below(ANSWER_CHARS_MAX)) });
  const newKey = (public_id: string) => ({
    public_id,
    hash: sha256Hex(public_id),
    salt: null,
    label: null,
    purchaser: null,
  });
  const grant = (plan: string): Grant & { from_ms: number } => ({
    plan,
    credit: 1_000_000n + BigInt(random.below(500_000)),
    duration_ms: null,
    pass: false,
    priority: 1,
    badge: null,
    from_ms: 0,
  });
  const charge = async (key: KeyRow, product: string): Promise<Charge> => ({
    key,
    root: await ledger.keys.rootOf(key),
    product,
    amount: 1_000n + BigInt(random.below(2_000)),
    now_ms: now_ms(),
  });

  const begin = async (name: string): Promise<PaymentStart | undefined> => {
    try {
      return await ledger.payments.begin({
        replay_key: `test:${name}`,
        payload_hash: sha256Hex(name),
        fingerprint: sha256Hex(`request ${name}`),
        product: "gas",
        network: "eip155:84532",
        asset: "asset",
        payer: `payer-${n % 5}`,
        pay_to: "seller",
        amount: 1_000_000n,
        valid_until_ms: now_ms() + 300_000,
        payload: "{}",
      });
    } catch (error) {
      return told<PaymentStart>(Promise.reject(error), fact("begun", `test:${name}`));
    }
  };

  /** Takes a payment in and keeps its answer. */
  const keep = async (purchase?: string): Promise<string | undefined> => {
    const name = next("pay");
    const begun = await begin(name);
    if (!begun) return undefined;
    if (!begun.started) throw new Error("a new payment was known before");
    const body = text();
    const kept = ledger.payments.keepAnswer(begun.id, body, purchase === undefined ? {} : { purchase });
    const done = await told(
      kept.then(() => true),
      fact("answer", begun.id, `${JSON.parse(body).n}:${body.length}`),
    );
    return done ? begun.id : undefined;
  };
  const settle = (id: string) => {
    const chain_transaction = `tx-${id}`;
    const settled = ledger.payments.settle(id, { chain_transaction, label: "organic", delivered: true });
    return told(settled, fact("settled", id, chain_transaction));
  };
  const addKey = async (made: Promise<KeyRow>, public_id: string): Promise<void> => {
    const key = await told(made, fact("key", public_id));
    if (key) keys.push(key);
  };

  const sell = async () => {
    const id = await keep();
    if (id === undefined) return;
    const end = random.below(4);
    if (end === 0) await told(ledger.payments.end(id, "settle_failed", "refused"), fact("failed", id));
    else if (end === 1) await told(ledger.payments.markUnknown(id, "timeout"), fact("unknown", id));
    else await settle(id);
  };
  const buy = async () => {
    const public_id = next("key_bought");
    const receipt_id = next("rcp");
    const id = await keep(renderPurchase({ receipt_id, grant: grant("bought"), target: { key: newKey(public_id) } }));
    if (id === undefined || (await settle(id)) === undefined) return;
    const key = await ledger.keys.byPublicId(public_id);
    if (!key) throw new Error("a bought key is not there");
    await addKey(Promise.resolve(key), public_id);
  };
  const issue = async () => {
    const public_id = next("key_issued");
    await addKey(ledger.keys.issue(newKey(public_id), grant("issued"), { by: "operator" }), public_id);
  };
  const topUp = async () => {
    const { public_id } = random.pick(roots());
    const plan = next("plan");
    await told(ledger.keys.grant(public_id, grant(plan), { by: "operator" }), fact("grant", plan, public_id));
  };
  const mint = async () => {
    const public_id = next("key_child");
    const limits = { label: null, daily_cap: 100_000n, call_cap: null, products: null, expires_at_ms: null };
    const child = { public_id, hash: sha256Hex(public_id), ...limits };
    await addKey(ledger.keys.mint(random.pick(roots()), child), public_id);
  };
  const revoke = async () => {
    const child = keys.findIndex(({ parent }) => parent !== null);
    const [key] = child < 0 ? [] : keys.splice(child, 1);
    if (key) await told(ledger.keys.revoke(key.public_id), fact("revoked", key.public_id));
  };
  const debit = async () => {
    const product = next("debit");
    const name = { name: sha256Hex(product), fingerprint: sha256Hex(`request of ${product}`) };
    const wanted = await charge(random.pick(keys), product);
    const done = ledger.charges.debit(wanted, { body: text(), name });
    const charged = await told(done.then(enough), fact("call", product));
    if (charged) debits.push(charged.call_id);
  };
  const hold = async () => {
    const product = next("hold");
    const wanted = await charge(random.pick(keys), product);
    const held = await told(ledger.charges.hold(wanted, null).then(enough), fact("hold", product));
    if (!held) return;
    const end = random.below(3);
    if (end === 0) return;
    // What cannot be given back now is given back at the next start, so nothing is promised here.
    if (end === 1) await ledger.charges.void(held.id);
    else await told(ledger.charges.post(held.id, wanted, { body: text(), name: null }), fact("posted", held.id));
  };
  const refund = async () => {
    const call_id = debits.pop();
    if (call_id !== undefined) await told(ledger.charges.refund(call_id), fact("refund", call_id));
  };
  const redeem = async () => {
    const id = next("coupon");
    const redemption = { id, client: id, product: "gas", amount: 2_500n };
    const held = await told(ledger.coupons.hold(redemption, MAY), fact("coupon", id));
    if (held === "held") await told(ledger.coupons.use(id), fact("used", id));
  };
  const roots = (): readonly KeyRow[] => keys.filter(({ parent }) => parent === null);

  return {
    kinds: [sell, sell, sell, buy, issue, topUp, mint, revoke, debit, debit, debit, debit, hold, hold, refund, redeem],
    /** Others need a key to begin with. */
    async prepare() {
      for (let tries = 0; keys.length === 0; tries++) {
        if (tries > 0) await Bun.sleep(50);
        await issue();
      }
    },
  };
}

/** Balances here are far above the prices. */
function enough<T extends { readonly ok: boolean }>(result: T): Extract<T, { readonly ok: true }> {
  if (!result.ok) throw new Error(`a call was refused: ${JSON.stringify(result, (_, value) => String(value))}`);
  return result as Extract<T, { readonly ok: true }>;
}

if (import.meta.main) await runWorkload(JSON.parse(process.argv[2] ?? "{}"));
