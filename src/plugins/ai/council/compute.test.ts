import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { NodeError } from "../../../core/errors.ts";
import { type SeatInputs, voteByRules } from "../seats/seats.ts";
import { computeCouncil as draft, readSeats } from "./compute.ts";
import { type CouncilInputs, fetchCouncil } from "./fetch.ts";
import { product } from "./product.ts";
import { planCouncil } from "./prose.ts";

const computeCouncil = asSold(product.data, draft);

let node: SimulatedNode;
let inputs: CouncilInputs;
beforeAll(async () => {
  node = createSimulatedNode({ now_ms: Date.UTC(2026, 9, 1, 12, 24, 56) });
  inputs = await fetchCouncil(node.createContext(), "BTC");
});
afterAll(() => node.close());

const FAILED = { ok: false, error: new NodeError("upstream_unavailable", "gone") } as const;
const READ: SeatInputs = {
  close: 100,
  sma50: 90,
  sma200: 80,
  return_30d_pct: 5,
  fear_greed: 50,
  funding_8h_pct: 0.01,
  regime: "bull",
  volatility_percentile: 50,
};
const votes = (change: Partial<SeatInputs>) => voteByRules({ ...READ, ...change });

describe("the seats vote by their rules", () => {
  test("trend counts its three signs", () => {
    expect(votes({}).trend).toEqual({ vote: "bullish", confidence: 80 });
    expect(votes({ return_30d_pct: -1 }).trend).toEqual({ vote: "bullish", confidence: 40 });
    expect(votes({ return_30d_pct: -1, sma200: 95 }).trend).toEqual({ vote: "bearish", confidence: 40 });
    expect(votes({ return_30d_pct: -1, sma50: 101, sma200: 110 }).trend).toEqual({ vote: "bearish", confidence: 80 });
    expect(votes({ sma200: null }).trend).toBeNull();
  });

  test("sentiment, derivatives, macro and risk turn at their bounds", () => {
    const spoken = (change: Partial<SeatInputs>, seat: keyof ReturnType<typeof votes>) => votes(change)[seat]?.vote;
    expect([20, 21, 39, 40, 60, 61, 79, 80].map((fear_greed) => spoken({ fear_greed }, "sentiment"))).toEqual([
      ...(["bullish", "bearish", "bearish", "neutral", "neutral", "bullish", "bullish", "bearish"] as const),
    ]);
    expect([0.051, 0.05, -0.01, -0.011].map((funding_8h_pct) => spoken({ funding_8h_pct }, "derivatives"))).toEqual([
      ...(["bearish", "neutral", "neutral", "bullish"] as const),
    ]);
    expect((["bull", "bear", "chop"] as const).map((regime) => spoken({ regime }, "macro"))).toEqual([
      ...(["bullish", "bearish", "neutral"] as const),
    ]);
    expect([80, 80.1].map((volatility_percentile) => spoken({ volatility_percentile }, "risk"))).toEqual([
      ...(["neutral", "bearish"] as const),
    ]);
  });
});

describe("GET /council", () => {
  test("matches its schema, and says in words what the seats read", () => {
    const { data } = computeCouncil(inputs);
    expect([...Value.Errors(product.data, data)]).toEqual([]);
    expect(data.blocks.map(({ id }) => id)).toEqual(["summary", "seats", "dissent", "what_would_change"]);
  });

  test("the text keeps to its facts, and follows each of them", () => {
    const read = { ...READ, close: 64_000, sma50: 60_000, sma200: 55_000, funding_8h_pct: -0.02 };
    const spoken = voteByRules(read);
    const { shares_pct, dispersion, score, verdict } = computeCouncil(inputs).data;
    const story = { symbol: "BTC", read, votes: spoken, as_of: "2026-10-01" };
    const plan = planCouncil({ ...story, verdict: { shares_pct, dispersion, score, verdict } });
    expect(expectGrounded(plan)).toBeGreaterThan(12);
  });

  test("a seat that knows nothing abstains, and never counts", () => {
    const { data, warnings } = computeCouncil({ ...inputs, fear_greed: FAILED, regime: FAILED, funding: FAILED });
    expect(data.seats.filter(({ rule }) => rule === null).map(({ id }) => id)).toEqual([
      ...(["sentiment", "derivatives", "macro"] as const),
    ]);
    expect(data.quorum_met).toBe(false);
    expect(warnings).toContain(
      "seats[sentiment].rule, seats[derivatives].rule, seats[macro].rule: what it reads is unknown",
    );
  });

  test("what the seats read is of closed bars", () => {
    const closes = inputs.series.bars.map(({ close }) => close);
    const read = readSeats(inputs);
    expect(read.close).toBe(closes.at(-1) ?? 0);
    expect(read.return_30d_pct).toBeCloseTo(100 * ((closes.at(-1) ?? 0) / (closes.at(-31) ?? 1) - 1), 9);
  });
});
