import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, share, text } from "intel-node";

export const AgentMarketParams = Type.Object(
  {
    category: Type.Optional(
      Type.String({ pattern: "^[a-z-]{2,30}$", description: "Only comparables of this rough kind, such as price." }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: "How many comparables." }),
  },
  closed,
);

const atomic = Type.Integer({ description: "USDC, atomic.", minimum: 0, decimals: 0 });

const Bar = Type.Object(
  { p25: atomic, p50: atomic, p75: atomic },
  { ...closed, description: "Quartiles of the prices." },
);

export const AgentMarketSchema = Type.Object(
  {
    node: Type.Object(
      {
        node_id: text("This node."),
        products: count("Products sold here, plans left out."),
        settlements_organic: nullable(count("Payments by others, ever."), "Null when the books could not be read."),
        settlements_operator_test: nullable(count("Payments by the operator."), "Null when not known."),
      },
      { ...closed, description: "This node." },
    ),
    catalog: Type.Array(
      Type.Object(
        {
          path: text("Path."),
          price_atomic: text("Price, atomic USDC."),
          market_percentile: nullable(
            number("Percent of the listings that are cheaper.", { decimals: 2 }),
            "Null without a register.",
          ),
        },
        closed,
      ),
      { description: "The products sold here, and the rank of their prices among all listings." },
    ),
    market: nullable(
      Type.Object(
        {
          resources: count("Different listings read."),
          listed_total: count("How many the registers say they have, in all."),
          hosts: count("Different hosts."),
          by_network: Type.Array(Type.Object({ network: text("CAIP-2."), resources: count("Listings.") }, closed), {
            description: "Listings by network.",
          }),
          price_atomic: Bar,
          by_category: Type.Array(
            Type.Object({ category: text("Rough kind."), resources: count("Listings."), price_atomic: Bar }, closed),
            { description: "Prices by rough kind." },
          ),
          top_hosts: Type.Array(Type.Object({ host: text("Host."), resources: count("Listings.") }, closed), {
            maxItems: 10,
            description: "Hosts with most listings.",
          }),
          top_host_share: share("Share of the largest host.", { decimals: 4 }),
          quality_available_share: share("Share of the listings with usage figures.", { decimals: 4 }),
          registers: Type.Array(text("Register."), { description: "Registers that answered." }),
        },
        closed,
      ),
      "The registers together; null when none answered.",
    ),
    comparables: Type.Array(
      Type.Object(
        {
          resource: text("Address, as its seller lists it."),
          price_atomic: text("Atomic USDC."),
          network: text("CAIP-2."),
          category: text("Rough kind."),
          identity: oneOf(
            ["verified", "unverified"] as const,
            "Verified when its host is a peer that this node verified; the sellers of all others are unchecked.",
          ),
          calls_30d: nullable(count("The register's figure."), "Null where it states none."),
          payers_30d: nullable(count("The register's figure."), "Null where it states none."),
          last_updated: nullable(Type.String(), "ISO 8601 UTC; null where not dated."),
        },
        closed,
      ),
      { maxItems: 100, description: "Listings, the most used first: claims of their sellers, not checked." },
    ),
    peers: Type.Array(
      Type.Object(
        {
          origin: text("Its address."),
          identity: oneOf(
            ["verified", "partial", "refused", "unverified"] as const,
            "What its signed documents prove: verified, key and every payee are its own; partial, not every payee " +
              "is proven; refused, something is wrong; unverified, not checked yet.",
          ),
          node_id: nullable(Type.String(), "Null when it is not proven."),
          checked_at: nullable(Type.String(), "ISO 8601 UTC; null while not checked."),
        },
        closed,
      ),
      { maxItems: 20, description: "Nodes the operator of this one named, each checked by this node within the hour." },
    ),
    claims_note: text("What a listing is."),
  },
  closed,
);

export type AgentMarketParams = Static<typeof AgentMarketParams>;
export type AgentMarketData = Static<typeof AgentMarketSchema>;
