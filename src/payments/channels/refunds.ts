import type { Served } from "../../calls/access.ts";
import { NodeError } from "../../core/errors.ts";
import { createLRU } from "../../core/lru.ts";
import { createTokenBucket, type TokenBucket } from "../../core/token-bucket.ts";
import { balanceOf, type ChannelRow } from "../../ledger/channel-rows.ts";
import { encodeHeader } from "../codec.ts";
import { settlementUnknown } from "../gate/recall.ts";
import { refuseSettled } from "../gate/settle-refusal.ts";
import type { PaymentRefusal } from "../refusal.ts";
import type { DepositSteps } from "./deposits.ts";
import { refuseChannel } from "./refusals.ts";
import { renderState } from "./render.ts";
import { sendRefund } from "./send-refund.ts";
import { busy } from "./turns.ts";
import type { ChannelAccessOptions, ChannelCall } from "./types.ts";

/** Each costs gas: of one channel so many at once, and one more an hour. */
const REFUNDS_AT_ONCE = 3;
const HOUR_S = 3_600;
const CHANNELS_MAX = 50_000;
const AMOUNT = /^[1-9][0-9]{0,17}$/;

/** Gives back what is not earned: all of it, or what its payer asks for. No product is run. */
export function createRefunds(
  options: ChannelAccessOptions,
  steps: Pick<DepositSteps, "askFacilitator"> & {
    readonly moved_on: (channel: ChannelRow, price: bigint) => PaymentRefusal;
  },
) {
  const { ledger, clock } = options;
  const { channels } = ledger;
  const buckets = createLRU<TokenBucket>(CHANNELS_MAX);

  function countRefund(id: string): void {
    const bucket = buckets.get(id) ?? createTokenBucket({ rate_per_s: 1 / HOUR_S, burst: REFUNDS_AT_ONCE, clock });
    buckets.set(id, bucket);
    if (bucket.take()) return;
    const message = "This channel was refunded several times in the last hour: wait, or withdraw by yourself.";
    throw new NodeError("rate_limited", message, { retry_after_s: Math.max(1, Math.ceil(bucket.wait_ms() / 1000)) });
  }

  function readAmount(asked: ChannelCall, channel: ChannelRow): bigint {
    const { payload } = asked;
    const wanted = payload.type === "refund" ? payload.amount : undefined;
    if (wanted !== undefined && !AMOUNT.test(wanted)) {
      throw refuseChannel("refund_amount_invalid", "The amount to give back is a whole number above 0.");
    }
    const left = balanceOf(channel) - channel.charged + channel.lost;
    if (left <= 0n) throw refuseChannel("refund_no_balance", "Nothing is left in this channel to give back.");
    return wanted === undefined || BigInt(wanted) > left ? left : BigInt(wanted);
  }

  /** Refunds from elsewhere move it on: that shows what became of ours. */
  async function noteNonce(channel: ChannelRow, nonce: bigint): Promise<void> {
    if (nonce === channel.refund_nonce) return;
    const { claimed: total_claimed, withdraw_at: withdraw_requested_at } = channel;
    const state = { balance: balanceOf(channel), total_claimed, withdraw_requested_at, refund_nonce: nonce };
    await channels.sync(channel.id, state);
  }

  async function give(asked: ChannelCall, channel: ChannelRow | null): Promise<Served> {
    const { payload, id, network, requirement, authorizer } = asked;
    if (channel === null) throw refuseChannel("missing_channel", "The node knows no such channel.");
    if (asked.signed !== channel.charged) throw steps.moved_on(channel, 0n);
    const amount = readAmount(asked, channel);
    countRefund(id);
    const { snapshot, facilitator, payment } = await steps.askFacilitator(asked);
    const nonce = snapshot.refund_nonce;
    await noteNonce(channel, nonce);
    const sent = await sendRefund(options, {
      channel,
      network,
      facilitator,
      amount,
      nonce,
      payload,
      payment: { ...payment, requirement, authorizer },
    });
    switch (sent.kind) {
      case "done":
        return renderRefund(sent.channel, { amount, transaction: sent.transaction });
      case "busy":
        throw busy();
      case "refused":
        throw refuseSettled({ reason: sent.reason, network: network.id, payer: channel.payer }, { body: "null" });
      case "unseen":
        throw new NodeError("facilitator_unavailable", "No facilitator took the refund.", { retry_after_s: 5 });
      case "unknown":
        throw settlementUnknown();
      default:
        return sent satisfies never;
    }
  }

  return { give };
}

function renderRefund(
  channel: ChannelRow,
  { amount, transaction }: { readonly amount: bigint; readonly transaction: string },
): Served {
  const told = {
    success: true,
    transaction,
    network: channel.network,
    payer: channel.payer,
    amount: amount.toString(),
  };
  const channelState = renderState(channel);
  return {
    body: JSON.stringify({ refunded: amount.toString(), channel: channelState, transaction }),
    headers: { "PAYMENT-RESPONSE": encodeHeader({ ...told, extra: { channelState } }) },
  };
}
