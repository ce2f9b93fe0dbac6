import { createLRU } from "../../core/lru.ts";
import { balanceOf, type ChannelRow } from "../../ledger/channel-rows.ts";
import { networkById } from "../networks/table.ts";
import { sendRefund } from "./send-refund.ts";
import { configOf } from "./settle-payloads.ts";
import { askChannel } from "./snapshots.ts";
import { channelRequirement } from "./terms.ts";
import type { ChannelParts } from "./types.ts";

/** Each is a separate transaction: a round must not keep claims waiting. */
const ROUND_MAX = 5;
const LOOKED_AT_MAX = 100;
/** One that could not be sent is tried again after so long. */
const RETRY_MS = 86_400_000;
const TRIED_MAX = 10_000;

/** Gives back what is left in channels that nobody uses any more, where the operator wants that. */
export function createIdleRefunds(parts: ChannelParts) {
  const { ledger, clock, limits, log } = parts;
  const { channels } = ledger;
  const tried = createLRU<number>(TRIED_MAX);
  const wasTried = (id: string): boolean => {
    const at_ms = tried.get(id);
    return at_ms !== undefined && clock.now() >= at_ms && clock.now() - at_ms < RETRY_MS;
  };

  async function giveBack(channel: ChannelRow): Promise<void> {
    const { id, signature, signed } = channel;
    const network = networkById(channel.network);
    if (!network || signature === null) return;
    const config = configOf(channel);
    const { receiver: pay_to, receiverAuthorizer, withdrawDelay } = config;
    const seen = await askChannel(parts, network, id);
    // The chain knows more than the books, or cannot be asked: a look brings them together first.
    if (seen === null ? parts.rpc_urls(network.chain).length > 0 : seen.balance !== balanceOf(channel)) return;
    const own = (await parts.authorizers()).some(
      ({ address }) => address.toLowerCase() === receiverAuthorizer.toLowerCase(),
    );
    const terms = { receiver_authorizer: receiverAuthorizer, withdraw_delay_s: withdrawDelay, facilitators: [] };
    const amount = balanceOf(channel) - channel.charged + channel.lost;
    const sent = await sendRefund(parts, {
      channel,
      network,
      facilitator: "",
      amount,
      nonce: seen?.refund_nonce ?? channel.refund_nonce,
      payload: {
        type: "refund",
        channelConfig: config,
        voucher: { channelId: id, maxClaimableAmount: signed.toString(), signature },
      },
      payment: {
        requirement: channelRequirement({ network, pay_to }, terms, 0n),
        fee_payer: null,
        authorizer: own ? undefined : receiverAuthorizer,
      },
    });
    log({
      event: "channel_idle_refund",
      channel: id,
      payer: channel.payer,
      amount: amount.toString(),
      came: sent.kind,
    });
  }

  return async function run(): Promise<void> {
    if (limits.idle_refund_ms === null) return;
    const before_ms = clock.now() - limits.idle_refund_ms;
    const idle = await channels.idle(before_ms, limits.idle_refund_least, LOOKED_AT_MAX);
    for (const channel of idle.filter(({ id }) => !wasTried(id)).slice(0, ROUND_MAX)) {
      tried.set(channel.id, clock.now());
      await giveBack(channel);
    }
  };
}
