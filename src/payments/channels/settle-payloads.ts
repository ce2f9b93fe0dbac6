import type { ChannelRow } from "../../ledger/channel-rows.ts";
import type { Authorizer, Claim } from "../networks/evm/channel-signing.ts";
import type { ChannelConfig } from "./contract.ts";
import type { ChannelParts } from "./types.ts";

export const configOf = ({ config }: Pick<ChannelRow, "config">): ChannelConfig => JSON.parse(config) as ChannelConfig;

/** What is claimed of each channel: all that was charged, with its highest voucher. */
export function renderClaims(channels: readonly ChannelRow[]) {
  const rows = channels.flatMap((row): Claim[] =>
    row.signature === null
      ? []
      : [
          {
            channel: configOf(row),
            id: row.id,
            signed: row.signed,
            signature: row.signature,
            total: row.charged - row.lost,
          },
        ],
  );
  const claims = rows.map(({ channel, signed, signature, total }) => ({
    voucher: { channel, maxClaimableAmount: signed.toString() },
    signature,
    totalClaimed: total.toString(),
  }));
  return { claims, rows };
}

/** Who of this node signs for a channel: the present key or an earlier one; null where its facilitator does. */
export async function authorizerOf(
  { authorizers }: Pick<ChannelParts, "authorizers">,
  channel: Pick<ChannelRow, "config">,
): Promise<Authorizer | null> {
  const { receiverAuthorizer } = configOf(channel);
  const known = await authorizers();
  return known.find(({ address }) => address.toLowerCase() === receiverAuthorizer.toLowerCase()) ?? null;
}
