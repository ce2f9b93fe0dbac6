import type { Database } from "bun:sqlite";
import type { Clock } from "../../core/clock.ts";
import { assertInvariant } from "../../core/errors.ts";
import { CHANNEL_SQL } from "../channel-queries.ts";
import {
  balanceOf,
  type ChannelRow,
  type ChannelState,
  type ChannelStep,
  type MoveEnd,
  type MoveResult,
  type NewChannel,
  type NewMove,
  readStep,
  renderStep,
  type StepResult,
  type StepText,
} from "../channel-rows.ts";
import type { ChannelCommands } from "../channels.ts";
import {
  claimedAccount,
  decideClaim,
  decideEnd,
  decideOpen,
  decideSend,
  decideSweep,
  decideSync,
  decideVoucher,
} from "../decide/channels.ts";
import type { DecidedTransfer } from "../decide/results.ts";
import type { KeyPurchases } from "../keys.ts";
import { bringSalt, hidePurchase, readPurchase, type StoredPurchase } from "../purchase.ts";
import type { Transfers } from "../transfers.ts";
import type { Writer } from "../writer.ts";
import { createAnswerBytes } from "./answer-bytes.ts";
import { createChannelQueries } from "./channel-queries.ts";

export interface ChannelsOptions {
  readonly db: Database;
  readonly writer: Writer;
  readonly transfers: Transfers;
  readonly tick: () => number;
  readonly clock: Clock;
  readonly keys: KeyPurchases;
}

export function createChannelCommands(options: ChannelsOptions): ChannelCommands {
  const { db, writer, transfers, tick, clock } = options;
  const keepBody = createAnswerBytes(db);
  const { get } = createChannelQueries(db);
  const sql = prepare(db);
  const isUsed = (channel: string, step: Pick<ChannelStep, "signed"> | null): boolean =>
    step !== null && sql.used.get(channel, step.signed) !== null;
  const need = (id: string): ChannelRow => {
    const row = get(id);
    assertInvariant(row !== null, `channel ${id} is there`);
    return row;
  };

  /** @returns when the voucher among them was earned; null without a voucher. */
  const post = (decided: readonly DecidedTransfer[]): number | null => {
    let earned_at: number | null = null;
    for (const transfer of decided) {
      const at = transfers.post({ ...transfer, at: tick() });
      if (transfer.kind === "voucher") earned_at = at;
    }
    return earned_at;
  };
  const insert = (channel: NewChannel): void => {
    const { id, network, token, payer, receiver, config, label } = channel;
    const values = { $id: id, $network: network, $token: token, $payer: payer, $receiver: receiver };
    sql.insert.run({ ...values, $config: config, $label: label, $at: tick() });
  };
  const update = (row: ChannelRow): void => {
    sql.update.run({
      $id: row.id,
      $deposited: row.deposited,
      $refunded: row.refunded,
      $base: row.base,
      $lost: row.lost,
      $charged: row.charged,
      $signed: row.signed,
      $signature: row.signature,
      $claimed: row.claimed,
      $withdraw_at: row.withdraw_at,
      $nonce: row.refund_nonce,
      $move: row.open_move,
    });
  };
  /** Notes that the channel was just compared with the chain. */
  const noteSynced = (id: string): void => void sql.synced.run({ $id: id, $now: clock.now() });
  const insertStep = (
    step: ChannelStep,
    at: number,
    { answer_id, move_id }: { readonly answer_id: number; readonly move_id: number | null },
  ): void => {
    const { channel, signed, amount, charge = amount, product } = step;
    sql.insert_step.run({
      $id: at,
      $channel: channel,
      $signed: signed,
      $amount: charge,
      $product: product,
      $answer: answer_id,
      $allowed: charge < amount ? amount : null,
      $fingerprint: step.fingerprint,
      $voucher: step.voucher_sha256,
      $identifier: step.identifier,
      $proof: step.proof,
      $move: move_id,
    });
    sql.used_at.run({ $id: channel, $at: at });
  };

  /** The plan that a voucher bought. */
  const give = (purchase: StoredPurchase, { amount, charge: paid = amount }: ChannelStep, at: number): void =>
    void options.keys.applyPurchase(purchase, { funding: { by: "voucher", paid }, at });

  const charge = (step: ChannelStep, body: string): StepResult => {
    const decided = decideVoucher(step, { channel: get(step.channel), is_used: isUsed(step.channel, step) });
    if (decided.result !== "earned") return { ok: false, why: decided.result, channel: decided.channel };
    const answer_id = keepBody(body, tick());
    const id = post(decided.transfers) ?? 0;
    update(decided.channel);
    insertStep(step, id, { answer_id, move_id: null });
    if (step.purchase !== undefined) give(readPurchase(step.purchase), step, id);
    return { ok: true, id, channel: need(step.channel) };
  };

  const open = (channel: NewChannel, state: ChannelState): ChannelRow => {
    const decided = decideOpen({ channel, state }, get(channel.id));
    if (decided.result === "known") return decided.channel;
    insert(channel);
    post(decided.transfers);
    update(decided.channel);
    noteSynced(channel.id);
    return need(channel.id);
  };

  const begin = (move: NewMove): MoveResult => {
    const { kind, channel: id, amount, step, opening } = move;
    const before = get(id);
    const decided = decideSend({ amount, step, opening }, { channel: before, is_used: isUsed(id, step) });
    const { result, channel: row } = decided;
    if (decided.is_opened && opening !== null && row !== null) {
      insert(opening.channel);
      post(decided.transfers);
      update(row);
      noteSynced(id);
    }
    if (result !== "sending") return { ok: false, why: result, channel: before === null ? null : row };
    assertInvariant(row !== null, `channel ${id} is there`);
    const at = tick();
    const sent = step && hidePurchase(step);
    sql.insert_move.run({
      $id: at,
      $kind: kind,
      $network: row.network,
      $channel: id,
      $amount: amount,
      $before: balanceOf(row),
      $nonce: row.refund_nonce,
      $until: move.valid_until_ms,
      $facilitator: move.facilitator,
      $step: sent && renderStep(sent),
      $answer: sent && keepBody(sent.body, at),
    });
    update({ ...row, open_move: at });
    return { ok: true, id: at };
  };

  const end = (id: number, ended: MoveEnd): ChannelRow | null => {
    const move = sql.move.get(id);
    const channel = move && get(move.channel);
    if (move === null || channel === null) return null;
    const step = readStep(move);
    const decided = decideEnd(ended, {
      is_open: move.state === "sending" || move.state === "unknown",
      channel,
      step,
      is_used: isUsed(channel.id, step),
      has_history: sql.history.get(channel.id) !== null,
    });
    if (decided.result === "ended_before") return decided.channel;
    const reason = ended.state === "done" ? null : ended.reason;
    const chain_transaction = ended.state === "failed" ? null : ended.chain_transaction;
    sql.end_move.run({ $id: id, $state: ended.state, $reason: reason, $transaction: chain_transaction, $at: tick() });
    if (decided.channel === null) {
      sql.drop.run(channel.id);
      return null;
    }
    const earned_at = post(decided.transfers);
    update(decided.channel);
    if (ended.state === "done") noteSynced(channel.id);
    if (step !== null && earned_at !== null) {
      const kept = step.purchase === undefined ? null : (sql.move_answer.get(id)?.body ?? null);
      const bought = step.purchase === undefined ? null : bringSalt(step.purchase, kept);
      const answer_id = bought?.body == null ? Number(move.answer_id) : keepBody(bought.body, tick());
      insertStep(step, earned_at, { answer_id, move_id: id });
      if (bought !== null) give(bought.purchase, step, earned_at);
    }
    return need(channel.id);
  };

  return {
    charge: (step, { body }) => writer.write(() => charge(step, body)),
    open: (channel, state) => writer.write(() => open(channel, state)),
    begin: (move) => writer.write(() => begin(move)),
    end: (id, ended) => writer.write(() => end(id, ended)),
    claimed: (claims, chain_transaction) =>
      writer.write(() => {
        let sum = 0n;
        let network = "";
        for (const { channel, total } of claims) {
          const decided = decideClaim(total, need(channel));
          network = decided.channel.network;
          if (decided.result !== "claimed") continue;
          post(decided.transfers);
          update(decided.channel);
          for (const { amount } of decided.transfers) sum += amount;
        }
        if (sum > 0n) noteMove("claim", { network, amount: sum, chain_transaction });
        return sum;
      }),
    swept: (network, amount, chain_transaction) =>
      writer.write(() => {
        const unswept = -(sql.posted.get(claimedAccount(network).id)?.posted ?? 0n);
        const decided = decideSweep({ network, amount, chain_transaction }, unswept);
        post(decided.transfers);
        const booked = decided.transfers.reduce((sum, transfer) => sum + transfer.amount, 0n);
        if (decided.result === "swept") noteMove("sweep", { network, amount: booked, chain_transaction });
        return booked;
      }),
    sync: (id, state) =>
      writer.write(() => {
        const decided = decideSync(state, get(id));
        if (decided.result !== "synced") return null;
        post(decided.transfers);
        update(decided.channel);
        noteSynced(id);
        return need(id);
      }),
    recover: () => writer.write(() => sql.recover.run(tick()).changes),
  };

  function noteMove(
    kind: "claim" | "sweep",
    move: { readonly network: string; readonly amount: bigint; readonly chain_transaction: string },
  ): void {
    const { network, amount, chain_transaction } = move;
    sql.note_move.run({
      $id: tick(),
      $kind: kind,
      $network: network,
      $amount: amount,
      $transaction: chain_transaction,
    });
  }
}

interface MoveStored extends StepText {
  readonly state: string;
  readonly answer_id: bigint | null;
}

const prepare = (db: Database) => ({
  insert_step: db.query(
    `INSERT INTO channel_steps (id, channel, signed, amount, allowed, product, fingerprint, voucher_sha256,
       identifier, proof, answer_id, move_id)
     VALUES ($id, $channel, $signed, $amount, $allowed, $product, $fingerprint, $voucher, $identifier, $proof, $answer,
       $move)`,
  ),
  used: db.query<{ id: bigint }, [string, bigint]>("SELECT id FROM channel_steps WHERE channel = ? AND signed = ?"),
  insert: db.query(
    `INSERT INTO channels (id, network, token, payer, receiver, config, label, created_at, used_at, synced_at)
     VALUES ($id, $network, $token, $payer, $receiver, $config, $label, $at, $at, 0)`,
  ),
  update: db.query(
    `UPDATE channels SET deposited = $deposited, refunded = $refunded, base = $base, charged = $charged,
       signed = $signed, signature = $signature, claimed = $claimed, lost = $lost, withdraw_at = $withdraw_at,
       refund_nonce = $nonce, open_move = $move WHERE id = $id`,
  ),
  synced: db.query("UPDATE channels SET synced_at = $now WHERE id = $id"),
  used_at: db.query("UPDATE channels SET used_at = $at WHERE id = $id"),
  drop: db.query<null, [string]>("DELETE FROM channels WHERE id = ?"),
  history: db.query<unknown, [string]>(
    `SELECT 1 FROM channel_steps WHERE channel = ?1
     UNION ALL SELECT 1 FROM accounts WHERE accounts.id = 'channel:' || ?1 LIMIT 1`,
  ),
  insert_move: db.query(
    `INSERT INTO channel_moves (id, kind, state, network, channel, amount, balance_before, nonce, valid_until,
       facilitator, step, answer_id, created_at, updated_at)
     VALUES ($id, $kind, 'sending', $network, $channel, $amount, $before, $nonce, $until, $facilitator, $step, $answer,
       $id, $id)`,
  ),
  note_move: db.query(
    `INSERT INTO channel_moves (id, kind, state, network, amount, chain_transaction, created_at, updated_at)
     VALUES ($id, $kind, 'done', $network, $amount, $transaction, $id, $id)`,
  ),
  move: db.query<MoveStored, [number]>("SELECT state, channel, step, answer_id FROM channel_moves WHERE id = ?"),
  move_answer: db.query<{ body: string }, [number]>(CHANNEL_SQL.move_answer.replaceAll("$", "?")),
  end_move: db.query(
    `UPDATE channel_moves SET state = $state, reason = $reason, chain_transaction = $transaction, updated_at = $at
     WHERE id = $id`,
  ),
  posted: db.query<{ posted: bigint }, [string]>("SELECT posted FROM accounts WHERE id = ?"),
  recover: db.query<null, [number]>(
    "UPDATE channel_moves SET state = 'unknown', reason = 'left in sending', updated_at = ? WHERE state = 'sending'",
  ),
});
