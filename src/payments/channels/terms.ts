import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { Network } from "../networks/table.ts";
import type { ChannelOffer, Offer, Requirement } from "../types.ts";
import { type ChannelConfig, SCHEME } from "./contract.ts";
import { refuseChannel } from "./refusals.ts";

const TIMEOUT_S = 300;

/** The `accepts[]` entry of a channel offer, over an amount. */
export const channelRequirement = (
  { network, pay_to }: { readonly network: Network; readonly pay_to: string },
  { receiver_authorizer, withdraw_delay_s }: ChannelOffer,
  amount: bigint,
): Requirement => ({
  scheme: SCHEME,
  network: network.id,
  amount: amount.toString(),
  asset: network.asset,
  payTo: pay_to,
  maxTimeoutSeconds: TIMEOUT_S,
  extra: {
    receiverAuthorizer: receiver_authorizer,
    withdrawDelay: withdraw_delay_s,
    name: network.eip712?.name,
    version: network.eip712?.version,
  },
});

export const isSoldByVoucher = ({ definition }: CatalogProduct, { network }: Pick<Offer, "network">): boolean =>
  definition.deadline_ms <= network.produce_ms_max;

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Holds a channel's terms against what is offered. @throws PaymentRefusal */
export function checkTerms(config: ChannelConfig, { payTo, asset, extra }: Requirement): void {
  const fresh = "fetch a fresh 402 and open a channel on its terms.";
  if (!isSame(config.token, asset)) throw refuseChannel("token_mismatch", `The token must be ${asset}: ${fresh}`);
  if (!isSame(config.receiver, payTo))
    throw refuseChannel("receiver_mismatch", `The receiver must be ${payTo}: ${fresh}`);
  if (!isSame(config.receiverAuthorizer, String(extra.receiverAuthorizer))) {
    throw refuseChannel("receiver_authorizer_mismatch", `The authorizer must be ${extra.receiverAuthorizer}: ${fresh}`);
  }
  if (config.withdrawDelay !== extra.withdrawDelay) {
    throw refuseChannel("withdraw_delay_mismatch", `The delay must be ${extra.withdrawDelay} s: ${fresh}`);
  }
}
