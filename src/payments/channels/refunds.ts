import { NodeError } from "../../core/errors.ts";
import { createLRU } from "../../core/lru.ts";
import { createTokenBucket, type TokenBucket } from "../../core/token-bucket.ts";
import { balanceOf, type ChannelRow } from "../../ledger/channel-rows.ts";
import type { Served } from "../../sell/access.ts";
import { encodeHeader } from "../codec.ts";
import { settlementUnknown } from "../gate/recall.ts";
import { refuseSettled } from "../gate/settle-refusal.ts";
import type { PaymentRefusal } from "../refusal.ts";
import type { DepositSteps } from "./deposits.ts";
import { refuseChannel } from "./refusals.ts";
import { renderState } from "./render.ts";
import { authorizerOf, renderClaims } from "./settle-payloads.ts";
import { readSettledSnapshot } from "./snapshots.ts";
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
  const { ledger, pool, clock, log } = options;
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

  /** Refunds by other hands move it on: what became of ours is told by it. */
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
    const begun = await channels.begin({
      kind: "refund",
      channel: id,
      amount,
      facilitator,
      valid_until_ms: 0,
      step: null,
      opening: null,
    });
    if (!begun.ok) throw busy();
    const signer = await authorizerOf(options, channel);
    const claims = channel.charged > channel.claimed ? renderClaims([channel]) : { claims: [], rows: [] };
    const enriched = {
      ...payload,
      amount: amount.toString(),
      refundNonce: nonce.toString(),
      claims: claims.claims,
      ...(signer === null
        ? {}
        : {
            refundAuthorizerSignature: await signer.signRefund({ id, nonce, amount }, network),
            ...(claims.rows.length > 0
              ? { claimAuthorizerSignature: await signer.signClaims(claims.rows, network) }
              : {}),
          }),
    };
    const { outcome } = await pool.settle(facilitator, { ...payment, payload: enriched, requirement, authorizer });
    log({ event: "channel_refund", channel: id, facilitator, outcome: outcome.kind });
    const payer = channel.payer;
    switch (outcome.kind) {
      case "settled": {
        const said = readSettledSnapshot(outcome.extra);
        const now = {
          balance: balanceOf(channel) - amount,
          total_claimed: channel.charged - channel.lost,
          withdraw_requested_at: said?.withdraw_requested_at ?? 0,
          refund_nonce: nonce + 1n,
        };
        const after = await channels.end(begun.id, { state: "done", chain_transaction: outcome.transaction, now });
        return renderRefund(after ?? channel, { amount, transaction: outcome.transaction });
      }
      case "refused":
        await channels.end(begun.id, { state: "failed", reason: outcome.reason });
        throw refuseSettled({ reason: outcome.reason, network: network.id, payer }, { body: "null" });
      case "unseen":
        await channels.end(begun.id, { state: "failed", reason: outcome.cause });
        throw new NodeError("facilitator_unavailable", "No facilitator took the refund.", { retry_after_s: 5 });
      case "unknown":
        await channels.end(begun.id, {
          state: "unknown",
          reason: outcome.cause,
          chain_transaction: outcome.transaction ?? null,
        });
        throw settlementUnknown();
      default:
        return outcome satisfies never;
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
