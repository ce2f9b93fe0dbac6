import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf, symbolParam } from "intel-node";
import { COIN_RULES } from "../oracle/symbol.ts";

/** Symbols with a feed of every oracle. */
export const SYMBOLS = ["SOL", "BTC", "ETH"] as const;
export type ConsensusSymbol = (typeof SYMBOLS)[number];

export const SYMBOL = symbolParam({
  description: "Asset priced in US dollars: SOL, BTC or ETH.",
  allowed: SYMBOLS,
  default: "SOL",
  ...COIN_RULES,
});

export const ConsensusParams = Type.Object(
  {
    symbol: Type.Optional(SYMBOL.schema),
  },
  closed,
);

const SourceDetail = Type.Object(
  {
    source: Type.String({ description: "Oracle or venue." }),
    kind: oneOf(["oracle", "usd", "usdt"], "oracle: on-chain oracle; usd, usdt: venue quoting in that currency."),
    price: nullable(
      Type.Number({ digits: 8 }),
      "Price in US dollars; null when the source gave none that can be used.",
    ),
    raw_price: nullable(Type.Number({ digits: 8 }), "Price in the source's own quote currency; withheld in previews."),
    age_s: nullable(
      Type.Integer({ minimum: 0 }),
      "Age when read, seconds; null when the source states no time, which makes it as new as the call.",
    ),
    weight: Type.Number({ description: "Weight in the consensus when used: 1.5, 1 or 0.7." }),
    deviation_bps: nullable(Type.Number({ decimals: 2 }), "price against consensus_usd, basis points."),
    used: Type.Boolean({ description: "Whether the consensus is made of it." }),
    reason: nullable(
      oneOf(["stale", "outlier", "error"], "stale, outlier or error."),
      "Why it is not used: stale, outlier, error (no usable answer)",
      "when it is used",
    ),
  },
  closed,
);

export const ConsensusSchema = Type.Object(
  {
    symbol: oneOf(SYMBOLS, "Asset priced."),
    consensus_usd: nullable(
      Type.Number({ exclusiveMinimum: 0, digits: 8 }),
      "Weighted median of the kept sources, US dollars; null when no two of them agree within 2 %.",
    ),
    range_bps: nullable(
      Type.Number({ minimum: 0, decimals: 2 }),
      "Highest minus lowest kept price, basis points of the consensus.",
    ),
    score: Type.Number({ description: "Quality of the consensus, 0-100.", minimum: 0, maximum: 100, decimals: 1 }),
    verdict: oneOf(
      ["agree", "loose", "diverge", "insufficient"],
      "agree: range up to 25 bps; loose: up to 100 bps; diverge: above; insufficient: fewer than 3 sources kept.",
    ),
    n_fresh: Type.Integer({ description: "Sources with a price new enough.", minimum: 0 }),
    n_kept: Type.Integer({ description: "Fresh sources that are not outliers.", minimum: 0 }),
    n_oracles: Type.Integer({ description: "On-chain oracles among the kept sources.", minimum: 0 }),
    sources_detail: Type.Array(SourceDetail, { description: "Every source asked." }),
    usdt_usd: nullable(Type.Number({ exclusiveMinimum: 0, digits: 8 }), "US dollars per USDT used for USDT venues."),
  },
  closed,
);

export type ConsensusData = Static<typeof ConsensusSchema>;
export type SourceDetailData = Static<typeof SourceDetail>;
