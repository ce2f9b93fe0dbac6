import { readFactRows } from "intel-node";
import type { CouncilData } from "./schema.ts";

const data: CouncilData = {
  symbol: "BTC",
  verdict: "neutral",
  score: -16.36,
  basis: "rules",
  shares_pct: { bullish: 18.18, neutral: 36.36, bearish: 45.45 },
  dispersion: 31.41,
  quorum_met: true,
  seats: [
    {
      id: "trend",
      weight: 1.5,
      rule: { vote: "bearish", confidence: 40 },
      inputs: [
        { name: "close", value: 40762.556 },
        { name: "sma50", value: 50983.481 },
        { name: "sma200", value: 44210.02 },
        { name: "return_30d_pct", value: -21.448935 },
      ],
    },
    {
      id: "sentiment",
      weight: 1,
      rule: { vote: "bullish", confidence: 30 },
      inputs: [{ name: "fear_greed", value: 76 }],
    },
    {
      id: "derivatives",
      weight: 1,
      rule: { vote: "neutral", confidence: 30 },
      inputs: [{ name: "funding_8h_pct", value: 0.018383562 }],
    },
    { id: "macro", weight: 1, rule: { vote: "bearish", confidence: 60 }, inputs: [] },
    {
      id: "risk",
      weight: 1,
      rule: { vote: "neutral", confidence: 30 },
      inputs: [{ name: "volatility_percentile", value: 49.726027 }],
    },
  ],
  rule_verdict: { verdict: "neutral", score: -16.36 },
  known_share: 1,
  blocks: [
    {
      id: "summary",
      text: [
        "On BTC the council is neutral, with a score of -16.36 and a dispersion of 31.41. By",
        "weight, 18.18% vote bullish, 36.36% neutral and 45.45% bearish.",
      ].join(" "),
      facts: ["F1", "F2", "F3", "F4", "F5"],
      sources: [],
      written_by: "template",
    },
  ],
  facts: readFactRows({ from: "/council", as_of: "2026-10-01" }, [
    ["score", "score of the council", -16.36363636, "number", { as_of: "2026-10-01T00:00:00Z" }],
    ["dispersion", "dispersion of the seats", 31.41300462, "number", { as_of: "2026-10-01T00:00:00Z" }],
    ["bullish_share", "bullish share of the weight", 18.18181818, "pct", { as_of: "2026-10-01T00:00:00Z" }],
    ["neutral_share", "neutral share of the weight", 36.36363636, "pct", { as_of: "2026-10-01T00:00:00Z" }],
    ["bearish_share", "bearish share of the weight", 45.45454545, "pct", { as_of: "2026-10-01T00:00:00Z" }],
  ]),
  citations: [],
  written_by: "template",
  writer: {
    provider_id: null,
    model: null,
    attempts: 0,
    regenerated: false,
    violations_first_attempt: 0,
    prompt_version: null,
  },
  pack_hash: "0af3eb8d2832244738498399e1d7f08602e7de61fea6cf608407580d10f50511",
  disclaimer: "Information computed from the sources named; no investment advice.",
};

/** From the sandbox; lists are cut short. */
export const example = { params: { symbol: "BTC" as const }, as_of: "2026-10-01T00:00:00Z", data };
