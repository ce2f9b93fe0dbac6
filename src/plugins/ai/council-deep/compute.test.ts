import { describe, expect, test } from "bun:test";
import { createPack } from "intel-node";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { writeByTemplates } from "../../../grounding/write-blocks.ts";
import { planChair } from "./chair.ts";
import { computeCouncilDeep as draft } from "./compute.ts";
import type { ModelVote } from "./debate.ts";
import { CouncilDeepSchema } from "./schema.ts";
import { against, DEEP_SEAT_IDS, type DeepInputs, findMajority, type SeatVotes, voteDeepByRules } from "./seats.ts";

const computeCouncilDeep = asSold(CouncilDeepSchema, draft);

const READ: DeepInputs = {
  close: 100,
  sma50: 90,
  sma200: 80,
  return_30d_pct: 5,
  fear_greed: 85,
  funding_8h_pct: 0.01,
  regime: "bull",
  volatility_percentile: 90,
  fee_urgency: 3,
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

test("a changed vote is shown with the first reason for the new one, and the rounds' dispersions are compared", () => {
  const claim = (text: string) => ({ text, facts: [], sources: [] });
  const cast = (vote: ModelVote["vote"], confidence: number, ...reasons: readonly string[]): ModelVote => ({
    vote,
    confidence,
    reasons: reasons.map(claim),
    against: claim("no"),
    change_mind: claim("if"),
    provider_id: "p",
    model: "m",
  });
  const none = Object.fromEntries(DEEP_SEAT_IDS.map((id) => [id, null])) as SeatVotes<ModelVote>;
  const round = (votes: Partial<SeatVotes<ModelVote>>) => ({ votes: { ...none, ...votes }, errors: [] });
  const pack = createPack({ windows: [], subjects: {} }).build();
  const [sentiment, macro] = [cast("bullish", 50, "old first"), cast("bearish", 50, "kept")];
  const first = round({ sentiment, macro, risk: cast("bullish", 50, "a"), derivatives: cast("bearish", 50, "b") });
  const turned = cast("bearish", 30, "new first", "new second", "new third");
  const compute = (second: typeof first | null) =>
    computeCouncilDeep({
      symbol: "BTC",
      rules: voteDeepByRules(READ),
      as_of_ms: 0,
      first,
      second,
      writing: writeByTemplates({ pack, locale: "en", task: "", blocks: [] }),
    }).data;
  const data = compute(round({ sentiment: turned, macro }));
  // Two seats are silent in the second round: they changed nothing.
  expect(data.changed_votes).toEqual([{ seat: "sentiment", from: "bullish", to: "bearish", reason: "new first" }]);
  // All weigh 1: four votes of 50 and -50 lie 50 off their mean of 0, then -30 and -50 lie 10 off theirs.
  expect(data.rounds.map(({ dispersion, score }) => [dispersion, score])).toEqual([
    [50, 0],
    [10, -40],
  ]);
  expect(data).toMatchObject({ decided_in: 2, score: -40, verdict: "bearish", convergence: 40 });
  expect(compute(null)).toMatchObject({ changed_votes: [], decided_in: 1, score: 0, convergence: null });
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
