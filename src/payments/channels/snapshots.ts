import { Type } from "@sinclair/typebox";
import { createReader, readMember } from "../codec.ts";
import type { Network } from "../networks/table.ts";
import type { ChannelSnapshot } from "./contract.ts";
import { createChannelChain } from "./read-chain.ts";
import type { ChannelParts } from "./types.ts";

const AMOUNT = Type.String({ pattern: "^(0|[1-9][0-9]{0,17})$" });
const read = createReader(
  Type.Object({
    balance: AMOUNT,
    totalClaimed: AMOUNT,
    withdrawRequestedAt: Type.Number({ minimum: 0, maximum: 1_099_511_627_775 }),
    refundNonce: AMOUNT,
  }),
);

/** A facilitator's word on a channel, from the `extra` of its verify; null when it is impossible. */
export function readSnapshot(extra: unknown): ChannelSnapshot | null {
  const said = read(extra);
  if (said === null) return null;
  const [balance, total_claimed] = [BigInt(said.balance), BigInt(said.totalClaimed)];
  if (total_claimed > balance) return null;
  const { withdrawRequestedAt: at, refundNonce } = said;
  return { balance, total_claimed, withdraw_requested_at: Math.floor(at), refund_nonce: BigInt(refundNonce) };
}

/** The same from the `extra.channelState` of its settle. */
export const readSettledSnapshot = (extra: unknown): ChannelSnapshot | null =>
  readSnapshot(readMember(extra, "channelState"));

/** The channel as the chain has it; null when no endpoint answers. */
export async function askChannel(
  { rpc_urls, log }: Pick<ChannelParts, "rpc_urls" | "log">,
  network: Network,
  id: string,
): Promise<ChannelSnapshot | null> {
  const urls = rpc_urls(network.chain);
  if (urls.length === 0) return null;
  try {
    return await createChannelChain(urls).channel(id);
  } catch (error) {
    log({ event: "channel_not_read", channel: id, error: String(error).slice(0, 200) });
    return null;
  }
}
