import { least } from "../../core/money.ts";
import type { ChannelConfig } from "../../payments/channels/contract.ts";
import { networkById } from "../../payments/networks/table.ts";
import type { OwnChannel } from "../../stores/own-channel-rows.ts";
import { createPeerFetch, fetchPeer, type PeerAnswer, type PeerFailure } from "../../upstream/fetch-peer.ts";
import { findChannelOffer } from "../stand-in/read-terms.ts";
import { checkCorrection, checkRefundSnapshot, type KnownChannel } from "./check-snapshot.ts";
import { availableOf, isOwnVoucher, type OwnChannels, type OwnChannelsOptions } from "./own-channels.ts";

/** One that could not be had back is asked for again a day later. */
const AGAIN_AFTER_MS = 86_400_000;
/** A refund is a transaction of its seller's. */
const REFUND_WITHIN_MS = 60_000;

interface IdleParts {
  readonly channels: Pick<OwnChannels, "list" | "inTurn" | "held">;
  readonly idle_ms: number;
}

const knownOf = (channel: OwnChannel): KnownChannel => ({
  ...channel,
  balance: availableOf(channel),
  price: 0n,
});

/** Asks sellers to give back what lies in channels that paid for nothing for so long. */
export function createIdleRefunds(
  { rows, clock, buyer, log }: OwnChannelsOptions,
  { channels, idle_ms }: IdleParts,
): () => Promise<void> {
  const tried = new Map<string, number>();

  const isDue = (channel: OwnChannel): boolean => {
    const { id, stopped, used_ms, open_deposit, charged } = channel;
    if (stopped !== null || open_deposit > 0n || availableOf(channel) <= charged) return false;
    return clock.now() - used_ms >= idle_ms && clock.now() - (tried.get(id) ?? 0) >= AGAIN_AFTER_MS;
  };

  /** What the seller answers to the refund; once more where its books stand elsewhere and that adds up. */
  async function ask(channel: OwnChannel): Promise<PeerAnswer | PeerFailure> {
    const unpaid = await fetchPeer(channel.door);
    if ("failed" in unpaid) return unpaid;
    const accepted = findChannelOffer(unpaid, channel.network);
    const network = networkById(channel.network);
    const signing =
      accepted && (await (await buyer()).channelOf(accepted, JSON.parse(channel.config) as ChannelConfig));
    if (!signing || !network) return { failed: `${channel.door} offers no channels any more` };
    const send = async (charged: bigint): Promise<PeerAnswer | PeerFailure> =>
      createPeerFetch({ "PAYMENT-SIGNATURE": await signing.refund(charged) }, REFUND_WITHIN_MS)(channel.door);
    const answer = await send(channel.charged);
    if ("failed" in answer || answer.status !== 402) return answer;
    const { id, payer } = channel;
    const checked = await checkCorrection(answer, knownOf(channel), (total, signature) =>
      isOwnVoucher({ id, payer, total, signature }, network),
    );
    if (checked === "none" || "fault" in checked) return answer;
    const { charged, signed } = checked.correction;
    rows.settle(id, { charged, signed, landed: false });
    return send(charged);
  }

  async function refund(given: OwnChannel): Promise<void> {
    if (!isDue(given)) return;
    tried.set(given.id, clock.now());
    const answer = await ask(given);
    const channel = rows.get(given.id) ?? given;
    const told = { channel: channel.id, seller: channel.seller };
    if ("failed" in answer || answer.status !== 200) {
      const why = "failed" in answer ? answer.failed : `it answers ${answer.status}`;
      log.warn({ event: "own_channel_not_refunded", ...told, why });
      return;
    }
    const checked = checkRefundSnapshot(answer.headers.get("PAYMENT-RESPONSE"), knownOf(channel));
    const said = checked !== "none" && "snapshot" in checked ? availableOf(channel) - checked.snapshot.balance : 0n;
    if (said <= 0n) {
      const why = checked !== "none" && "fault" in checked ? checked.fault : "it does not say what it gave back";
      log.warn({ event: "own_channel_not_refunded", ...told, why });
      return;
    }
    // The seller's word alone takes nothing off the books where an endpoint says what the chain still holds.
    const held = (await channels.held(channel)) ?? 0n;
    const back = least(said, availableOf(channel) - held);
    if (back <= 0n) {
      const why = "it says that it gave back what the chain still holds for this node";
      log.warn({ event: "own_channel_not_refunded", ...told, why });
      return;
    }
    rows.noteRefund(channel.id, back);
    log.info({ event: "own_channel_refunded", ...told, amount: back.toString() });
  }

  return async () => {
    for (const channel of channels.list().filter(isDue)) await channels.inTurn(channel, refund);
  };
}
