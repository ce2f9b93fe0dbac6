import type { ChannelQueries } from "./channel-queries.ts";
import type {
  ChannelRow,
  ChannelState,
  ChannelStep,
  MoveEnd,
  MoveResult,
  NewChannel,
  NewMove,
  StepResult,
} from "./channel-rows.ts";
import type { Promised } from "./promised.ts";

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
  /** Brings a channel up to what the chain says. Null for an unknown channel, or while one of its moves is pending. */
  sync(channel: string, state: ChannelState): Promise<ChannelRow | null>;
  /** After a start: the outcome of what was being sent is not known. Returns how many. */
  recover(): Promise<number>;
}

export type Channels = ChannelCommands & Promised<ChannelQueries>;
