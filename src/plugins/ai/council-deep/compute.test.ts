import { describe, expect, test } from "bun:test";
import { createPack } from "intel-node";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import { planChair } from "./chair.ts";
import { against, DEEP_SEAT_IDS, type DeepInputs, findMajority, voteDeepByRules } from "./seats.ts";

const READ: DeepInputs = {
  ...{ close: 100, sma50: 90, sma200: 80, return_30d_pct: 5, fear_greed: 85, funding_8h_pct: 0.01 },
  ...{ regime: "bull", volatility_percentile: 90, fee_urgency: 3 },
};
describe("the rules of the two more seats", () => {
  test("make the published round of seven", () => {
    const votes = voteDeepByRules(READ);
    expect(DEEP_SEAT_IDS.map((id) => `${votes[id]?.vote} ${votes[id]?.confidence}`)).toEqual([
      ...["bullish 80", "bearish 55", "neutral 30", "bullish 60", "bearish 40", "bullish 45", "bearish 50"],
    ]);
    expect(voteDeepByRules({ ...READ, fee_urgency: null }).onchain).toBeNull();
    expect(voteDeepByRules({ ...READ, fee_urgency: 1.9 }).onchain).toEqual({ vote: "neutral", confidence: 30 });
    expect(findMajority({})).toBeNull();
    expect(against("bearish")).toEqual(["bullish", "neutral"]);
  });
});

test("the chair's templates keep to their facts, and follow each of them", () => {
  const builder = createPack({ windows: ["50d", "200d", "8h"], subjects: { BTC: [] } });
  const own = { from: "/council-deep", as_of: "2026-10-01" };
  const figures = { close: 64_000, sma50: 60_000, sma200: 55_000, score: 12.5, dispersion: 31.2, fear_greed: 40 };
  for (const [name, value] of Object.entries(figures))
    builder.add({ ...own, name, label: name, unit: "number", value });
  builder.add({ ...own, name: "funding", label: "funding of 8 hours", unit: "pct", kind: "change", value: -0.02 });
  for (const [index, vote] of ["bullish", "neutral", "bearish"].entries()) {
    builder.add({ ...own, name: `${vote}_share`, label: `${vote} share`, unit: "pct", value: 20.5 + 11 * index });
  }
  for (const [index, id] of DEEP_SEAT_IDS.entries()) {
    builder.add({
      ...own,
      name: `${id}_confidence`,
      label: `confidence of ${id}`,
      unit: "index",
      value: 41 + 3 * index,
    });
  }
  const votes = voteDeepByRules(READ) as Parameters<typeof planChair>[0]["votes"];
  const spoken = Object.fromEntries(
    DEEP_SEAT_IDS.map((id) => [id, votes[id] && { ...votes[id], reasons: [] }]),
  ) as unknown as typeof votes;
  const plan = planChair({ symbol: "BTC", pack: builder.build(), votes: spoken, verdict: "neutral" });
  expect(expectGrounded(plan)).toBeGreaterThan(10);
});
