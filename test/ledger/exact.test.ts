import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import type { Grant } from "../../src/ledger/keys.ts";
import { closeBooksAfterEach, ENGINE, openBooks } from "../helpers/open-books.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import { createModel, createRandom } from "./model.ts";

closeBooksAfterEach();

const SEEDS = process.env.TEST_LONG ? 1_000 : ENGINE === "postgres" && !process.env.TEST_FULL ? 6 : 20;
const PRICE = 10_000n;
const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "exact-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const credit = (amount: bigint): Grant => ({
  plan: "buy_credits",
  credit: amount,
  duration_ms: null,
  pass: false,
  priority: 1,
  badge: null,
});

/**
 * A balance worth N calls and ten times as many at once, some by children with caps of their own, some set aside first,
 * with top-ups in between: each call must go as it would have gone alone, in the order they came.
 */
test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  "a balance pays for exactly what it is worth, ten times as many calls at once, seed %i",
  async (seed) => {
    const random = createRandom(seed);
    const clock = createStillClock();
    const ledger = await openBooks({ file: join(root, `${seed}.db`), clock });
    const model = createModel();
    const calls = 3 + random.below(40);
    const issued = { public_id: "key_root", hash: sha256Hex("root"), salt: null, label: null, purchaser: null };
    const first = credit(PRICE * BigInt(calls) + BigInt(random.below(9_999)));
    const root_row = await ledger.keys.issue(issued, first, { by: "operator" });
    const parent = model.add("key_root");
    model.grant(parent, first, clock.now());
    const holders = [{ row: root_row, known: parent }];
    for (let child = 0; child < 3; child++) {
      const daily_cap = PRICE * BigInt(1 + random.below(calls));
      const limits = { label: null, daily_cap, call_cap: null, products: null, expires_at_ms: null };
      const public_id = `key_child${child}`;
      const row = await ledger.keys.mint(root_row, { public_id, hash: sha256Hex(public_id), ...limits });
      holders.push({ row, known: model.add(public_id, parent, daily_cap) });
    }

    const now_ms = clock.now();
    const running: Promise<unknown>[] = [];
    const expected: string[] = [];
    const heard: string[] = [];
    const held: number[] = [];
    for (let call = 0; call < calls * 10; call++) {
      if (random.below(25) === 0) {
        const more = credit(PRICE * BigInt(1 + random.below(4)));
        // To a database, top-ups and calls go over two connections: what nobody waits for may come in either order.
        if (ENGINE === "postgres") await Promise.all(running.splice(0));
        const granted = ledger.keys.grant("key_root", more, { by: "operator" });
        if (ENGINE === "postgres") await granted;
        running.push(granted);
        model.grant(parent, more, now_ms);
      }
      const { row, known } = random.pick(holders);
      const charge = { key: row, root: root_row, product: "fear-greed", amount: PRICE, now_ms };
      const word = model.canPay(known, PRICE, now_ms);
      expected.push(word);
      const [index, sets_aside] = [call, random.below(3) === 0];
      if (word === "ok") {
        model.count(known, PRICE, now_ms);
        if (sets_aside) parent.pending += PRICE;
        else model.debit(known, PRICE, call);
      }
      const asking = sets_aside
        ? ledger.charges.hold(charge, null).then((result) => {
            if (result.ok) held.push(result.id);
            return result;
          })
        : ledger.charges.debit(charge, { body: "{}", name: null });
      running.push(
        asking.then((result) => {
          heard[index] = result.ok ? "ok" : result.why;
        }),
      );
    }
    await Promise.all(running);
    expect(heard).toEqual(expected);
    expect(await ledger.keys.balance(root_row.account ?? "")).toEqual({
      posted: parent.balance,
      pending: parent.pending,
    });
    await Promise.all(held.map((id) => ledger.charges.void(id)));
    expect(await ledger.keys.balance(root_row.account ?? "")).toEqual({ posted: parent.balance, pending: 0n });
    // What is left buys no further call unless a hold was given back.
    const left = parent.balance / PRICE;
    const charge = { key: root_row, root: root_row, product: "fear-greed", amount: PRICE, now_ms };
    const rest = await Promise.all(
      Array.from({ length: Number(left) + 10 }, () => ledger.charges.debit(charge, { body: "{}", name: null })),
    );
    expect(rest.filter((one) => one.ok)).toHaveLength(Number(left));
    expect((await ledger.audit()).findings).toEqual([]);
    await ledger.close();
  },
);
