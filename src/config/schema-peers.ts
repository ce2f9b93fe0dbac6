import { Type } from "@sinclair/typebox";
import { TextList, Url, USD_PATTERN } from "./schema-parts.ts";

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
  },
  { additionalProperties: false, default: {}, description: "other nodes" },
);
