import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import { assertInvariant } from "../core/errors.ts";
import { least, most } from "../core/money.ts";
import { createAnswerBytes } from "./answer-bytes.ts";
import { type ChannelQueries, createChannelQueries } from "./channel-queries.ts";
import {
  balanceOf,
  type ChannelRow,
  type ChannelState,
  type ChannelStep,
  type MoveEnd,
  type MoveResult,
  type NewChannel,
  type NewMove,
  renderStep,
  type StepDenied,
  type StepResult,
} from "./channel-rows.ts";
import type { Promised } from "./promised.ts";
import { ACCOUNTS, type Account, type Transfers } from "./transfers.ts";
import type { Writer } from "./writer.ts";

/** Vouchers, deposits, refunds, claims and sweeps of payment channels. Each promise resolves when it is on disk. */
export interface ChannelCommands {
  /** One commit: the voucher is accepted, its charge is earned, the answer it paid for is kept. */
  charge(step: ChannelStep, answer: { readonly body: string }): Promise<StepResult>;
  /** Opens a channel the chain has and the books do not, or brings it up to what the chain says. */
  open(channel: NewChannel, state: ChannelState): Promise<ChannelRow>;
  /** Notes a deposit or refund before it is sent: nothing else of the channel is accepted until it has ended. */
  begin(move: NewMove): Promise<MoveResult>;
  /** What became of it. A deposit that landed charges the voucher it came with. */
  end(id: number, end: MoveEnd): Promise<ChannelRow | null>;
  /** The chain has claimed these totals. */
  claimed(
    claims: readonly { readonly channel: string; readonly total: bigint }[],
    chain_transaction: string,
  ): Promise<bigint>;
  /** Claimed money came to the wallet. @returns what was booked: never more than was claimed. */
  swept(network: string, amount: bigint, chain_transaction: string): Promise<bigint>;
  /** Brings a channel up to what the chain says. Null when there is none, or something of it is on its way. */
  sync(channel: string, state: ChannelState): Promise<ChannelRow | null>;
  /** After a start: the outcome of what was being sent is not known. Returns how many. */
  recover(): Promise<number>;
}

export type Channels = ChannelCommands & Promised<ChannelQueries>;

export interface ChannelsOptions {
  readonly db: Database;
  readonly writer: Writer;
  readonly transfers: Transfers;
  readonly tick: () => number;
  readonly clock: Clock;
}

const channelAccount = (id: string): Account => ({ id: `channel:${id}`, kind: "channel" });
const escrow = (network: string): Account => ({ id: `escrow:${network}`, kind: "escrow" });
const claimedAt = (network: string): Account => ({ id: `claimed:${network}`, kind: "claimed" });
const wallet = (network: string): Account => ({ id: `wallet:${network}`, kind: "wallet" });

/** Why a voucher cannot be accepted now, unless it was before; null when it can. */
function whyNotNext(
  channel: ChannelRow | null,
  step: Pick<ChannelStep, "signed" | "amount">,
  more = 0n,
): StepDenied | null {
  if (channel === null) return "missing";
  if (channel.lost > 0n) return "closed";
  if (channel.open_move !== null) return "busy";
  if (channel.charged + step.amount !== step.signed) return "moved_on";
  return step.signed > balanceOf(channel) + more ? "balance" : null;
}

export function createChannelCommands(options: ChannelsOptions): ChannelCommands {
  const { db, writer, transfers, tick, clock } = options;
  const keepBody = createAnswerBytes(db);
  const { get } = createChannelQueries(db);
  const sql = prepare(db);
  /** A voucher's amount is taken once, whatever was charged of it: the same one never buys a second answer. */
  const whyNot: typeof whyNotNext = (channel, step, more) =>
    whyNotNext(channel, step, more) ?? (channel && sql.used.get(channel.id, step.signed) ? "used" : null);
  const need = (id: string): ChannelRow => {
    const row = get(id);
    assertInvariant(row !== null, `channel ${id} is there`);
    return row;
  };

  /** The voucher is earned. What it must meet stands in its update, so that nothing slips in between. */
  const earn = (step: ChannelStep, answer_id: number, move_id: number | null): number => {
    const at = tick();
    const { channel, signed, amount, charge = amount, signature, product } = step;
    assertInvariant(charge > 0n && charge <= amount, "I12: no more is charged than a voucher allows");
    const values = { $id: channel, $amount: amount, $signed: signed, $signature: signature, $at: at };
    const taken = sql.charge.run({ ...values, $charge: charge }).changes === 1;
    assertInvariant(taken, `I12: a voucher of channel ${channel} goes on from what was charged`);
    const [from, to] = [channelAccount(channel), ACCOUNTS.channels];
    transfers.post({ kind: "voucher", reference: product, from, to, amount: charge, at });
    sql.insert_step.run({
      ...{ $id: at, $channel: channel, $signed: signed, $amount: charge, $product: product, $answer: answer_id },
      $allowed: charge < amount ? amount : null,
      ...{ $fingerprint: step.fingerprint, $voucher: step.voucher_sha256, $identifier: step.identifier },
      ...{ $proof: step.proof, $move: move_id },
    });
    return at;
  };

  const insert = (channel: NewChannel): void => {
    const { id, network, token, payer, receiver, config, label } = channel;
    const values = { $id: id, $network: network, $token: token, $payer: payer, $receiver: receiver };
    sql.insert.run({ ...values, $config: config, $label: label, $at: tick() });
  };

  /** What the chain holds that the books do not have, and the reverse. */
  const bringUp = (id: string, state: ChannelState): ChannelRow => {
    const row = need(id);
    const known = balanceOf(row);
    const { balance, total_claimed } = state;
    const account = channelAccount(id);
    const more = balance > known ? balance - known : 0n;
    if (more > 0n) post("deposit", id, { from: escrow(row.network), to: account, amount: more });
    const target = most(total_claimed, row.claimed);
    const earned = row.charged - row.lost;
    const own = least(target, earned);
    if (own > row.claimed) {
      post("claim", id, { from: claimedAt(row.network), to: escrow(row.network), amount: own - row.claimed });
    }
    const foreign = target - own;
    if (foreign > 0n) post("foreign_claim", id, { from: account, to: escrow(row.network), amount: foreign });
    const less = balance < known ? known - balance : 0n;
    const left = known + more - row.charged + row.lost - foreign;
    const given = least(less, left);
    if (given > 0n) post("return", id, { from: account, to: escrow(row.network), amount: given });
    const lost = less - given;
    if (lost > 0n) post("loss", id, { from: ACCOUNTS.channels, to: escrow(row.network), amount: lost });
    sql.bring_up.run({
      ...{ $id: id, $more: more, $less: less, $foreign: foreign, $lost: lost, $claimed: target, $now: clock.now() },
      ...{ $withdraw_at: state.withdraw_requested_at, $nonce: state.refund_nonce },
    });
    return need(id);
  };
  const post = (
    kind: "deposit" | "claim" | "foreign_claim" | "return" | "loss" | "sweep",
    reference: string,
    move: { readonly from: Account; readonly to: Account; readonly amount: bigint },
  ): void => void transfers.post({ kind, reference, ...move, at: tick() });

  /** A row that was opened for a deposit which never came goes again: nothing ever happened to it. */
  const dropUnused = (id: string): boolean => sql.drop_unused.run(id, id, id).changes > 0;

  const begin = ({ kind, channel, amount, step, opening, ...move }: NewMove): MoveResult => {
    const before = get(channel);
    // Opened by another node since it was looked for: what the chain said then may be older than what is in it now.
    const is_busy = before !== null && (before.open_move !== null || opening !== null);
    if (is_busy) return { ok: false, why: "busy", channel: before };
    if (opening !== null) insert(opening.channel);
    const row = opening === null ? before : bringUp(channel, opening.state);
    const why =
      step === null ? (row === null ? "missing" : row.lost > 0n ? "closed" : null) : whyNot(row, step, amount);
    if (why !== null || row === null) {
      if (before === null) dropUnused(channel);
      return { ok: false, why: why ?? "missing", channel: before === null ? null : row };
    }
    const at = tick();
    sql.insert_move.run({
      ...{ $id: at, $kind: kind, $network: row.network, $channel: channel, $amount: amount },
      ...{ $before: balanceOf(row), $nonce: row.refund_nonce, $until: move.valid_until_ms },
      ...{ $facilitator: move.facilitator, $step: step && renderStep(step) },
      $answer: step && keepBody(step.body, at),
    });
    sql.set_move.run({ $id: channel, $move: at });
    return { ok: true, id: at };
  };

  const end = (id: number, ended: MoveEnd): ChannelRow | null => {
    const move = sql.move.get(id);
    if (move === null || (move.state !== "sending" && move.state !== "unknown")) return move && get(move.channel);
    const { channel } = move;
    const reason = ended.state === "done" ? null : ended.reason;
    const chain_transaction = ended.state === "failed" ? null : ended.chain_transaction;
    sql.end_move.run({ $id: id, $state: ended.state, $reason: reason, $transaction: chain_transaction, $at: tick() });
    if (ended.state === "unknown") return need(channel);
    sql.set_move.run({ $id: channel, $move: null });
    if (ended.state === "failed") return dropUnused(channel) ? null : need(channel);
    const row = bringUp(channel, ended.now);
    if (move.step === null || move.answer_id === null) return row;
    const told = JSON.parse(move.step) as ChannelStep;
    const amount = BigInt(told.amount);
    // What was written before there were smaller charges has none.
    const step = { ...told, channel, signed: BigInt(told.signed), amount, charge: BigInt(told.charge ?? amount) };
    // The chain may have moved on by other hands meanwhile: then what was delivered stays a gift.
    if (whyNot(row, step) === null) earn(step, Number(move.answer_id), id);
    return need(channel);
  };

  return {
    charge: (step, { body }) =>
      writer.write((): StepResult => {
        const channel = get(step.channel);
        const why = whyNot(channel, step);
        if (why !== null) return { ok: false, why, channel };
        const id = earn(step, keepBody(body, tick()), null);
        return { ok: true, id, channel: need(step.channel) };
      }),
    open: (channel, state) =>
      writer.write(() => {
        const known = get(channel.id);
        // As above: the books are ahead of what was asked before it was opened.
        if (known !== null) return known;
        insert(channel);
        return bringUp(channel.id, state);
      }),
    begin: (move) => writer.write(() => begin(move)),
    end: (id, ended) => writer.write(() => end(id, ended)),
    claimed: (claims, chain_transaction) =>
      writer.write(() => {
        let sum = 0n;
        let network = "";
        for (const { channel, total } of claims) {
          const row = need(channel);
          network = row.network;
          const own = least(total, row.charged - row.lost);
          if (own <= row.claimed) continue;
          const amount = own - row.claimed;
          post("claim", channel, { from: claimedAt(network), to: escrow(network), amount });
          sql.set_claimed.run({ $id: channel, $claimed: own });
          sum += amount;
        }
        if (sum > 0n)
          sql.note_move.run({
            $id: tick(),
            $kind: "claim",
            $network: network,
            $amount: sum,
            $transaction: chain_transaction,
          });
        return sum;
      }),
    swept: (network, amount, chain_transaction) =>
      writer.write(() => {
        const unswept = -(sql.posted.get(claimedAt(network).id)?.posted ?? 0n);
        const booked = least(amount, unswept);
        if (booked <= 0n) return 0n;
        post("sweep", chain_transaction, { from: wallet(network), to: claimedAt(network), amount: booked });
        sql.note_move.run({
          $id: tick(),
          $kind: "sweep",
          $network: network,
          $amount: booked,
          $transaction: chain_transaction,
        });
        return booked;
      }),
    sync: (channel, state) =>
      writer.write(() => {
        const row = get(channel);
        return row === null || row.open_move !== null ? null : bringUp(channel, state);
      }),
    recover: () => writer.write(() => sql.recover.run(tick()).changes),
  };
}

interface MoveStored {
  readonly state: string;
  readonly channel: string;
  readonly step: string | null;
  readonly answer_id: bigint | null;
}

const prepare = (db: Database) => ({
  charge: db.query(
    `UPDATE channels SET charged = charged + $charge, used_at = $at,
       signature = iif($signed > signed OR signature IS NULL, $signature, signature), signed = max(signed, $signed)
     WHERE id = $id AND open_move IS NULL AND lost = 0 AND charged + $amount = $signed
       AND $signed <= deposited - refunded`,
  ),
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
  bring_up: db.query(
    `UPDATE channels SET deposited = deposited + $more, refunded = refunded + $less, lost = lost + $lost,
       base = base + $foreign, charged = charged + $foreign,
       signed = max(signed, charged + $foreign), claimed = $claimed,
       withdraw_at = $withdraw_at, refund_nonce = $nonce, synced_at = $now WHERE id = $id`,
  ),
  drop_unused: db.query<null, [string, string, string]>(
    `DELETE FROM channels WHERE id = ? AND deposited = 0 AND open_move IS NULL
       AND NOT EXISTS (SELECT 1 FROM channel_steps WHERE channel = ?)
       AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = 'channel:' || ?)`,
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
  set_move: db.query("UPDATE channels SET open_move = $move WHERE id = $id"),
  move: db.query<MoveStored, [number]>("SELECT state, channel, step, answer_id FROM channel_moves WHERE id = ?"),
  end_move: db.query(
    `UPDATE channel_moves SET state = $state, reason = $reason, chain_transaction = $transaction, updated_at = $at
     WHERE id = $id`,
  ),
  set_claimed: db.query("UPDATE channels SET claimed = $claimed WHERE id = $id"),
  posted: db.query<{ posted: bigint }, [string]>("SELECT posted FROM accounts WHERE id = ?"),
  recover: db.query<null, [number]>(
    "UPDATE channel_moves SET state = 'unknown', reason = 'left in sending', updated_at = ? WHERE state = 'sending'",
  ),
});
