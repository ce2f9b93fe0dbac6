import { readOfferedChannel, whyNoChannel } from "../buyer/own-channels/channel-offer.ts";
import { type PeerTerms, readChannelTerms } from "../buyer/stand-in/read-terms.ts";
import type { Config } from "../config/schema.ts";
import { parseDuration } from "../core/duration.ts";
import { least, parseUSD, renderUSD } from "../core/money.ts";
import { networkById } from "../payments/networks/table.ts";
import type { Requirement } from "../payments/types.ts";
import type { PeerAnswer } from "../upstream/fetch-peer.ts";

/** The limits for payment channels that this node opens with peers. */
export interface ChannelBounds {
  /** Largest deposit, atomic USDC. */
  readonly deposit_max: bigint;
  readonly withdraw_delay_s_max: number;
}

/** A payment channel that a peer offers besides single payments. */
export interface TriedChannel {
  readonly network: string;
  /** The announced least deposit; null if the peer announces none. */
  readonly min_deposit_atomic: string | null;
  readonly withdraw_delay_s: number | null;
  readonly would_open: boolean;
  /** The reason against opening it. */
  readonly why: string | null;
}

/** @returns null if this node pays peers call by call. */
export function readChannelBounds({
  enabled,
  deposit_max,
  deposit_all_max,
  withdraw_delay_max,
}: Config["peers"]["channels"]): ChannelBounds | null {
  if (!enabled) return null;
  return {
    deposit_max: least(parseUSD(deposit_max), parseUSD(deposit_all_max)),
    withdraw_delay_s_max: Math.floor(parseDuration(withdraw_delay_max) / 1000),
  };
}

interface ChannelTrial {
  /** null if this node pays peers call by call. */
  readonly channels: ChannelBounds | null;
  /** Highest price of the call, atomic USDC. */
  readonly price_max: bigint;
}

/** The channel that a peer offers for a product, and whether this node would open it when it buys there. */
export function tryChannel(answer: PeerAnswer, terms: PeerTerms, trial: ChannelTrial): TriedChannel | null {
  const accepted = readChannelTerms(answer, terms);
  if (accepted === null) return null;
  const { network, min_deposit, withdraw_delay_s } = readOfferedChannel(accepted);
  const why = whyNotOpened(accepted, trial);
  return {
    network,
    min_deposit_atomic: min_deposit?.toString() ?? null,
    withdraw_delay_s,
    would_open: why === null,
    why,
  };
}

function whyNotOpened(accepted: Requirement, { channels, price_max }: ChannelTrial): string | null {
  const network = networkById(accepted.network);
  if (channels === null) return "[peers.channels] is off";
  if (network === undefined) return "its network is unknown here";
  const doubt = whyNoChannel(accepted, network, channels.withdraw_delay_s_max);
  if (doubt !== null) return doubt;
  const [price, most] = [BigInt(accepted.amount), renderUSD(channels.deposit_max)];
  if (price > price_max) return `it asks ${renderUSD(price)} by channel, more than may be paid`;
  const announced = readOfferedChannel(accepted).min_deposit ?? 0n;
  if (announced > channels.deposit_max) {
    return `its least deposit is ${renderUSD(announced)}, more than the ${most} that a deposit may be`;
  }
  // A channel for a single call is dearer than paying for that call alone.
  return price * 2n > channels.deposit_max ? `a deposit is at most ${most}, which pays for no two calls` : null;
}

/** One line on the channel offered for a product. */
export function renderChannel(channel: TriedChannel | null): string {
  if (channel === null) return "payment channel (batch-settlement): not offered";
  const { network, min_deposit_atomic: least_deposit, withdraw_delay_s: delay_s, would_open, why } = channel;
  const deposit = least_deposit === null ? "no least deposit" : `deposit from ${renderUSD(BigInt(least_deposit))} USDC`;
  const delay = delay_s === null ? "no withdraw delay named" : `withdraw delay ${delay_s} s`;
  const verdict = would_open ? "would be opened" : `NOT OPENED: ${why}`;
  return `payment channel (batch-settlement) on ${network}: ${deposit}, ${delay}: ${verdict}`;
}
