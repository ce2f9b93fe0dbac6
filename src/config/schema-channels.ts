import { type Static, Type } from "@sinclair/typebox";
import { Duration, Flag, USD_PATTERN } from "./schema-parts.ts";

const Sum = (value: string, description: string) =>
  Type.String({ pattern: USD_PATTERN, default: value, description, expects: 'a USD amount such as "10.00"' });

/** Payment channels: one deposit pays for many calls. */
export const ChannelsConfig = Type.Object(
  {
    enabled: Flag(false, "true offers payment channels (x402 batch-settlement) on Base where a facilitator takes them"),
    withdraw_delay: Duration("24h", "how long a payer waits for what he withdraws by himself: 15m to 30d"),
    receiver_authorizer: Type.Union([Type.Literal("own"), Type.Literal("facilitator")], {
      default: "own",
      description: "who signs claims and refunds; with the facilitator's key every channel ends when it does",
    }),
    claim_every: Duration("6h", "what channels earned is claimed at least so often"),
    claim_sum: Sum("5.00", "and as soon as so much is unclaimed, USD"),
    unclaimed_max: Sum("10.00", "most that one channel may have unclaimed, USD: beyond it the node claims first"),
    unclaimed_all_max: Sum("1000.00", "most that all channels may have unclaimed together, USD"),
    idle_refund: Type.Union([Type.Literal("never"), Duration("90d", "")], {
      default: "never",
      description: "what is left in a channel that nobody has used for so long goes back to its payer, at your gas",
      expects: '"never", or a duration such as "90d"',
    }),
    idle_refund_least: Sum("0.10", "least that is worth that transaction, USD"),
  },
  { additionalProperties: false, default: {}, description: "payment channels" },
);
export type ChannelsConfig = Static<typeof ChannelsConfig>;
