import type { Database } from "bun:sqlite";
import type { CouponCommands, CouponQueries, CouponRules, RedeemResult } from "../coupons.ts";
import { type CouponState, decideCouponHold, decideCouponUse, obstacleOf } from "../decide/coupons.ts";
import type { Transfers } from "../transfers.ts";
import type { Writer } from "../writer.ts";

export interface CouponsOptions {
  readonly db: Database;
  readonly writer: Writer;
  readonly transfers: Transfers;
  readonly tick: () => number;
}

export function createCouponQueries(db: Database): CouponQueries {
  const read = createReader(db);
  return { findObstacle: (client, rules) => obstacleOf(rules.budget, read(client, rules)) };
}

/** What a client's coupons are decided by. */
function createReader(db: Database): (client: string, rules: CouponRules) => Omit<CouponState, "is_taken"> {
  const by_client = db.query("SELECT id FROM coupons WHERE client = ? AND at >= ? LIMIT 1");
  const spent = db.query<{ total: bigint }, [number]>(
    "SELECT coalesce(sum(amount), 0) AS total FROM coupons WHERE at >= ?",
  );
  return (client, { client_since_ms, budget_since_ms }) => ({
    client_has_one: by_client.get(client, client_since_ms * 1000) !== null,
    spent: spent.get(budget_since_ms * 1000)?.total ?? 0n,
  });
}

export function createCouponCommands({ db, writer, transfers, tick }: CouponsOptions): CouponCommands {
  const by_id = db.query("SELECT id FROM coupons WHERE id = ?");
  const read = createReader(db);
  const insert = db.query(
    `INSERT INTO coupons (id, client, product, amount, state, at)
     VALUES ($id, $client, $product, $amount, 'held', $at)`,
  );
  const use = db.query<{ product: string; amount: bigint }, [string]>(
    "UPDATE coupons SET state = 'used' WHERE id = ? AND state = 'held' RETURNING product, amount",
  );
  const record = db.query(
    `INSERT INTO calls (id, key_id, previous, product, access, amount)
     VALUES ($id, NULL, 0, $product, 'coupon', $amount)`,
  );
  return {
    hold: ({ id, client, product, amount }, rules) =>
      writer.write((): RedeemResult => {
        const state = { is_taken: by_id.get(id) !== null, ...read(client, rules) };
        const { result } = decideCouponHold({ amount, budget: rules.budget }, state);
        if (result === "held") {
          insert.run({ $id: id, $client: client, $product: product, $amount: amount, $at: tick() });
        }
        return result;
      }),
    use: (id) =>
      writer.write(() => {
        const held = use.get(id);
        const decided = decideCouponUse(id, held);
        const at = tick();
        for (const transfer of decided.transfers) transfers.post({ ...transfer, at });
        record.run({ $id: at, $product: held?.product ?? "", $amount: held?.amount ?? 0n });
        return at;
      }),
    release: (id) => writer.write(() => void db.run("DELETE FROM coupons WHERE id = ? AND state = 'held'", [id])),
    recover: () => writer.write(() => db.run("DELETE FROM coupons WHERE state = 'held'").changes),
  };
}
