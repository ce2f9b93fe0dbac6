import { Type } from "@sinclair/typebox";
import { Duration, Flag, TextList, Url, USD_PATTERN } from "./schema-parts.ts";

/** Peers' answers where this node's own sources are dead. */
const StandIn = Type.Object(
  {
    products: TextList("paths of products that a peer may stand in for; empty = none", ["/fear-greed"]),
    max_share: Type.Number({
      minimum: 0.01,
      // Below 1, so that a price only falls from node to node.
      maximum: 0.99,
      default: 0.8,
      description: "most that a peer is paid, as a share of this node's own price of the call",
    }),
    daily_usd: Type.String({
      pattern: USD_PATTERN,
      default: "1.00",
      description: "most that is paid to peers in a day of UTC, USD",
      expects: 'a USD amount such as "1.00"',
    }),
    wallet_key_env: Type.Optional(
      Type.String({
        pattern: "^[A-Z][A-Z0-9_]{0,60}$",
        description: "environment variable with the private key (Base) that pays peers",
        example: "PEER_BUYER_KEY",
      }),
    ),
  },
  { additionalProperties: false, default: {}, description: "buying from a peer what cannot be made here" },
);

const Sum = (value: string, description: string) =>
  Type.String({ pattern: USD_PATTERN, default: value, description, expects: 'a USD amount such as "1.00"' });

/** Payment channels of peers, which this node pays from. */
const PeerChannels = Type.Object(
  {
    enabled: Flag(false, "true pays peers that offer payment channels from one: one deposit, then a signature a call"),
    deposit_calls: Type.Integer({
      minimum: 2,
      maximum: 1_000,
      default: 20,
      description: "calls that a deposit pays for; it counts for [peers.standin] daily_usd on the day it leaves",
    }),
    deposit_max: Sum("0.50", "most of yours that lies with one peer, USD"),
    deposit_all_max: Sum("2.00", "most of yours that lies with all peers together, USD"),
    withdraw_delay_max: Duration("7d", "peers that would keep you waiting longer for your money are paid call by call"),
    idle_refund: Type.Union([Type.Literal("never"), Duration("30d", "")], {
      default: "30d",
      description: "what is left in a channel that paid for nothing for so long is asked back from its peer",
      expects: '"never", or a duration such as "30d"',
    }),
  },
  { additionalProperties: false, default: {}, description: "payment channels that peers are paid from" },
);

export const PeersTable = Type.Object(
  {
    urls: Type.Array(Url("address of another node", "https://peer.example.com"), {
      default: [],
      maxItems: 20,
      description:
        "other nodes, whose votes /swarm-vote counts and whose heads are compared; https unless on this machine",
      example: ["https://peer.example.com"],
    }),
    standin: StandIn,
    channels: PeerChannels,
    upto: Flag(
      false,
      "true pays peers' metered answers by x402 upto: signs the most, pays the charge; the wallet lets Permit2 pay",
    ),
  },
  { additionalProperties: false, default: {}, description: "other nodes" },
);
