import { assertInvariant } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import {
  type ChannelRow,
  type ChannelState,
  type ChannelStep,
  type MoveEnd,
  type NewChannel,
  type NewMove,
  readStep,
  renderStep,
  type StepDenied,
} from "../channel-rows.ts";
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
import { hidePurchase, type LandedPurchase, readPurchase, type StoredPurchase } from "../purchase.ts";
import type { BookRows } from "./book-rows.ts";
import type { WantedRows } from "./charge-rows.ts";
import type { DecidedCommand } from "./decided-command.ts";
import { applyPurchase, wantPurchase } from "./grant-commands.ts";

/** What a command of a channel answers; its row is read afterwards, as it is then. */
export type ChannelAnswer =
  | { readonly ok: true; readonly id: number; readonly channel: string }
  | { readonly ok: false; readonly why: StepDenied; readonly channel: string | null };

/** @returns when the voucher among them was earned; null without a voucher. */
function post(rows: BookRows, transfers: readonly DecidedTransfer[]): number | null {
  let earned_at: number | null = null;
  for (const transfer of transfers) {
    const at = rows.tick();
    rows.post([transfer], at);
    if (transfer.kind === "voucher") earned_at = at;
  }
  return earned_at;
}

function keepBody(rows: BookRows, body: string): number {
  const at = rows.tick();
  return rows.keepAnswer({ body, sha256: sha256Hex(body) }, at) ?? at;
}

const wantBody = ({ hashes }: WantedRows, body: string): void => void hashes.add(sha256Hex(body));

const need = (rows: BookRows, id: string): ChannelRow => {
  const row = rows.channels.get(id);
  assertInvariant(row !== null, `channel ${id} is there`);
  return row;
};

/** The plan that a voucher bought. @param at of its step. */
const give = (
  rows: BookRows,
  purchase: StoredPurchase,
  { step, at }: { readonly step: ChannelStep; readonly at: number },
): void => {
  const { amount, charge: paid = amount } = step;
  applyPurchase(rows, purchase, { funding: { by: "voucher", paid }, at });
};

/** One commit: the voucher is accepted, its charge is earned, the answer it paid for is kept. */
export const chargeOn = (step: ChannelStep, body: string): DecidedCommand => ({
  want(wanted) {
    if (step.purchase !== undefined) wantPurchase(wanted, readPurchase(step.purchase));
    wanted.channels.ids.add(step.channel);
    wanted.channels.vouchers.push([step.channel, step.signed]);
    wantBody(wanted, body);
  },
  decide(rows): ChannelAnswer {
    const { channels } = rows;
    const known = channels.get(step.channel);
    const decided = decideVoucher(step, { channel: known, is_used: channels.isUsed(step.channel, step) });
    if (decided.result !== "earned") return { ok: false, why: decided.result, channel: decided.channel?.id ?? null };
    const answer_id = keepBody(rows, body);
    const id = post(rows, decided.transfers) ?? 0;
    channels.change(decided.channel, { used_at: id });
    channels.addStep(step, { id, answer_id, move_id: null });
    if (step.purchase !== undefined) give(rows, readPurchase(step.purchase), { step, at: id });
    return { ok: true, id, channel: step.channel };
  },
});

/** Its answer is the channel's id. */
export const openOn = (channel: NewChannel, state: ChannelState): DecidedCommand => ({
  want: ({ channels }) => void channels.ids.add(channel.id),
  decide(rows): string {
    const decided = decideOpen({ channel, state }, rows.channels.get(channel.id));
    if (decided.result === "opened") {
      rows.channels.open(channel, rows.tick());
      post(rows, decided.transfers);
      rows.channels.change(decided.channel, { synced_at: rows.now_ms });
    }
    return channel.id;
  },
});

/** Notes a deposit or refund before it is sent. */
export const sendOn = (given: NewMove): DecidedCommand => {
  const move = { ...given, step: given.step && hidePurchase(given.step) };
  return {
    want(wanted) {
      const { channel, step } = move;
      wanted.channels.ids.add(channel);
      if (step === null) return;
      wanted.channels.vouchers.push([channel, step.signed]);
      wantBody(wanted, step.body);
    },
    decide(rows): ChannelAnswer {
      const { channel: id, amount, step, opening } = move;
      const { channels } = rows;
      const before = channels.get(id);
      const decided = decideSend({ amount, step, opening }, { channel: before, is_used: channels.isUsed(id, step) });
      const { result, channel: row } = decided;
      if (decided.is_opened && opening !== null && row !== null) {
        channels.open(opening.channel, rows.tick());
        post(rows, decided.transfers);
        channels.change(row, { synced_at: rows.now_ms });
      }
      if (result !== "sending") return { ok: false, why: result, channel: before === null ? null : id };
      assertInvariant(row !== null, `channel ${id} is there`);
      const answer_id = step && keepBody(rows, step.body);
      const at = rows.tick();
      channels.send(move, { id: at, row, step: step && renderStep(step), answer_id });
      channels.change({ ...row, open_move: at });
      return { ok: true, id: at, channel: id };
    },
  };
};

/**
 * Its answer is the channel's id; null for an unknown move, or when the channel was removed with it.
 * @param bought the plan that its voucher buys, which the move's own row names; null for everything else.
 */
export const endOn = (id: number, ended: MoveEnd, bought: LandedPurchase | null): DecidedCommand => ({
  want(wanted) {
    wanted.channels.moves.add(id);
    if (bought === null) return;
    wantPurchase(wanted, bought.purchase);
    if (bought.body !== null) wantBody(wanted, bought.body);
  },
  decide(rows): string | null {
    const { channels } = rows;
    const move = channels.move(id);
    const channel = move && channels.get(move.channel);
    if (move === null || channel === null) return null;
    const step = readStep(move);
    const decided = decideEnd(ended, {
      is_open: move.state === "sending" || move.state === "unknown",
      channel,
      step,
      is_used: channels.isUsed(channel.id, step),
      has_history: channels.hasHistory(channel.id),
    });
    if (decided.result === "ended_before") return channel.id;
    const reason = ended.state === "done" ? null : ended.reason;
    const chain_transaction = ended.state === "failed" ? null : ended.chain_transaction;
    channels.endMove({ id, state: ended.state, reason, chain_transaction, at: rows.tick() });
    if (decided.channel === null) {
      channels.drop(channel.id);
      return null;
    }
    const earned_at = post(rows, decided.transfers);
    const synced = ended.state === "done" ? { synced_at: rows.now_ms } : {};
    channels.change(decided.channel, earned_at === null ? synced : { ...synced, used_at: earned_at });
    if (step !== null && earned_at !== null) {
      const answer_id = bought?.body == null ? (move.answer_id ?? 0) : keepBody(rows, bought.body);
      channels.addStep(step, { id: earned_at, answer_id, move_id: id });
      if (bought !== null) give(rows, bought.purchase, { step, at: earned_at });
    }
    return channel.id;
  },
});

/** The chain has claimed these totals. Its answer is what was booked, atomic USDC. */
export const claimOn = (
  claims: readonly { readonly channel: string; readonly total: bigint }[],
  chain_transaction: string,
): DecidedCommand => ({
  want({ channels }) {
    for (const { channel } of claims) channels.ids.add(channel);
  },
  decide(rows): string {
    let sum = 0n;
    let network = "";
    for (const { channel, total } of claims) {
      const decided = decideClaim(total, need(rows, channel));
      network = decided.channel.network;
      if (decided.result !== "claimed") continue;
      post(rows, decided.transfers);
      rows.channels.change(decided.channel);
      for (const { amount } of decided.transfers) sum += amount;
    }
    if (sum > 0n) {
      rows.channels.noteMove({ id: rows.tick(), kind: "claim", network, amount: sum, chain_transaction });
    }
    return String(sum);
  },
});

/** Claimed money came to the wallet. Its answer is what was booked, atomic USDC. */
export const sweepOn = (network: string, amount: bigint, chain_transaction: string): DecidedCommand => ({
  want: ({ accounts }) => void accounts.add(claimedAccount(network).id),
  decide(rows): string {
    const unswept = -rows.available(claimedAccount(network).id);
    const decided = decideSweep({ network, amount, chain_transaction }, unswept);
    post(rows, decided.transfers);
    const booked = decided.transfers.reduce((sum, transfer) => sum + transfer.amount, 0n);
    if (decided.result === "swept") {
      rows.channels.noteMove({ id: rows.tick(), kind: "sweep", network, amount: booked, chain_transaction });
    }
    return String(booked);
  },
});

/** Its answer is the channel's id; null for an unknown channel, or while one of its moves is pending. */
export const syncOn = (id: string, state: ChannelState): DecidedCommand => ({
  want: ({ channels }) => void channels.ids.add(id),
  decide(rows): string | null {
    const decided = decideSync(state, rows.channels.get(id));
    if (decided.result !== "synced") return null;
    post(rows, decided.transfers);
    rows.channels.change(decided.channel, { synced_at: rows.now_ms });
    return id;
  },
});
