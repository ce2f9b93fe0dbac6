import { assertInvariant } from "../../core/errors.ts";
import { least, most } from "../../core/money.ts";
import { balanceOf, type ChannelRow, type ChannelState, type ChannelStep, type NewChannel } from "../channel-rows.ts";
import { ACCOUNTS, type Account } from "../transfers.ts";
import { type DecidedTransfer, type Decision, NO_TRANSFERS, type ResultOf } from "./results.ts";

const channelAccount = (id: string): Account => ({ id: `channel:${id}`, kind: "channel" });
const escrow = (network: string): Account => ({ id: `escrow:${network}`, kind: "escrow" });
const wallet = (network: string): Account => ({ id: `wallet:${network}`, kind: "wallet" });
/** Money claimed on a network that has not reached the wallet; its posted balance is minus that amount. */
export const claimedAccount = (network: string): Account => ({ id: `claimed:${network}`, kind: "claimed" });

/** A channel afterwards, and what is moved for it. When it was used and asked last is noted when it is written. */
interface Changed {
  readonly channel: ChannelRow;
  readonly transfers: readonly DecidedTransfer[];
}

/** What the chain holds that the books do not have, and the reverse. */
function bringUp(row: ChannelRow, state: ChannelState): Changed {
  const { id, network, charged, lost, claimed } = row;
  const known = balanceOf(row);
  const [account, contract] = [channelAccount(id), escrow(network)];
  const more = most(state.balance - known, 0n);
  const less = most(known - state.balance, 0n);
  const target = most(state.total_claimed, claimed);
  const own = least(target, charged - lost);
  // The chain claimed more than these books have charged: the difference was for charges they do not have.
  const foreign = target - own;
  const left = known + more - charged + lost - foreign;
  const given = least(less, left);
  const taken_back = less - given;
  const planned: readonly DecidedTransfer[] = [
    { kind: "deposit", reference: id, from: contract, to: account, amount: more },
    { kind: "claim", reference: id, from: claimedAccount(network), to: contract, amount: own - claimed },
    { kind: "foreign_claim", reference: id, from: account, to: contract, amount: foreign },
    { kind: "return", reference: id, from: account, to: contract, amount: given },
    { kind: "loss", reference: id, from: ACCOUNTS.channels, to: contract, amount: taken_back },
  ];
  return {
    channel: {
      ...row,
      deposited: row.deposited + more,
      refunded: row.refunded + less,
      lost: lost + taken_back,
      base: row.base + foreign,
      charged: charged + foreign,
      signed: most(row.signed, charged + foreign),
      claimed: target,
      withdraw_at: state.withdraw_requested_at,
      refund_nonce: state.refund_nonce,
    },
    transfers: planned.filter(({ amount }) => amount > 0n),
  };
}

/** The voucher is earned: all of it, or less. */
function earn(row: ChannelRow, step: ChannelStep): Changed {
  const { signed, amount, charge = amount, signature, product } = step;
  assertInvariant(charge > 0n && charge <= amount, "I12: no more is charged than a voucher allows");
  const [from, to] = [channelAccount(row.id), ACCOUNTS.channels];
  const is_highest = signed > row.signed || row.signature === null;
  return {
    channel: {
      ...row,
      charged: row.charged + charge,
      signed: most(row.signed, signed),
      signature: is_highest ? signature : row.signature,
    },
    transfers: [{ kind: "voucher", reference: product, from, to, amount: charge }],
  };
}

/** The state that decides about a voucher. */
interface VoucherState {
  readonly channel: ChannelRow | null;
  /** Whether a voucher of this amount bought something: it does so once, whatever was charged of it. */
  readonly is_used: boolean;
}
type Denied = Exclude<ResultOf<"voucher">, "earned">;

/** @param more what comes in with the voucher. */
function whyNot(step: Pick<ChannelStep, "signed" | "amount">, state: VoucherState, more = 0n): Denied | null {
  const { channel, is_used } = state;
  if (channel === null) return "missing";
  if (channel.lost > 0n) return "closed";
  if (channel.open_move !== null) return "busy";
  if (channel.charged + step.amount !== step.signed) return "moved_on";
  if (step.signed > balanceOf(channel) + more) return "balance";
  return is_used ? "used" : null;
}

type VoucherDecision = (Decision<"earned"> & Changed) | (Decision<Denied> & Pick<VoucherState, "channel">);

/**
 * A voucher pays for a call that was answered.
 * @throws InvariantError when more is to be charged than it allows.
 */
export function decideVoucher(step: ChannelStep, state: VoucherState): VoucherDecision {
  const why = whyNot(step, state);
  if (why !== null || state.channel === null) {
    return { result: why ?? "missing", transfers: NO_TRANSFERS, channel: state.channel };
  }
  return { result: "earned", ...earn(state.channel, step) };
}

/** A channel as it is before anything happened to it. */
const toRow = (channel: NewChannel): ChannelRow => ({
  ...channel,
  deposited: 0n,
  refunded: 0n,
  base: 0n,
  charged: 0n,
  signed: 0n,
  signature: null,
  claimed: 0n,
  lost: 0n,
  withdraw_at: 0,
  refund_nonce: 0n,
  open_move: null,
  used_at_ms: 0,
  synced_at_ms: 0,
});

/** What the chain said before somebody else opened it may be older than what is in it now: it stays as it is. */
export function decideOpen(
  { channel, state }: { readonly channel: NewChannel; readonly state: ChannelState },
  known: ChannelRow | null,
): Decision<ResultOf<"channel_open">> & Changed {
  if (known !== null) return { result: "known", transfers: NO_TRANSFERS, channel: known };
  return { result: "opened", ...bringUp(toRow(channel), state) };
}

/** What is to be sent, in what it is decided by. */
interface SendCommand {
  readonly amount: bigint;
  readonly step: Pick<ChannelStep, "signed" | "amount"> | null;
  readonly opening: { readonly channel: NewChannel; readonly state: ChannelState } | null;
}
interface Sending extends Decision<ResultOf<"channel_send">> {
  /** Null if it does not exist, or was opened for this move and has no history. */
  readonly channel: ChannelRow | null;
  /** Whether it is to be opened. The chain's balance stays in the books, even when nothing is sent. */
  readonly is_opened: boolean;
}

/** Notes a deposit or refund before it is sent: until it has ended nothing else of the channel is accepted. */
export function decideSend(
  { amount, step, opening }: SendCommand,
  { channel: before, is_used }: VoucherState,
): Sending {
  const refuse = (result: Denied, more: Partial<Sending> = {}): Sending => ({
    result,
    transfers: NO_TRANSFERS,
    channel: before,
    is_opened: false,
    ...more,
  });
  // Opened by another node since it was looked for: what the chain said then may be older than what is in it now.
  if (before !== null && (before.open_move !== null || opening !== null)) return refuse("busy");
  const opened = opening === null ? null : bringUp(toRow(opening.channel), opening.state);
  const channel = opened?.channel ?? before;
  const transfers = opened?.transfers ?? NO_TRANSFERS;
  const is_opened = opened !== null;
  const why = step === null ? whyNotSent(channel) : whyNot(step, { channel, is_used }, amount);
  if (why === null && channel !== null) return { result: "sending", transfers, channel, is_opened };
  const stays = transfers.length > 0;
  return refuse(why ?? "missing", stays ? { transfers, channel, is_opened } : {});
}

const whyNotSent = (channel: ChannelRow | null): Denied | null =>
  channel === null ? "missing" : channel.lost > 0n ? "closed" : null;

/** How a deposit or refund ended, in what it is decided by. */
type EndCommand =
  | { readonly state: "done"; readonly now: ChannelState }
  | { readonly state: "failed" }
  | { readonly state: "unknown" };

interface EndState {
  /** Of the deposit or refund. */
  readonly is_open: boolean;
  readonly channel: ChannelRow;
  /** The voucher it came with. */
  readonly step: ChannelStep | null;
  /** Whether a voucher of this amount bought something. */
  readonly is_used: boolean;
  /** Whether a call was paid by it, or money was ever moved for it. */
  readonly has_history: boolean;
}
interface MoveEnded extends Decision<ResultOf<"channel_end">> {
  /** Null when it goes again: it was opened for a deposit that never came. */
  readonly channel: ChannelRow | null;
}

/** What became of a deposit or refund. One that landed charges the voucher it came with. */
export function decideEnd(end: EndCommand, { is_open, channel, step, is_used, has_history }: EndState): MoveEnded {
  if (!is_open) return { result: "ended_before", transfers: NO_TRANSFERS, channel };
  if (end.state === "unknown") return { result: "unknown", transfers: NO_TRANSFERS, channel };
  const free = { ...channel, open_move: null };
  if (end.state === "failed") {
    const goes = channel.deposited === 0n && !has_history;
    return { result: "failed", transfers: NO_TRANSFERS, channel: goes ? null : free };
  }
  const landed = bringUp(free, end.now);
  // The chain may have moved on by other hands meanwhile: then what was delivered stays a gift.
  if (step === null || whyNot(step, { channel: landed.channel, is_used }) !== null) {
    return { result: "landed", ...landed };
  }
  const earned = earn(landed.channel, step);
  return {
    result: "landed_and_earned",
    transfers: [...landed.transfers, ...earned.transfers],
    channel: earned.channel,
  };
}

type Synced = (Decision<"synced"> & Changed) | Decision<"missing" | "busy">;

/** Not while something of it is on its way: what the chain says then is neither before nor after. */
export function decideSync(state: ChannelState, channel: ChannelRow | null): Synced {
  if (channel === null) return { result: "missing", transfers: NO_TRANSFERS };
  if (channel.open_move !== null) return { result: "busy", transfers: NO_TRANSFERS };
  return { result: "synced", ...bringUp(channel, state) };
}

/** The chain has claimed a total; of what the books have charged no more than that is claimed. */
export function decideClaim(total: bigint, channel: ChannelRow): Decision<ResultOf<"channel_claim">> & Changed {
  const { id, network, charged, lost, claimed } = channel;
  const own = least(total, charged - lost);
  if (own <= claimed) return { result: "claimed_before", transfers: NO_TRANSFERS, channel };
  const [from, to] = [claimedAccount(network), escrow(network)];
  const transfers = [{ kind: "claim" as const, reference: id, from, to, amount: own - claimed }];
  return { result: "claimed", transfers, channel: { ...channel, claimed: own } };
}

/** @param unswept what was claimed on the network and has not come to the wallet: no more than that comes. */
export function decideSweep(
  { network, amount, chain_transaction }: { network: string; amount: bigint; chain_transaction: string },
  unswept: bigint,
): Decision<ResultOf<"channel_sweep">> {
  const booked = least(amount, unswept);
  if (booked <= 0n) return { result: "nothing_to_sweep", transfers: NO_TRANSFERS };
  const [from, to] = [wallet(network), claimedAccount(network)];
  return { result: "swept", transfers: [{ kind: "sweep", reference: chain_transaction, from, to, amount: booked }] };
}
