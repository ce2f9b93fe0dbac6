import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import { decideGrant, decidePaidGrant, type Granted } from "./decide/grants.ts";
import { decideExpiry } from "./decide/lots.ts";
import type { DecidedTransfer } from "./decide/results.ts";
import type { Funding, Grant } from "./grant.ts";
import { createKeyReader, type KeyReader, type KeyRow } from "./key-rows.ts";
import { createLots } from "./lots.ts";
import type { Promised } from "./promised.ts";
import type { Transfers } from "./transfers.ts";
import type { Writer } from "./writer.ts";

export type { Grant } from "./grant.ts";

export interface NewKey {
  readonly public_id: string;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  /** Kept until the purchase can no longer be recovered. */
  readonly salt: Uint8Array | null;
  readonly label: string | null;
  readonly purchaser: string | null;
}

export interface NewChild {
  readonly public_id: string;
  readonly hash: string;
  readonly label: string | null;
  readonly daily_cap: bigint | null;
  readonly call_cap: bigint | null;
  readonly products: readonly string[] | null;
  readonly expires_at_ms: number | null;
}

/** What may be changed of a key that is there. */
export interface KeyAmendment {
  readonly label?: string | null;
  /** Atomic USDC a UTC day. */
  readonly daily_cap?: bigint | null;
  /** Atomic USDC a call. */
  readonly call_cap?: bigint | null;
}

export interface KeyQueries extends KeyReader {
  saltOf(public_id: string): Uint8Array | null;
  /** What all balances hold together. */
  credits(): bigint;
}

/** What is given to keys. Each promise resolves only when the change is on disk. */
export interface KeyCommands {
  issue(key: NewKey, grant: Grant, funding: Funding): Promise<KeyRow>;
  /** Tops up, each time with an end of its own, or extends. A balance or pass that is running is never shortened. */
  grant(public_id: string, grant: Grant, funding: Funding): Promise<KeyRow>;
  /** A key below another one, drawing on its balance and pass within its own limits. */
  mint(parent: KeyRow, child: NewChild): Promise<KeyRow>;
  /** What is left out stays as it is; null takes a cap or the label off. */
  amend(public_id: string, change: KeyAmendment): Promise<KeyRow>;
  /** Ends a key for good; below it, its children. Again: nothing happens. */
  revoke(public_id: string): Promise<KeyRow>;
  /**
   * Books what is left of the lots of a balance that have ended, or of all when its key was revoked; what was booked
   * before is not booked again. Returns the amount.
   * @throws NodeError invalid_parameter while nothing of it has ended.
   */
  expire(public_id: string): Promise<bigint>;
  /** Forgets the salts of keys made before a time: from then on a key exists only with its holder. */
  dropSalts(before_ms: number): Promise<number>;
}

/** The keys as the books keep them. */
export type KeyBooks = KeyCommands & Promised<KeyQueries>;

/** What a settlement does to a key, inside its own db transaction. */
export interface KeyPurchases {
  /** @returns the transfer that carries the payment. */
  applyPurchase(purchase: Purchase, payment: PurchasePayment): number;
}

/** What a plan purchase does when it settles; stored with the payment before money moves. */
export interface Purchase {
  readonly grant: Grant;
  /** The key it tops up, or the new one. */
  readonly target: { readonly public_id: string } | { readonly key: NewKey };
}

export interface PurchasePayment {
  readonly id: string;
  readonly network: string;
  readonly amount: bigint;
  readonly at: number;
}

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

  /** What a grant is decided by, now. */
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
    const is_paid = funding.by === "payment";
    insert_grant.run({
      $key: id,
      $plan: plan,
      $payment: is_paid ? funding.payment_id : null,
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
    applyPurchase({ grant, target }, { id, network, amount, at }) {
      const key = "key" in target ? insertKey(target.key, grant.plan, at) : need(target.public_id);
      const funding = { by: "payment" as const, payment_id: id, network, paid: amount };
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

/** What the operator hears of a key to which nothing can be done. */
export const KEY_REFUSALS = {
  no_key: () => new NodeError("not_found", "No such key."),
  child_key: () => new NodeError("invalid_parameter", "A child key has no balance of its own."),
  revoked: () => new NodeError("api_key_revoked", "This key was revoked."),
  not_ended: () =>
    new NodeError("invalid_parameter", "Only a balance that has ended or whose key was revoked expires."),
};
