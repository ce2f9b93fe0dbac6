import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf, pairParam, type Rounding } from "intel-node";
import { DEX_CHAINS } from "intel-node/providers/dex-tokens";
import { POOL_TABLE_IDS } from "../dex/pool-tables.ts";
import { SWAP_SOURCES } from "../dex/venue.ts";
import { ALIASES } from "../oracle/symbol.ts";

/** What can be asked for; SOL has a pool on one of the chains only. */
export const BASES = ["ETH", "BTC", "LINK", "UNI", "AAVE", "USDC"] as const;
const QUOTES = ["USDC"] as const;

const chain = (description: string) => oneOf(DEX_CHAINS, description);
const amount = (description: string, rounding?: Rounding) => Type.Number({ description, minimum: 0, ...rounding });
const bps = Type.Number({ minimum: 0 });

export const PAIR = pairParam({
  description: `Asset against USDC: ${BASES.join(", ")}. USDC/USDC compares bridges only.`,
  bases: BASES,
  quotes: QUOTES,
  aliases: ALIASES,
  default: "ETH/USDC",
});

export const CrossChainParams = Type.Object(
  {
    pair: Type.Optional(PAIR.schema),
  },
  closed,
);

const ChainRow = Type.Object(
  {
    chain: chain("Chain it is on."),
    wrapper: Type.String({ description: "Token; two of one asset are different credit risks." }),
    price_usd: Type.Number({
      description: "Geometric mean of buying and selling price of 1,000 USDC, USDC; or a pool table's price.",
      exclusiveMinimum: 0,
      digits: 8,
    }),
    impact_bps_10k: nullable(
      Type.Number({ decimals: 2 }),
      "Buying price at 10,000 USDC against that at 1,000, basis points.",
    ),
    impact_bps_100k: nullable(
      Type.Number({ decimals: 2 }),
      "Buying price at 100,000 USDC against that at 1,000, basis points.",
    ),
    age_s: nullable(
      Type.Integer({ minimum: 0, decimals: 0 }),
      "Age of the price when read, seconds; above 900 it counts in no spread.",
      "where the source states no time",
    ),
    liquidity_usd: nullable(
      Type.Number({ minimum: 0, decimals: 2 }),
      "Of the deepest pool",
      "where `source` is not a table that states it",
    ),
    source: Type.Union(
      ([...SWAP_SOURCES, ...POOL_TABLE_IDS] as const).map((id) => Type.Literal(id)),
      {
        description:
          "Source of the quote: Uniswap's pools, Raydium's, Metis; else a table of pools, whose middle is not a quote.",
      },
    ),
  },
  closed,
);

const Route = Type.Object(
  {
    provider: Type.Union([Type.Literal("lifi"), Type.Literal("circle_cctp")], {
      description: "lifi: a quote. circle_cctp: an estimate from Circle's fee and gas.",
    }),
    tool: Type.String({ description: "Bridge." }),
    from_chain: chain("Where the USDC is."),
    to_chain: chain("Where it goes."),
    amount_in_usdc: amount("USDC sent."),
    amount_out_usdc: amount("USDC that arrive.", { decimals: 6 }),
    amount_out_min_usdc: nullable(
      Type.Number({ minimum: 0, decimals: 6 }),
      "USDC that arrive at least",
      "for an estimate",
    ),
    fees_usd: amount("All fees, US dollars.", { decimals: 4 }),
    gas_usd: amount("Gas, US dollars.", { decimals: 4 }),
    duration_s: nullable(Type.Number({ minimum: 0 }), "Expected duration, s", "for an estimate"),
    cost_bps: Type.Number({ description: "Value lost on the way and gas, basis points of what is sent.", decimals: 2 }),
    quoted_at: Type.String({ description: "When it was asked for, ISO 8601 UTC." }),
  },
  closed,
);

const Fees = Type.Object(
  {
    from: chain("Chain the USDC leave."),
    to: chain("Chain they arrive on."),
    fast_bps: nullable(bps, "Circle's fee for a fast transfer, basis points", "where Circle has none"),
    standard_bps: nullable(bps, "Circle's fee for a standard transfer, basis points."),
  },
  closed,
);

export const CrossChainSchema = Type.Object(
  {
    pair: Type.String({ description: "BASE/USDC." }),
    chains: Type.Array(ChainRow, { description: "Every chain and token; empty for USDC/USDC.", maxItems: 20 }),
    spread_bps: nullable(
      Type.Number({ minimum: 0, decimals: 2 }),
      "(dearest / cheapest - 1) x 10,000 within one token, the one with the widest, basis points.",
    ),
    spread_wrapper: nullable(Type.String(), "The token the spread is of."),
    cheapest_chain: nullable(chain("Chain."), "Where that token is cheapest."),
    dearest_chain: nullable(chain("Chain."), "Where it is dearest."),
    route: nullable(
      Route,
      "Moving 10,000 USDC from the dearest to the cheapest chain (USDC/USDC: Ethereum to Base); withheld in previews.",
    ),
    swap_cost_bps: nullable(
      Type.Number({ decimals: 2 }),
      "What buying 10,000 USDC of it on the cheapest chain and selling it on the dearest loses against both middle " +
        "prices: pool fees and price impact, basis points; null where one end is not quoted.",
    ),
    net_bps: nullable(
      Type.Number({ decimals: 2 }),
      "spread_bps less the route's cost_bps and swap_cost_bps, basis points; null without one of them.",
    ),
    break_even: nullable(
      Type.Boolean(),
      "Whether anything is left of the spread; false as soon as the known costs take it, null while the others decide.",
    ),
    cctp: Type.Array(Fees, { description: "Circle's fees between these chains, both ways.", maxItems: 40 }),
  },
  closed,
);

export type CrossChainData = Static<typeof CrossChainSchema>;
export type TransferRoute = Static<typeof Route>;
export type CrossChainBase = (typeof BASES)[number];
