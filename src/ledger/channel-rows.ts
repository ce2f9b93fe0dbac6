import type { ResultOf } from "./decide/results.ts";
import type { ReceiptLabel } from "./receipts.ts";

/** A channel as the books have it. Amounts are cumulative, in atomic USDC. */
export interface ChannelRow {
  /** 0x and 64 hex digits in lower case. */
  readonly id: string;
  readonly network: string;
  readonly token: string;
  readonly payer: string;
  readonly receiver: string;
  /** Canonical JSON of its configuration. */
  readonly config: string;
  readonly label: ReceiptLabel;
  readonly deposited: bigint;
  /** Given back, or withdrawn. */
  readonly refunded: bigint;
  /** Claimed on the chain for charges that these books do not have. */
  readonly base: bigint;
  readonly charged: bigint;
  readonly signed: bigint;
  /** Of the highest voucher; null before the first one. */
  readonly signature: string | null;
  readonly claimed: bigint;
  /** Charged, and withdrawn before it was claimed: never claimed any more, and nothing more is accepted. */
  readonly lost: bigint;
  /** Unix seconds; 0 while its payer withdraws nothing. */
  readonly withdraw_at: number;
  readonly refund_nonce: bigint;
  /** The deposit or refund whose outcome is open. */
  readonly open_move: number | null;
  readonly used_at_ms: number;
  readonly synced_at_ms: number;
}

/** The channel's balance in the contract, as far as the books know. */
export const balanceOf = ({ deposited, refunded }: Pick<ChannelRow, "deposited" | "refunded">): bigint =>
  deposited - refunded;
/** What is earned and not claimed. */
export const unclaimedOf = ({ charged, lost, claimed }: Pick<ChannelRow, "charged" | "lost" | "claimed">): bigint =>
  charged - lost - claimed;

export interface NewChannel {
  readonly id: string;
  readonly network: string;
  readonly token: string;
  readonly payer: string;
  readonly receiver: string;
  readonly config: string;
  readonly label: ReceiptLabel;
}

/** What the chain says of a channel. */
export interface ChannelState {
  readonly balance: bigint;
  readonly total_claimed: bigint;
  /** Unix seconds; 0 while nothing is withdrawn. */
  readonly withdraw_requested_at: number;
  readonly refund_nonce: bigint;
}

/** A voucher and what it pays for. */
export interface ChannelStep {
  readonly channel: string;
  /** The voucher's cumulative amount. */
  readonly signed: bigint;
  /** The price: the voucher goes exactly so far beyond what was charged before. */
  readonly amount: bigint;
  /** What is charged of it; left out: all of it. */
  readonly charge?: bigint | undefined;
  readonly signature: string;
  readonly product: string;
  readonly fingerprint: string;
  readonly voucher_sha256: string;
  readonly identifier: string | null;
  readonly proof: string | null;
  /** The plan it buys, as `renderPurchase` writes it. */
  readonly purchase?: string | undefined;
}

export interface StoredStep {
  readonly id: number;
  /** What was charged. */
  readonly amount: bigint;
  /** What its voucher allowed: how far it went beyond what was charged before. */
  readonly allowed: bigint;
  readonly signed: bigint;
  readonly product: string;
  readonly fingerprint: string;
  readonly voucher_sha256: string;
  readonly identifier: string | null;
  readonly proof: string | null;
  readonly charged_at_ms: number;
  /** Null when it was dropped after the replay window. */
  readonly body: string | null;
  /** The deposit it came with. */
  readonly deposit: { readonly amount: bigint; readonly chain_transaction: string } | null;
}

/** The channel's total charge once a step had been paid. */
export const chargedAfter = ({ signed, allowed, amount }: Pick<StoredStep, "signed" | "allowed" | "amount">): bigint =>
  signed - allowed + amount;

/** Why a voucher is not taken. `moved_on`: it does not go on from what was charged; `used`: it bought something. */
export type StepDenied = Exclude<ResultOf<"voucher">, "earned">;
export type StepResult =
  | { readonly ok: true; readonly id: number; readonly channel: ChannelRow }
  | { readonly ok: false; readonly why: StepDenied; readonly channel: ChannelRow | null };

/** A deposit or refund about to be sent. */
export interface NewMove {
  readonly kind: "deposit" | "refund";
  readonly channel: string;
  readonly amount: bigint;
  readonly facilitator: string;
  /** After then, ms, a deposit that is not on the chain never comes; 0 for a refund. */
  readonly valid_until_ms: number;
  /** The step it pays for once it has landed; null for a refund. */
  readonly step: (ChannelStep & { readonly body: string }) | null;
  /** Of a refund: the voucher that covers what was charged. */
  readonly opening: { readonly channel: NewChannel; readonly state: ChannelState } | null;
}

export interface MoveRow {
  readonly id: number;
  readonly kind: "deposit" | "refund";
  readonly state: "sending" | "unknown" | "done" | "failed";
  readonly channel: string;
  readonly network: string;
  readonly amount: bigint;
  readonly balance_before: bigint;
  readonly nonce: bigint;
  readonly valid_until_ms: number;
  readonly facilitator: string | null;
  readonly created_at_ms: number;
  /** Of the voucher it came with; null for what pays for nothing. */
  readonly step: Pick<ChannelStep, "signed" | "voucher_sha256" | "fingerprint" | "purchase"> | null;
}

export type MoveResult =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly why: StepDenied; readonly channel: ChannelRow | null };

/** How a deposit or refund ended. A landed one is recognized by what the chain holds afterwards. */
export type MoveEnd =
  | { readonly state: "done"; readonly chain_transaction: string; readonly now: ChannelState }
  | { readonly state: "failed"; readonly reason: string }
  | { readonly state: "unknown"; readonly reason: string; readonly chain_transaction: string | null };

/** All channels of a network. */
export interface ChannelTotals {
  readonly network: string;
  readonly channels: number;
  /** The part of the payers' balances that is not earned. */
  readonly owed: bigint;
  readonly earned: bigint;
  readonly unclaimed: bigint;
  /** Claimed, and still in the contract. */
  readonly unswept: bigint;
  readonly swept: bigint;
  readonly lost: bigint;
  readonly withdrawing: number;
}

export interface StoredChannel extends Omit<ChannelRow, "withdraw_at" | "open_move" | "used_at_ms" | "synced_at_ms"> {
  readonly withdraw_at: bigint;
  readonly open_move: bigint | null;
  readonly used_at: bigint;
  readonly synced_at: bigint;
}

export const CHANNEL_COLUMNS =
  "id, network, token, payer, receiver, config, label, deposited, refunded, base, charged, signed, signature, " +
  "claimed, lost, withdraw_at, refund_nonce, open_move, used_at, synced_at";

export function toChannelRow({ withdraw_at, open_move, used_at, synced_at, ...row }: StoredChannel): ChannelRow {
  return {
    ...row,
    withdraw_at: Number(withdraw_at),
    open_move: open_move === null ? null : Number(open_move),
    used_at_ms: Math.floor(Number(used_at) / 1000),
    synced_at_ms: Number(synced_at),
  };
}

export interface StoredStepRow {
  readonly id: bigint;
  readonly amount: bigint;
  readonly allowed: bigint;
  readonly signed: bigint;
  readonly product: string;
  readonly fingerprint: string;
  readonly voucher_sha256: string;
  readonly identifier: string | null;
  readonly proof: string | null;
  readonly body: string | null;
  readonly deposited: bigint | null;
  readonly chain_transaction: string | null;
}

export const toStep = ({ deposited, chain_transaction, ...row }: StoredStepRow): StoredStep => ({
  ...row,
  id: Number(row.id),
  charged_at_ms: Math.floor(Number(row.id) / 1000),
  deposit: deposited === null ? null : { amount: deposited, chain_transaction: chain_transaction ?? "" },
});

export interface StoredMove {
  readonly id: bigint;
  readonly kind: MoveRow["kind"];
  readonly state: MoveRow["state"];
  readonly channel: string;
  readonly network: string;
  readonly amount: bigint;
  readonly balance_before: bigint;
  readonly nonce: bigint;
  readonly valid_until: bigint;
  readonly facilitator: string | null;
  readonly step: string | null;
  readonly created_at: bigint;
}

export const MOVE_COLUMNS =
  "id, kind, state, channel, network, amount, balance_before, nonce, valid_until, facilitator, step, created_at";

export function toMove({ valid_until, created_at, step, id, ...row }: StoredMove): MoveRow {
  const told = step === null ? null : (JSON.parse(step) as Record<"signed" | "voucher_sha256" | "fingerprint", string>);
  return {
    ...row,
    id: Number(id),
    valid_until_ms: Number(valid_until),
    created_at_ms: Math.floor(Number(created_at) / 1000),
    step: told && { ...told, signed: BigInt(told.signed) },
  };
}

/** Text of a step as a move keeps it until it has landed. */
export const renderStep = ({
  signed,
  amount,
  charge = amount,
  signature,
  product,
  fingerprint,
  voucher_sha256,
  identifier,
  proof,
  purchase,
}: ChannelStep) =>
  JSON.stringify({
    signed: signed.toString(),
    amount: amount.toString(),
    charge: charge.toString(),
    signature,
    product,
    fingerprint,
    voucher_sha256,
    identifier,
    proof,
    purchase,
  });

/** The voucher of a move as it was written down. */
export interface StepText {
  readonly channel: string;
  readonly step: string | null;
}

/** Reads what `renderStep` wrote; null when the move came without a step. */
export function readStep({ step, channel }: StepText): ChannelStep | null {
  if (step === null) return null;
  const told = JSON.parse(step) as ChannelStep;
  const amount = BigInt(told.amount);
  // Steps written before there were smaller charges do not have one.
  return { ...told, channel, signed: BigInt(told.signed), amount, charge: BigInt(told.charge ?? amount) };
}
