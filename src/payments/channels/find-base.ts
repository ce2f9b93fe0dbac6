import type { Base } from "../../calls/changes.ts";
import type { ChannelAccessOptions, ChannelCall } from "./types.ts";

const VOUCHER = /^voucher_([1-9][0-9]{0,16})$/;

/**
 * The earlier answer a call names: of an earlier call of the same channel, or of a payment of the same payer's.
 * @throws NodeError invalid_parameter
 */
export async function findBase(
  { ledger: { channels }, changes }: Pick<ChannelAccessOptions, "ledger" | "changes">,
  { call, id, payload }: ChannelCall,
): Promise<Base> {
  const { since = "" } = call.request;
  if (since.startsWith("rcp_")) return changes.findForPayer(call, payload.channelConfig.payer.toLowerCase());
  const number = VOUCHER.exec(since)?.[1];
  return changes.findSold(call, number === undefined ? null : await channels.step(id, Number(number)));
}
