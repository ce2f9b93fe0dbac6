import type { ChannelRow, ChannelState, MoveEnd, MoveRow } from "../../ledger/channel-rows.ts";
import { networkById } from "../networks/table.ts";
import { askChannel } from "./snapshots.ts";
import type { ChannelParts } from "./types.ts";

/** A deposit that is not on the chain so long after its authorization ended never comes. */
const NEVER_AFTER_MS = 120_000;
/** The chain is asked twice, so long apart, before it is believed that nothing came. */
const LOOKS_APART_MS = 3_000;

/** A move that has been sending for this long was given up by its sender. */
const SENDING_MS = 600_000;

/** Whether the chain shows what was sent; "never" when it cannot come any more. */
function judge(move: MoveRow, now: ChannelState, now_ms: number): "landed" | "open" | "never" {
  if (move.kind === "refund") return now.refund_nonce > move.nonce ? "landed" : "open";
  if (now.balance >= move.balance_before + move.amount) return "landed";
  return now_ms > move.valid_until_ms + NEVER_AFTER_MS ? "never" : "open";
}

/** Finds out what became of deposits and refunds whose outcome is open, from the chain. */
export function createMoves(parts: ChannelParts) {
  const { ledger, clock, alarm } = parts;
  const { channels } = ledger;
  /** When the chain first said of a deposit that it never comes. */
  const doubts = new Map<number, number>();

  /** @returns the channel, free again or not; null when it no longer exists. */
  async function resolve(move: MoveRow): Promise<ChannelRow | null> {
    if (move.state === "done" || move.state === "failed") return channels.get(move.channel);
    const network = networkById(move.network);
    const now = network ? await askChannel(parts, network, move.channel) : null;
    if (now === null) return isUnreadable(move) ? giveUp(move) : channels.get(move.channel);
    const verdict = judge(move, now, clock.now());
    if (verdict === "open") return channels.get(move.channel);
    if (verdict === "never") {
      const since = doubts.get(move.id) ?? clock.now();
      doubts.set(move.id, since);
      if (clock.now() - since < LOOKS_APART_MS) return channels.get(move.channel);
      alarm({ event: "channel_deposit_never_came", channel: move.channel, amount: move.amount.toString() });
    }
    doubts.delete(move.id);
    const end: MoveEnd =
      verdict === "landed"
        ? { state: "done", chain_transaction: "", now: stateAfter(move, now) }
        : { state: "failed", reason: "it is not on the chain, and its time is over" };
    return channels.end(move.id, end);
  }
  /** Whether a deposit can land no more and no chain will ever say what became of it: it would close its channel. */
  const isUnreadable = ({ kind, network, valid_until_ms }: MoveRow): boolean => {
    const chain = networkById(network)?.chain;
    const is_over = kind === "deposit" && clock.now() > valid_until_ms + NEVER_AFTER_MS;
    return is_over && (chain === undefined || parts.rpc_urls(chain).length === 0);
  };

  /** Nothing was charged for it. If it landed all the same, it is its payer's to withdraw. */
  const giveUp = ({ id, channel, amount }: MoveRow): Promise<ChannelRow | null> => {
    alarm({ event: "channel_deposit_given_up", channel, amount: amount.toString() });
    return channels.end(id, { state: "failed", reason: "its time is over, and no chain can be asked" });
  };

  /** Whether nobody waits for its outcome any more. */
  const isLeft = ({ state, created_at_ms }: MoveRow): boolean =>
    state === "unknown" || (state === "sending" && clock.now() - created_at_ms > SENDING_MS);

  return {
    /** Of a channel that waits for one. */
    async resolveOf(channel: ChannelRow): Promise<ChannelRow | null> {
      const move = channel.open_move === null ? null : await channels.move(channel.open_move);
      return move === null || !isLeft(move) ? channel : resolve(move);
    },
    async resolveAll(): Promise<void> {
      for (const move of await channels.openMoves(OPEN_MAX)) if (isLeft(move)) await resolve(move);
    },
  };
}

const OPEN_MAX = 200;

/** A deposit is credited with what it put in; what else lies there is found by the watch. */
function stateAfter(move: MoveRow, now: ChannelState): ChannelState {
  return move.kind === "deposit" ? { ...now, balance: move.balance_before + move.amount } : now;
}
