import { most } from "../../src/core/money.ts";
import type { ChannelRow, ChannelState } from "../../src/ledger/channel-rows.ts";
import type { Random } from "./model.ts";

/** A deposit or refund that was sent. */
export interface ModelMove {
  readonly id: number;
  readonly kind: "deposit" | "refund";
  readonly amount: bigint;
  /** What the books thought the channel held when it was sent. */
  readonly before: bigint;
  /** Of what it pays for, with its voucher. */
  readonly price: bigint;
  readonly signed: bigint;
}

/**
 * A payment channel in its plainest form: three heaps of money of ours and theirs, and the contract, in which they lie.
 * Nothing here is cumulative, as everything in the books is.
 */
export interface ModelChannel {
  readonly n: number;
  /** The contract: what was put in and not taken out, and what of it the receiver may take. */
  readonly chain: { balance: bigint; claimed: bigint; withdraw_at: number; nonce: bigint };
  /** What its payer can still spend, or take back. */
  payers: bigint;
  /** What it earned here. */
  ours: bigint;
  /** Of that: claimed. */
  claimed: bigint;
  /** Claimed by nobody knows whom, for sales nobody knows of. */
  foreign: bigint;
  /** Earned, and taken out by its payer before it was claimed. */
  lost: bigint;
  /** Every voucher that was accepted. */
  readonly vouchers: { readonly signed: bigint; readonly amount: bigint }[];
  withdraw_at: number;
  nonce: bigint;
  move: ModelMove | null;
  /** Something happened to it: its row stays. */
  used: boolean;
}

/** All channels of one network, and where the money of all of them went. */
export function createChannelModel() {
  const channels: ModelChannel[] = [];
  const wallet = { swept: 0n };

  /** What the books think that the contract holds. */
  const balance = ({ payers, ours, foreign }: ModelChannel): bigint => payers + ours + foreign;
  /** What the next voucher goes on from. */
  const charged = ({ ours, foreign, lost }: ModelChannel): bigint => ours + foreign + lost;
  const unswept = (): bigint => channels.reduce((sum, { claimed }) => sum + claimed, 0n) - wallet.swept;

  return {
    channels,
    wallet,
    balance,
    charged,
    unswept,
    add(n: number): ModelChannel {
      const chain = { balance: 0n, claimed: 0n, withdraw_at: 0, nonce: 0n };
      const none = { payers: 0n, ours: 0n, claimed: 0n, foreign: 0n, lost: 0n };
      const channel = { n, chain, ...none, vouchers: [], withdraw_at: 0, nonce: 0n, move: null, used: false };
      channels.push(channel);
      return channel;
    },
    /** What the ledger should say to a voucher that is `off` from the next one. */
    judge(channel: ModelChannel, amount: bigint, off: bigint, more = 0n): string {
      if (channel.lost > 0n) return "closed";
      if (channel.move !== null) return "busy";
      if (off !== 0n) return "moved_on";
      return amount + charged(channel) > balance(channel) + more ? "balance" : "ok";
    },
    earn(channel: ModelChannel, amount: bigint): void {
      channel.payers -= amount;
      channel.ours += amount;
      channel.vouchers.push({ signed: charged(channel), amount });
      channel.used = true;
    },
    /** The books are told what the chain says. Who is short is the payer first: what was earned is earned. */
    learn(channel: ModelChannel, said: ChannelState): void {
      const all = said.total_claimed;
      if (all > channel.ours + channel.foreign) channel.foreign = all - channel.ours;
      channel.claimed = most(all - channel.foreign, channel.claimed);
      const left = said.balance - channel.ours - channel.foreign;
      channel.payers = most(left, 0n);
      if (left < 0n) {
        channel.ours += left;
        channel.lost -= left;
      }
      channel.withdraw_at = said.withdraw_requested_at;
      channel.nonce = said.refund_nonce;
      if (said.balance > 0n) channel.used = true;
    },
    /** The row that the books should have of it. */
    rowOf(channel: ModelChannel): Partial<ChannelRow> & { readonly balance: bigint } {
      return {
        balance: balance(channel),
        charged: charged(channel),
        signed: charged(channel),
        claimed: channel.claimed + channel.foreign,
        base: channel.foreign,
        lost: channel.lost,
        withdraw_at: channel.withdraw_at,
        refund_nonce: channel.nonce,
        open_move: channel.move?.id ?? null,
      };
    },
    totals() {
      const sum = (of: (channel: ModelChannel) => bigint) => channels.reduce((all, one) => all + of(one), 0n);
      return {
        channels: channels.length,
        owed: sum(({ payers }) => payers),
        earned: sum(({ ours }) => ours),
        unclaimed: sum(({ ours, claimed }) => ours - claimed),
        unswept: unswept(),
        swept: wallet.swept,
        lost: sum(({ lost }) => lost),
        withdrawing: channels.filter(({ withdraw_at }) => withdraw_at > 0).length,
      };
    },
  };
}
export type ChannelModel = ReturnType<typeof createChannelModel>;

/** What a payer, a facilitator and strangers do to the contract, none of which the books hear of. */
export function stirChain({ chain }: ModelChannel, random: Random, now_s: number): void {
  const part = (of: bigint): bigint => (of * BigInt(random.below(101))) / 100n;
  switch (random.below(4)) {
    case 0:
      chain.withdraw_at = chain.withdraw_at === 0 ? now_s : 0;
      break;
    case 1:
      // Its delay is over: what is not claimed goes.
      if (chain.withdraw_at > 0) {
        chain.balance -= part(chain.balance - chain.claimed);
        chain.withdraw_at = 0;
      }
      break;
    case 2:
      // With vouchers of before a restore.
      chain.claimed += part(chain.balance - chain.claimed) / 4n;
      break;
    default:
      // Anybody may put something in.
      chain.balance += BigInt(random.below(50_000));
  }
}
