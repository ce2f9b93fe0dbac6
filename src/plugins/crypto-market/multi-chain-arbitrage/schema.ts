import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, number, oneOf } from "intel-node";
import { DEX_ASSETS, DEX_CHAINS } from "intel-node/providers/dex-tokens";
import { POOL_TABLE_IDS } from "../dex/pool-tables.ts";
import { SWAP_SOURCES } from "../dex/venue.ts";

const chain = (description: string) => oneOf(DEX_CHAINS, description);
const asset = oneOf(DEX_ASSETS, "Asset traded.");
const price = (description: string) => Type.Number({ description, exclusiveMinimum: 0, digits: 8 });
const fee_tier = (what: string) =>
  nullable(
    Type.Integer({ minimum: 1 }),
    `Fee of the pool ${what} in, hundredths of a basis point`,
    "for a route over several pools",
  );

const trip = {
  asset,
  buy_chain: chain("Where it is bought with USDC."),
  sell_chain: chain("Where the same amount is sold for USDC."),
  buy_price: price("USDC paid per token, after pool fee and price impact."),
  sell_price: price("USDC got per token, after pool fee and price impact."),
  gross_bps: number("(USDC got / USDC paid - 1) x 10,000, before bridge and gas, basis points.", { decimals: 2 }),
  bridge_bps: nullable(
    Type.Number({ minimum: 0, decimals: 2 }),
    "Circle's fee for USDC from sell_chain to buy_chain, basis points.",
  ),
  gas_bps: nullable(Type.Number({ minimum: 0, decimals: 2 }), "Gas of both swaps, basis points of the notional."),
  net_bps: nullable(Type.Number({ decimals: 2 }), "gross - bridge - gas, basis points; null when a cost is not known."),
  fee_tier_buy: fee_tier("it is bought"),
  fee_tier_sell: fee_tier("it is sold"),
  bridge_seconds_est: Type.Null({
    description: "Duration of the USDC transfer, seconds; null for all, because this node does not estimate it.",
    null_when: "for all",
  }),
};

const Row = Type.Object({ ...trip, wrapper: Type.String({ description: "Token bought and sold." }) }, closed);
const MismatchRow = Type.Object(
  {
    ...trip,
    buy_wrapper: Type.String({ description: "Token bought." }),
    sell_wrapper: Type.String({ description: "Token sold: another issuer's promise." }),
    wrapper_mismatch: Type.Literal(true, { description: "The trip is not closed: two different tokens." }),
  },
  closed,
);

const ChainRow = Type.Object(
  {
    asset,
    wrapper: Type.String({ description: "Token of the asset." }),
    chain: chain("Chain it is on."),
    mid_usd: price("Geometric mean of the buying and the selling price, USDC."),
    round_trip_cost_bps: nullable(
      Type.Number({ decimals: 2 }),
      "What buying and selling the notional on this chain loses, basis points; null without quotes.",
    ),
    source: Type.Union(
      ([...SWAP_SOURCES, ...POOL_TABLE_IDS] as const).map((id) => Type.Literal(id)),
      {
        description:
          "Source of the quote: Uniswap's pools, Raydium's, Metis; the others are tables, whose middle is not a quote.",
      },
    ),
  },
  closed,
);

/** Trips shown of each kind. */
export const ROWS = { max: 20, default: 5 } as const;

export const MultiChainParams = Type.Object(
  {
    rows: Type.Optional(
      Type.Integer({
        description: "Most trips in rows and in wrapper_mismatch_rows, best net first.",
        minimum: 1,
        maximum: ROWS.max,
        default: ROWS.default,
      }),
    ),
  },
  closed,
);

export const MultiChainSchema = Type.Object(
  {
    rows: nullable(
      Type.Array(Row, { maxItems: ROWS.max }),
      "Round trips in one token, best net first; withheld in previews.",
    ),
    wrapper_mismatch_rows: nullable(
      Type.Array(MismatchRow, { maxItems: ROWS.max }),
      "Trips between two tokens of one asset, best net first: a bet on both issuers, not an arbitrage.",
    ),
    per_chain: Type.Array(ChainRow, { description: "Every token on every chain.", maxItems: 100 }),
    best_net_bps: nullable(Type.Number({ decimals: 2 }), "Highest net of `rows`, basis points."),
    executable: nullable(Type.Boolean(), "Whether a row has a net above 0."),
    notional_usd: price("USDC each trip starts with."),
  },
  closed,
);

export type MultiChainData = Static<typeof MultiChainSchema>;
export type TripRow = Static<typeof Row>;
export type MismatchTripRow = Static<typeof MismatchRow>;
