import type { StuckChannel } from "../../buyer/own-channels/own-channels.ts";
import { renderUSD } from "../../core/money.ts";
import type { AlertCondition } from "../types.ts";

/** Channels with peers that are paid from no more: what lies in them comes home by hand alone. */
export const findStuckChannels = (stuck: readonly StuckChannel[]): readonly AlertCondition[] =>
  stuck.map(({ id, network, why, left }) => ({
    id: `peer-channel:${id}`,
    severity: "warning",
    title: "a payment channel with a peer is paid from no more",
    text:
      `The peer's statement did not add up: ${why}. Up to ${renderUSD(left)} USDC of yours lie in channel ${id} on ` +
      `${network}: intel-node withdraw-channel ${id} prints the calls that bring them home. ` +
      "This ends within an hour of your withdrawal, where an RPC endpoint is set.",
    for_ms: 0,
  }));
