import type { ConsensusData, SourceDetailData } from "./schema.ts";

const detail = (
  source: string,
  kind: SourceDetailData["kind"],
  rest: Pick<SourceDetailData, "age_s" | "weight" | "deviation_bps"> & { price: number; reason?: "outlier" },
): SourceDetailData => ({
  source,
  kind,
  price: rest.price,
  raw_price: rest.price,
  age_s: rest.age_s,
  weight: rest.weight,
  deviation_bps: rest.deviation_bps,
  used: rest.reason === undefined,
  reason: rest.reason ?? null,
});

const data: ConsensusData = {
  symbol: "BTC",
  consensus_usd: 64_002,
  range_bps: 10.94,
  score: 89.1,
  verdict: "agree",
  n_fresh: 7,
  n_kept: 6,
  n_oracles: 3,
  sources_detail: [
    detail("pyth", "oracle", { price: 64_000, age_s: 10, weight: 1.5, deviation_bps: -0.31 }),
    detail("redstone", "oracle", { price: 64_010, age_s: 20, weight: 1.5, deviation_bps: 1.25 }),
    detail("chainlink", "oracle", { price: 63_950, age_s: 600, weight: 1.5, deviation_bps: -8.12 }),
    detail("kraken", "usd", { price: 64_005, age_s: 2, weight: 1, deviation_bps: 0.47 }),
    detail("bitstamp", "usd", { price: 64_002, age_s: 1, weight: 1, deviation_bps: 0 }),
    detail("gemini", "usd", { price: 64_020, age_s: null, weight: 1, deviation_bps: 2.81 }),
    detail("cryptocom", "usd", { price: 66_500, age_s: 1, weight: 1, deviation_bps: 390.3, reason: "outlier" }),
  ],
  usdt_usd: 0.9998,
};

/** The published example; compute.test.ts shows that the rules give exactly this. */
export const vector = { params: { symbol: "BTC" }, as_of: "2026-09-21T14:13:19Z", data };
