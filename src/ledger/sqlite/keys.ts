import type { Database } from "bun:sqlite";
import type { Clock } from "../../core/clock.ts";
import { NodeError } from "../../core/errors.ts";
import { decideGrant, decidePaidGrant, type Granted } from "../decide/grants.ts";
import { decideExpiry } from "../decide/lots.ts";
import type { DecidedTransfer } from "../decide/results.ts";
import type { Funding, Grant } from "../grant.ts";
import type { KeyRow } from "../key-rows.ts";
import { KEY_REFUSALS, type KeyCommands, type KeyPurchases, type KeyQueries, type NewKey } from "../keys.ts";
import type { Transfers } from "../transfers.ts";
import type { Writer } from "../writer.ts";
import { createKeyReader } from "./key-rows.ts";
import { createLots } from "./lots.ts";

export interface KeysOptions {
  readonly db: Database;
  readonly writer: Writer;
  readonly transfers: Transfers;
  /** Strictly increasing ledger time, microseconds. */
  readonly tick: () => number;
  readonly clock: Clock;
}

const CHILDREN_MAX = 1_000;

export function createKeyQueries(db: Database): KeyQueries {
  const salt = db.query<{ salt: Uint8Array | null }, [string]>("SELECT salt FROM keys WHERE public_id = ?");
  const credits = db.query("SELECT coalesce(sum(posted), 0) AS total FROM accounts WHERE kind = 'credit'");
  return {
    ...createKeyReader(db),
    saltOf: (public_id) => salt.get(public_id)?.salt ?? null,
    credits: () => (credits.get() as { total: bigint }).total,
  };
}

export function createKeyCommands(options: KeysOptions): KeyCommands & KeyPurchases {
  const { db, writer, transfers, tick, clock } = options;
  const reader = createKeyReader(db);
  const lots = createLots(db);
  const has_ended = db.query("SELECT 1 FROM lots WHERE key_id = ? AND ended_at IS NOT NULL LIMIT 1");
  const insert = db.query(
    `INSERT INTO keys (public_id, hash, salt, plan, account, parent, label, purchaser, priority, expires_at, daily_cap,
       call_cap, products, created_at)
     VALUES ($public_id, $hash, $salt, $plan, $account, $parent, $label, $purchaser, 1, $expires_at, $daily_cap,
       $call_cap, $products, $at) RETURNING id`,
  );
  const open_usage = db.query("INSERT INTO key_usage (key_id) VALUES (?)");
  const extend = db.query(
    `UPDATE keys SET plan = $plan, account = $account, pass_until = $pass_until,
       priority = $priority, priority_until = $priority_until, badge = $badge WHERE id = $id`,
  );
  const insert_grant = db.query(
    `INSERT INTO grants (key_id, plan, payment_id, paid, credit, duration_ms, at)
     VALUES ($key, $plan, $payment, $paid, $credit, $duration, $at)`,
  );
  const living = db.query<{ n: bigint }, [number, number]>(
    "SELECT count(*) AS n FROM keys WHERE parent = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)",
  );
  const amend = db.query("UPDATE keys SET label = $label, daily_cap = $daily_cap, call_cap = $call_cap WHERE id = $id");
  const revoke = db.query("UPDATE keys SET revoked_at = $now WHERE (id = $id OR parent = $id) AND revoked_at IS NULL");

  const need = (public_id: string): KeyRow => {
    const key = reader.byPublicId(public_id);
    if (!key) throw KEY_REFUSALS.no_key();
    return key;
  };

  const insertKey = (key: NewKey, plan: string, at: number): KeyRow => {
    const { id } = insert.get({
      $public_id: key.public_id,
      $hash: Buffer.from(key.hash, "hex"),
      $salt: key.salt,
      $plan: plan,
      $account: null,
      $parent: null,
      $label: key.label,
      $purchaser: key.purchaser,
      $expires_at: null,
      $daily_cap: null,
      $call_cap: null,
      $products: null,
      $at: at,
    }) as { id: bigint };
    open_usage.run(id);
    return need(key.public_id);
  };

  const post = (decided: readonly DecidedTransfer[]): readonly { readonly id: number; readonly kind: string }[] =>
    decided.map((transfer) => ({ kind: transfer.kind, id: transfers.post({ ...transfer, at: tick() }) }));

  /** The state that decides about a grant, now. */
  const factsOf = (key: KeyRow, { grant, funding, at }: Gift) => ({
    // Not the ledger's time: that never goes back, so a clock that was wrong for a moment would stretch every pass.
    command: { grant, funding, now_ms: clock.now(), gift_reference: `grant:${at}` },
    state: { key, ...lots.read(key) },
  });

  /** @returns the transfer that carries what was paid, or 0. */
  const writeGrant = (id: number, { grant, funding, at }: Gift, decided: Granted): number => {
    const { account, plan, badge, priority, pass_until_ms, priority_until_ms } = decided.key;
    if (account !== null) transfers.open({ id: account, kind: "credit" }, at);
    const posted = post(decided.transfers);
    const expiry = posted.find(({ kind }) => kind === "expiry")?.id ?? null;
    if (decided.lots.length > 0) lots.write(id, decided.lots, { at, expiry });
    extend.run({
      $id: id,
      $plan: plan,
      $account: account,
      $pass_until: pass_until_ms,
      $priority: priority,
      $priority_until: priority_until_ms,
      $badge: badge,
    });
    if (decided.new_lot !== null) lots.add(id, { ...decided.new_lot, at });
    const is_paid = funding.by !== "operator";
    insert_grant.run({
      $key: id,
      $plan: plan,
      $payment: funding.by === "payment" ? funding.payment_id : null,
      $paid: is_paid ? funding.paid : 0n,
      $credit: grant.credit,
      $duration: grant.duration_ms,
      $at: at,
    });
    return is_paid ? (posted.find(({ kind }) => kind === "plan")?.id ?? 0) : 0;
  };
  /** To a key that was paid for, or has just been made. */
  const give = (key: KeyRow, gift: Gift): number => {
    const { command, state } = factsOf(key, gift);
    return writeGrant(key.id, gift, decidePaidGrant(command, state));
  };

  return {
    issue: (key, grant, funding) =>
      writer.write(() => {
        const at = tick();
        give(insertKey(key, grant.plan, at), { grant, funding, at });
        return need(key.public_id);
      }),
    grant: (public_id, grant, funding) =>
      writer.write(() => {
        const key = need(public_id);
        const gift = { grant, funding, at: tick() };
        const { command, state } = factsOf(key, gift);
        const decided = decideGrant(command, state);
        if (decided.result !== "granted") throw KEY_REFUSALS[decided.result]();
        writeGrant(key.id, gift, decided);
        return need(public_id);
      }),
    mint: (parent, child) =>
      writer.write(() => {
        if (Number(living.get(parent.id, clock.now())?.n ?? 0n) >= CHILDREN_MAX) {
          throw new NodeError("invalid_parameter", `A key has at most ${CHILDREN_MAX} living child keys: revoke one.`);
        }
        const { id } = insert.get({
          $public_id: child.public_id,
          $hash: Buffer.from(child.hash, "hex"),
          $salt: null,
          $plan: parent.plan,
          $account: null,
          $parent: parent.id,
          $label: child.label,
          $purchaser: parent.purchaser,
          $expires_at: child.expires_at_ms,
          $daily_cap: child.daily_cap,
          $call_cap: child.call_cap,
          $products: child.products === null ? null : JSON.stringify(child.products),
          $at: tick(),
        }) as { id: bigint };
        open_usage.run(id);
        return need(child.public_id);
      }),
    amend: (public_id, change) =>
      writer.write(() => {
        const { id, label, daily_cap, call_cap } = { ...need(public_id), ...change };
        amend.run({ $id: id, $label: label, $daily_cap: daily_cap, $call_cap: call_cap });
        return need(public_id);
      }),
    revoke: (public_id) =>
      writer.write(() => {
        revoke.run({ $id: need(public_id).id, $now: clock.now() });
        return need(public_id);
      }),
    expire: (public_id) =>
      writer.write(() => {
        const key = need(public_id);
        const has_ended_lots = has_ended.get(key.id) !== null;
        const decided = decideExpiry(clock.now(), { key, has_ended_lots, ...lots.read(key) });
        if (decided.result === "not_ended") throw KEY_REFUSALS.not_ended();
        const at = tick();
        const [expiry] = post(decided.transfers);
        lots.write(key.id, decided.lots, { at, expiry: expiry?.id ?? null });
        return decided.transfers.reduce((sum, { amount }) => sum + amount, 0n);
      }),
    applyPurchase({ grant, target }, { funding, at }) {
      const key = "key" in target ? insertKey(target.key, grant.plan, at) : need(target.public_id);
      return give(key, { grant, funding, at });
    },
    dropSalts: (before_ms) =>
      writer.write(
        () =>
          db.run("UPDATE keys SET salt = NULL WHERE salt IS NOT NULL AND created_at < ?", [before_ms * 1000]).changes,
      ),
  };
}

/** A grant on its way into the books. */
interface Gift {
  readonly grant: Grant;
  readonly funding: Funding;
  /** Ledger time, microseconds. */
  readonly at: number;
}
