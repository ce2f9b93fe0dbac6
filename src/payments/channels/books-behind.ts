import { createLRU } from "../../core/lru.ts";
import { balanceOf, type ChannelRow } from "../../ledger/channel-rows.ts";
import { networkById } from "../networks/table.ts";
import { askChannel } from "./snapshots.ts";
import type { ChannelParts } from "./types.ts";

/** The chain is asked once in so long for a channel. */
const ASKED_EVERY_MS = 60_000;
const CHANNELS_MAX = 10_000;

/**
 * For a voucher, signed by its payer, that goes further than the books: after the restore of a backup they forgot what
 * was accepted since. What the chain has claimed of it is learned before anything is sold, because a voucher below that
 * is worth nothing; what was not claimed is forgone, and the log says how much.
 */
export function createBooksBehind({ ledger, clock, log, ...parts }: ChannelParts) {
  const asked_at = createLRU<number>(CHANNELS_MAX);
  return async (channel: ChannelRow, signed: bigint, price: bigint): Promise<ChannelRow> => {
    if (signed <= channel.charged + price) return channel;
    const since_ms = clock.now() - (asked_at.get(channel.id) ?? Number.NEGATIVE_INFINITY);
    if (since_ms >= 0 && since_ms < ASKED_EVERY_MS) return channel;
    asked_at.set(channel.id, clock.now());
    const network = networkById(channel.network);
    const now = network ? await askChannel({ ...parts, log }, network, channel.id) : null;
    const known = await ledger.channels.get(channel.id);
    const balance = balanceOf(channel);
    // Another node put something in while the chain was asked.
    if (known !== null && balanceOf(known) !== balance) return known;
    const is_further = now !== null && (now.total_claimed > channel.claimed || now.balance > balance);
    // Less is never taken from here: that is for the watch, which knows of withdrawals.
    const learned = is_further && now.balance >= balance ? await ledger.channels.sync(channel.id, now) : null;
    const row = learned ?? channel;
    const forgotten = signed - price - row.charged;
    if (forgotten > 0n) {
      const { id, payer, charged } = row;
      const amounts = { charged: `${charged}`, signed: `${signed}`, forgotten: `${forgotten}` };
      log({ event: "channel_voucher_ahead", channel: id, payer, ...amounts });
    }
    return row;
  };
}
