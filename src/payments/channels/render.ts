import type { Served } from "../../calls/access.ts";
import type { MeteredCharge } from "../../core/metering.ts";
import { balanceOf, type ChannelRow, chargedAfter, type StoredStep } from "../../ledger/channel-rows.ts";
import { encodeHeader } from "../codec.ts";
import type { ChannelSnapshot } from "./contract.ts";
import type { Corrective } from "./refusals.ts";

/** The state of a channel, as shown to its client. */
export const renderState = (channel: ChannelRow, charged = channel.charged) => ({
  channelId: channel.id,
  balance: balanceOf(channel).toString(),
  totalClaimed: channel.claimed.toString(),
  withdrawRequestedAt: channel.withdraw_at,
  refundNonce: channel.refund_nonce.toString(),
  chargedCumulativeAmount: charged.toString(),
});

/** What a client needs to sign on from where the books stand. */
export const renderCorrective = (channel: ChannelRow): Corrective => ({
  channelState: renderState(channel),
  ...(channel.signature === null
    ? {}
    : { voucherState: { signedMaxClaimable: channel.signed.toString(), signature: channel.signature } }),
});

/** The same for a channel that only the chain knows. */
export const renderChainState = (id: string, { balance, total_claimed, ...state }: ChannelSnapshot): Corrective => ({
  channelState: {
    channelId: id,
    balance: balance.toString(),
    totalClaimed: total_claimed.toString(),
    withdrawRequestedAt: state.withdraw_requested_at,
    refundNonce: state.refund_nonce.toString(),
    chargedCumulativeAmount: total_claimed.toString(),
  },
});

interface Paid {
  readonly channel: ChannelRow;
  readonly body: string;
  readonly step: Pick<StoredStep, "id" | "amount" | "allowed" | "signed" | "deposit">;
  /** Null where the product has one price. */
  readonly metered: MeteredCharge | null;
  readonly is_replay: boolean;
}

/** An answer that a voucher paid for, with the snapshot as of that voucher. */
export function renderServed({ channel, body, step, metered, is_replay }: Paid): Served {
  const { deposit } = step;
  const settlement = {
    success: true,
    transaction: deposit?.chain_transaction ?? "",
    network: channel.network,
    payer: channel.payer,
    amount: deposit?.amount.toString() ?? "",
    extra: { chargedAmount: step.amount.toString(), channelState: renderState(channel, chargedAfter(step)) },
  };
  return {
    body,
    headers: {
      "PAYMENT-RESPONSE": encodeHeader(settlement),
      "X-Receipt-Id": `voucher_${step.id}`,
      ...metered?.headers,
      ...(is_replay ? { "X-Idempotent-Replay": "true" } : {}),
    },
  };
}
