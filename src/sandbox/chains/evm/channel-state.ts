import { least } from "../../../core/money.ts";
import { WITHDRAW_DELAY_S } from "../../../payments/channels/contract.ts";

/** A call that the contract reverts. */
export class Revert extends Error {
  override readonly name = "Revert";
}

interface Channel {
  balance: bigint;
  total_claimed: bigint;
  refund_nonce: bigint;
  withdrawal: { readonly amount: bigint; readonly initiated_at: number } | null;
}

interface Receiver {
  total_claimed: bigint;
  total_settled: bigint;
}

/** A transfer for the token to make: out of the contract, or into it. */
export interface TokenMove {
  readonly kind: "in" | "out";
  readonly address: string;
  readonly amount: bigint;
  /** Of the authorization, for what comes in. */
  readonly nonce?: string;
}

export interface ChannelStateParts {
  readonly id: string;
  readonly payer: string;
  readonly payerAuthorizer: string;
  readonly receiver: string;
  readonly token: string;
  readonly withdrawDelay: number;
}

const nameOf = (receiver: string, token: string) => `${receiver} ${token}`.toLowerCase();
const NO_CHANNEL: Readonly<Channel> = { balance: 0n, total_claimed: 0n, refund_nonce: 0n, withdrawal: null };
const NO_RECEIVER: Readonly<Receiver> = { total_claimed: 0n, total_settled: 0n };

/**
 * The state of the channel contract, and how each function changes it after its signatures were checked. Every change
 * returns the transfers for the token to make.
 */
export function createChannelState() {
  const channels = new Map<string, Channel>();
  const receivers = new Map<string, Receiver>();
  const channel = (id: string): Channel => ({ ...(channels.get(id.toLowerCase()) ?? NO_CHANNEL) });
  const receiver = (address: string, token: string): Receiver => ({
    ...(receivers.get(nameOf(address, token)) ?? NO_RECEIVER),
  });
  const availableOf = ({ balance, total_claimed }: Channel): bigint => balance - total_claimed;

  return {
    channel,
    receiver,
    deposit(config: ChannelStateParts, amount: bigint, nonce: string): TokenMove[] {
      if (amount === 0n) throw new Revert("ZeroDeposit");
      const { min, max } = WITHDRAW_DELAY_S;
      if (config.withdrawDelay < min || config.withdrawDelay > max) throw new Revert("WithdrawDelayOutOfRange");
      const now = channel(config.id);
      channels.set(config.id, { ...now, balance: now.balance + amount });
      return [{ kind: "in", address: config.payer, amount, nonce }];
    },
    claim(
      config: ChannelStateParts,
      { signed, total }: { readonly signed: bigint; readonly total: bigint },
    ): TokenMove[] {
      const now = channel(config.id);
      if (total > signed) throw new Revert("ClaimExceedsCeiling");
      if (total <= now.total_claimed) return [];
      if (total > now.balance) throw new Revert("ClaimExceedsBalance");
      const earned = receiver(config.receiver, config.token);
      receivers.set(nameOf(config.receiver, config.token), {
        ...earned,
        total_claimed: earned.total_claimed + total - now.total_claimed,
      });
      channels.set(config.id, { ...now, total_claimed: total });
      return [];
    },
    refund(config: ChannelStateParts, amount: bigint, nonce: bigint): TokenMove[] {
      if (amount === 0n) throw new Revert("ZeroRefund");
      const now = channel(config.id);
      if (nonce !== now.refund_nonce) throw new Revert("InvalidRefundNonce");
      const left = availableOf(now);
      const given = least(amount, left);
      const rest = (now.withdrawal?.amount ?? 0n) - given;
      const withdrawal = now.withdrawal && rest > 0n ? { ...now.withdrawal, amount: rest } : null;
      // The nonce advances even when nothing is left to move.
      const refund_nonce = now.refund_nonce + 1n;
      channels.set(config.id, { ...now, balance: now.balance - given, refund_nonce, withdrawal });
      return given === 0n ? [] : [{ kind: "out", address: config.payer, amount: given }];
    },
    settle(address: string, token: string): TokenMove[] {
      const now = receiver(address, token);
      const amount = now.total_claimed - now.total_settled;
      if (amount === 0n) return [];
      receivers.set(nameOf(address, token), { ...now, total_settled: now.total_claimed });
      return [{ kind: "out", address, amount }];
    },
    initiateWithdraw(config: ChannelStateParts, amount: bigint, now_s: number): TokenMove[] {
      const now = channel(config.id);
      if (amount === 0n || amount > availableOf(now)) throw new Revert("WithdrawExceedsAvailable");
      if (now.withdrawal) throw new Revert("WithdrawalAlreadyPending");
      channels.set(config.id, { ...now, withdrawal: { amount, initiated_at: now_s } });
      return [];
    },
    finalizeWithdraw(config: ChannelStateParts, now_s: number): TokenMove[] {
      const now = channel(config.id);
      if (!now.withdrawal) throw new Revert("WithdrawalNotPending");
      if (now_s < now.withdrawal.initiated_at + config.withdrawDelay) throw new Revert("WithdrawDelayNotElapsed");
      const left = availableOf(now);
      const amount = least(now.withdrawal.amount, left);
      channels.set(config.id, { ...now, balance: now.balance - amount, withdrawal: null });
      return amount === 0n ? [] : [{ kind: "out", address: config.payer, amount }];
    },
    /** A copy of the state, to go back to. */
    save: () => ({ channels: new Map(channels), receivers: new Map(receivers) }),
    restore(saved: { readonly channels: Map<string, Channel>; readonly receivers: Map<string, Receiver> }): void {
      for (const [kept, now] of [
        [saved.channels, channels],
        [saved.receivers, receivers],
      ] as const) {
        now.clear();
        for (const [name, value] of kept) (now as Map<string, unknown>).set(name, value);
      }
    },
  };
}
