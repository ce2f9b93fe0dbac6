import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sha256Hex } from "../../../src/core/hash.ts";
import type { ChargeResult, HoldResult } from "../../../src/ledger/charges.ts";
import type { KeyRow } from "../../../src/ledger/key-rows.ts";
import { type Ledger, openLedgerInPostgres } from "../../../src/ledger/ledger.ts";
import { readAddress } from "../../../src/ledger/postgres/address.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { createStillClock } from "../../helpers/still-clock.ts";

/** Two nodes that do the same, or the contrary, to the same thing at the same moment. */
const why = whyNoPostgres();
if (why !== null) noteSkipped("races of two nodes on one PostgreSQL", why);
const ROUNDS = process.env.TEST_FULL ? 100 : 6;
const PRICE = 10_000n;

let server: PostgresServer;
let nodes: readonly [Ledger, Ledger];
let count = 0;
beforeAll(async () => {
  if (why !== null) return;
  server = await startPostgres();
  const address = readAddress({ url: server.url });
  const open = (owner: string) => openLedgerInPostgres({ address, clock: createStillClock(), owner, readers: 2 });
  nodes = await Promise.all([open("one"), open("two")]);
});
afterAll(async () => {
  if (why !== null) return;
  try {
    expect((await nodes[0].audit()).findings).toEqual([]);
    for (const node of nodes) {
      expect(node.halted).toBeNull();
      await node.close();
    }
  } finally {
    await server.stop();
  }
});

async function issue(credit: bigint): Promise<KeyRow> {
  count += 1;
  const key = { public_id: `key_${count}`, hash: sha256Hex(`${count}`), salt: null, label: null, purchaser: null };
  const grant = { plan: "p", credit, duration_ms: null, pass: false, priority: 1, badge: null };
  return nodes[0].keys.issue(key, grant, { by: "operator" });
}
const chargeOf = (key: KeyRow) => ({ key, root: key, product: "one", amount: PRICE, now_ms: 0 });
const answer = { body: "{}", name: null };

async function begin(node: Ledger, replay_key: string) {
  return node.payments.begin({
    replay_key,
    payload_hash: "hash",
    fingerprint: "request",
    product: "one",
    network: "eip155:84532",
    asset: "0xusdc",
    payer: "0xpayer",
    pay_to: "0xseller",
    amount: PRICE,
    valid_until_ms: 4_000_000_000_000,
    payload: "{}",
  });
}
async function settling(): Promise<string> {
  count += 1;
  const begun = await begin(nodes[0], `replay ${count}`);
  if (!begun.started) throw new Error("a new payment has to start");
  await nodes[0].payments.keepAnswer(begun.id, "answer");
  return begun.id;
}
const settled = (chain_transaction: string) => ({ chain_transaction, label: "organic", delivered: true }) as const;

/** Both at once, in the order chance wants. What failed is its error. */
async function both<T>(work: (node: Ledger, index: number) => Promise<T>): Promise<readonly (T | Error)[]> {
  const outcomes = await Promise.allSettled(nodes.map(work));
  return outcomes.map((one) => {
    if (one.status === "fulfilled") return one.value;
    if (one.reason instanceof Error) return one.reason;
    throw one.reason;
  });
}

describe.skipIf(why !== null)("a wallet that signs in at two nodes at once", () => {
  test("is let in by one of them", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      count += 1;
      const nonce = `nonce ${count}`;
      const taken = await both((node) => node.wallets.useNonce(nonce, { until_ms: 300_000, now_ms: 0 }));
      expect([...taken].sort()).toEqual([false, true]);
      expect(await nodes[round % 2 ? 0 : 1].wallets.useNonce(nonce, { until_ms: 300_000, now_ms: 0 })).toBe(false);
    }
  });
});

describe.skipIf(why !== null)("of two nodes", () => {
  const rounds = Array.from({ length: ROUNDS }, (_, n) => n);

  test("one takes a payment in, and the other is shown it", async () => {
    for (const n of rounds) {
      const begun = await both((node) => begin(node, `same ${n}`));
      expect(begun.map((one) => !(one instanceof Error) && one.started).sort()).toEqual([false, true]);
    }
  });

  test("both that learn of one settlement book it once", async () => {
    for (const n of rounds) {
      const id = await settling();
      const [a, b] = await both((node) => node.payments.settle(id, settled(`0xa${n}`)));
      if (!a || a instanceof Error) throw new Error("not settled");
      expect(b).toMatchObject({ receipt_id: a.receipt_id });
    }
  });

  test("one transaction of a chain pays for one payment", async () => {
    for (const n of rounds) {
      const ids = [await settling(), await settling()] as const;
      const booked = await both((node, index) => node.payments.settle(ids[index] ?? "", settled(`0xb${n}`)));
      expect(booked.filter((one) => one === null)).toHaveLength(1);
      const states = await Promise.all(ids.map(async (id) => (await nodes[1].payments.get(id))?.state));
      expect(states.sort()).toEqual(["settled", "unknown"]);
    }
  });

  test("one gets the last call a balance pays for, as a debit or a hold", async () => {
    for (const n of rounds) {
      const key = await issue(PRICE);
      const paid = await both<ChargeResult | HoldResult>((node, index) =>
        (n + index) % 2 === 0 ? node.charges.debit(chargeOf(key), answer) : node.charges.hold(chargeOf(key), null),
      );
      expect(paid.filter((one) => !(one instanceof Error) && one.ok)).toHaveLength(1);
    }
  });

  test("one is charged for a call its holder named", async () => {
    for (const n of rounds) {
      const key = await issue(PRICE * 5n);
      const name = { name: `name ${n}`, fingerprint: "request" };
      const paid = await both((node) => node.charges.debit(chargeOf(key), { body: "{}", name }));
      expect(paid.map((one) => (one instanceof Error ? one.message : one.ok ? "ok" : one.why)).sort()).toEqual([
        "named_before",
        "ok",
      ]);
    }
  });

  test("a hold is posted or given back, never both", async () => {
    for (const n of rounds) {
      const key = await issue(PRICE * 5n);
      const held = await nodes[0].charges.hold(chargeOf(key), null);
      if (!held.ok) throw new Error("not held");
      if (n % 2 === 0) await both((node) => node.charges.void(held.id));
      const { posted, pending } = await nodes[1].keys.balance(key.account ?? "");
      expect([posted, pending]).toEqual([PRICE * 5n, n % 2 === 0 ? 0n : PRICE]);
      if (n % 2 === 0) continue;
      await nodes[1].charges.post(held.id, chargeOf(key), answer);
      await nodes[0].charges.void(held.id);
      expect(await nodes[0].keys.balance(key.account ?? "")).toEqual({ posted: PRICE * 4n, pending: 0n });
    }
  });

  test("one gives a call back", async () => {
    for (const _ of rounds) {
      const key = await issue(PRICE);
      const paid = await nodes[0].charges.debit(chargeOf(key), answer);
      if (!paid.ok) throw new Error("not paid");
      const given = await both((node) => node.charges.refund(paid.call_id));
      expect(given.map(String).sort()).toEqual(["0", String(PRICE)]);
    }
  });

  test("one takes a coupon, and the budget holds", async () => {
    const rules = { client_since_ms: 0, budget: PRICE * BigInt(ROUNDS), budget_since_ms: 0 };
    for (const n of rounds) {
      const coupon = { id: `coupon ${n}`, client: `client ${n}`, product: "one", amount: PRICE };
      const taken = await both((node) => node.coupons.hold(coupon, rules));
      expect([...taken].sort()).toEqual(["held", "used_before"]);
      await nodes[n % 2 ? 0 : 1].coupons.use(coupon.id);
    }
    const last = await both((node, index) =>
      node.coupons.hold({ id: `last ${index}`, client: `last ${index}`, product: "one", amount: PRICE }, rules),
    );
    expect(last).toEqual(["budget_spent", "budget_spent"]);
  });

  test("gifts, debits, children and revocations of one key all happen, in some order", async () => {
    for (const n of rounds) {
      const key = await issue(PRICE * 3n);
      const grant = { plan: "p", credit: PRICE, duration_ms: null, pass: false, priority: 1, badge: null };
      const day = { ...grant, credit: 0n, duration_ms: 86_400_000, pass: true };
      await nodes[0].keys.grant(key.public_id, day, { by: "operator" });
      const limits = { label: null, daily_cap: null, call_cap: null, products: null, expires_at_ms: null };
      await both(async (node, index) => {
        const child = { public_id: `child_${n}_${index}`, hash: sha256Hex(`child ${n} ${index}`), ...limits };
        await Promise.all([
          node.keys.grant(key.public_id, grant, { by: "operator" }),
          node.charges.debit(chargeOf(key), answer),
          node.keys.mint(key, child),
          node.charges.pass({ key, product: "one", now_ms: 0 }),
        ]);
        await node.flush();
      });
      expect(await nodes[0].keys.balance(key.account ?? "")).toEqual({ posted: PRICE * 3n, pending: 0n });
      expect(await nodes[0].keys.children(key.id)).toHaveLength(2);
      const expired = await both(async (node) => {
        await node.keys.revoke(key.public_id);
        return node.keys.expire(key.public_id);
      });
      expect(expired.map(String).sort()).toEqual(["0", String(PRICE * 3n)]);
    }
  });

  test("both write records, and every record has a place of its own", async () => {
    const stores = nodes.map((node) => node.records("live"));
    for (const n of rounds) {
      await both((_node, index) =>
        (stores[index] as NonNullable<(typeof stores)[0]>).append("signals", (link) => ({ ...link, n, index })),
      );
    }
    const all = await (stores[0] as NonNullable<(typeof stores)[0]>).read("signals");
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: ROUNDS * 2 }, (_, n) => n + 1));
    all.slice(1).forEach(({ record }, index) => {
      expect(record.prev_hash).toBe(all[index]?.record_hash ?? "");
    });
  });

  test("both book many calls of many keys in opposite orders, and neither waits for ever", async () => {
    const keys: KeyRow[] = [];
    for (let n = 0; n < 20; n++) keys.push(await issue(PRICE * 1_000n));
    await both(async (node, index) => {
      for (let round = 0; round < ROUNDS; round++) {
        const mine = index === 0 ? keys : keys.toReversed();
        const paid = await Promise.all(mine.map((key) => node.charges.debit(chargeOf(key), answer)));
        expect(paid.every(({ ok }) => ok)).toBe(true);
      }
    });
    for (const key of keys) expect((await nodes[0].keys.usage(key.id)).calls).toBe(ROUNDS * 2);
  });
});
