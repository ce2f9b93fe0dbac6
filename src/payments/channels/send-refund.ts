import { balanceOf, type ChannelRow } from "../../ledger/channel-rows.ts";
import type { PaymentToSettle, SettleOutcome } from "../facilitators/types.ts";
import type { Network } from "../networks/table.ts";
import { authorizerOf, renderClaims } from "./settle-payloads.ts";
import { readSettledSnapshot } from "./snapshots.ts";
import type { ChannelParts } from "./types.ts";

interface Refund {
  /** As the books have it: nothing of it is on its way. */
  readonly channel: ChannelRow;
  readonly network: Network;
  /** Id of the facilitator that sends it; "" leaves it to the pool. */
  readonly facilitator: string;
  readonly amount: bigint;
  /** The channel's next refund, as the chain counts them. */
  readonly nonce: bigint;
  /** The scheme's payload so far: configuration and voucher. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly payment: Omit<PaymentToSettle, "payload">;
}

/** What came of a refund; the channel afterwards, where the chain took it. */
type Refunded =
  | { readonly kind: "done"; readonly channel: ChannelRow; readonly transaction: string }
  | { readonly kind: "busy" }
  | Exclude<SettleOutcome, { readonly kind: "settled" }>;

/** Notes a refund in the books, signs it, has it sent, books what came of it. What is charged is claimed with it. */
export async function sendRefund(parts: ChannelParts, refund: Refund): Promise<Refunded> {
  const { pool, log, ledger } = parts;
  const { channels } = ledger;
  const { channel, network, facilitator, amount, nonce, payload, payment } = refund;
  const { id } = channel;
  const noted = { kind: "refund", channel: id, amount, facilitator, valid_until_ms: 0 } as const;
  const begun = await channels.begin({ ...noted, step: null, opening: null });
  if (!begun.ok) return { kind: "busy" };
  const signer = await authorizerOf(parts, channel);
  const { claims, rows } = channel.charged > channel.claimed ? renderClaims([channel]) : { claims: [], rows: [] };
  const signatures =
    signer === null
      ? {}
      : {
          refundAuthorizerSignature: await signer.signRefund({ id, nonce, amount }, network),
          ...(rows.length > 0 ? { claimAuthorizerSignature: await signer.signClaims(rows, network) } : {}),
        };
  const asked = { ...payload, amount: amount.toString(), refundNonce: nonce.toString(), claims, ...signatures };
  const { outcome, facilitator: sent_by } = await pool.settle(facilitator, { ...payment, payload: asked });
  log({ event: "channel_refund", channel: id, facilitator: sent_by, outcome: outcome.kind });
  switch (outcome.kind) {
    case "settled": {
      const { transaction } = outcome;
      const said = readSettledSnapshot(outcome.extra);
      const now = {
        balance: balanceOf(channel) - amount,
        total_claimed: channel.charged - channel.lost,
        withdraw_requested_at: said?.withdraw_requested_at ?? 0,
        refund_nonce: nonce + 1n,
      };
      const after = await channels.end(begun.id, { state: "done", chain_transaction: transaction, now });
      return { kind: "done", channel: after ?? channel, transaction };
    }
    case "refused":
      await channels.end(begun.id, { state: "failed", reason: outcome.reason });
      return outcome;
    case "unseen":
      await channels.end(begun.id, { state: "failed", reason: outcome.cause });
      return outcome;
    case "unknown": {
      const chain_transaction = outcome.transaction ?? null;
      await channels.end(begun.id, { state: "unknown", reason: outcome.cause, chain_transaction });
      return outcome;
    }
    default:
      return outcome satisfies never;
  }
}
