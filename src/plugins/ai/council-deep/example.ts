import { readFactRows } from "intel-node";
import type { CouncilDeepData } from "./schema.ts";
import { DEEP_SEAT_IDS, DEEP_SEATS } from "./seats.ts";

const said = (text: string) => ({ text, facts: ["F1"], sources: [] });
const trend: CouncilDeepData["seats"][number]["model"] = {
  ...{ kind: "model_opinion", vote: "bearish", confidence: 60, provider_id: "local", model: "qwen3-8b" },
  reasons: [said("BTC closed at $40,762.56.")],
  against: said("BTC closed at $40,762.56."),
  change_mind: said("A close above $40,762.56 would change it."),
};

const round = {
  ...{ score: -60, shares_pct: { bullish: 0, neutral: 0, bearish: 100 }, dispersion: 0, quorum_met: true },
  seats: [{ seat: "trend", vote: "bearish", confidence: 60 }],
} as const;

const data: CouncilDeepData = {
  ...{ symbol: "BTC", verdict: "bearish", score: -60, basis: "model", decided_in: 2 },
  rounds: ([1, 2] as const).map((one) => ({ ...round, round: one, seats: [...round.seats] })),
  ...{ changed_votes: [], convergence: 0 },
  seats: DEEP_SEAT_IDS.map((seat) => ({
    ...{ seat, weight: DEEP_SEATS[seat], rule: { vote: "bearish", confidence: 40 } },
    model: seat === "trend" ? trend : null,
  })),
  rule_verdict: { verdict: "neutral", score: -16.36 },
  diversity: 1,
  blocks: [
    {
      id: "summary",
      text: "On BTC the council is bearish, with a score of -60.",
      facts: ["F2"],
      sources: [],
      written_by: "model",
    },
  ],
  facts: readFactRows({ from: "/council", as_of: "2026-10-01T00:00:00Z" }, [
    ["close", "BTC close", 40762.556, "usd", { about: "BTC" }],
    ["score", "score of the council", -60, "number", { from: "/council-deep" }],
  ]),
  citations: [],
  written_by: "model",
  writer: {
    ...{ provider_id: "local", model: "qwen3-8b", attempts: 1, regenerated: false, violations_first_attempt: 0 },
    prompt_version: "3f0c9a51be77",
  },
  pack_hash: "0af3eb8d2832244738498399e1d7f08602e7de61fea6cf608407580d10f50511",
  disclaimer: "Information computed from the sources named; no investment advice.",
};

/** In the form of a real answer; lists are cut short. */
export const example = { params: { symbol: "BTC" as const }, as_of: "2026-10-01T00:00:00Z", data };
