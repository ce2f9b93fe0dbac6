import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { fc } from "../../../../test/helpers/properties.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { NodeError } from "../../../core/errors.ts";
import type { SentimentReadings } from "../scores/readings.ts";
import { type ConsensusVote, computeSentimentConsensus as draft, weighVotes } from "./compute.ts";
import type { SentimentConsensusInputs } from "./fetch.ts";
import { SCOPES, SentimentConsensusSchema, SOURCES } from "./schema.ts";
import { vector } from "./vector.ts";

const computeSentimentConsensus = asSold(SentimentConsensusSchema, draft);

const NOW_MS = Date.UTC(2026, 9, 2, 16);
const votesOf = (...values: number[]): ConsensusVote[] =>
  values.map((value, index) => ({ source: SOURCES[index % SOURCES.length] ?? "hn", value, at_ms: NOW_MS }));

describe("votes", () => {
  test("0.40, 0.10, -0.30, 0.25, 0.60 are bullish: median 0.25, agreement 0.6", () => {
    expect(weighVotes(votesOf(0.4, 0.1, -0.3, 0.25, 0.6))).toEqual({
      consensus: 0.25,
      agreement: 0.6,
      verdict: "bullish",
      n_opinions: 5,
      n_sided: 5,
      dissenters: ["gdelt_tone"],
    });
  });

  test.each([
    [[0.5, 0.5], "insufficient"],
    [[], "insufficient"],
    [[0.5, -0.5, 0.2, -0.2], "mixed"],
    [[0.5, 0.15, 0.15], "bullish"],
    [[0.149, 0.149, 0.5], "neutral"],
    [[-0.15, -0.15, -0.5], "bearish"],
    [[0.05, -0.05, 0.09], "neutral"],
  ] as const)("%p: %s", (values, verdict) => {
    expect(weighVotes(votesOf(...values)).verdict).toBe(verdict);
  });

  test("on a tie nobody dissents, and without a side there is no agreement to speak of", () => {
    expect(weighVotes(votesOf(0.5, -0.5)).dissenters).toEqual([]);
    expect(weighVotes(votesOf(0.05, 0.05, 0.05))).toMatchObject({ agreement: null, consensus: 0.05 });
    expect(weighVotes(votesOf(0.05, 0.05, 0.5))).toMatchObject({ agreement: null, n_opinions: 3, n_sided: 1 });
    expect(weighVotes(votesOf(0.123_45, 0.2, -0.5))).toMatchObject({
      agreement: expect.closeTo(1 / 3, 9),
      consensus: 0.123_45,
    });
    expect(weighVotes([])).toMatchObject({ consensus: null, agreement: null });
  });

  test("the median is the one sorting gives, in any order; turning every vote turns the answer", () => {
    const value = fc.integer({ min: -1_000, max: 1_000 }).map((whole) => whole / 1_000);
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 7 }), (values) => {
        const sorted = [...values].sort((a, b) => a - b);
        const middle =
          ((sorted[Math.floor((values.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((values.length - 1) / 2)] ?? 0)) / 2;
        const row = weighVotes(votesOf(...values));
        expect(row.consensus ?? 9).toBeCloseTo(middle, 4);
        const turned = weighVotes(votesOf(...values.map((one) => -one)));
        expect(turned.agreement).toBe(row.agreement);
        expect(turned.dissenters).toEqual(row.dissenters);
        expect(weighVotes(votesOf(...[...values].reverse())).consensus).toBe(row.consensus);
      }),
    );
  });
});

const readingsOf = (scope: string, change: Partial<SentimentReadings> = {}): SentimentReadings => ({
  scope,
  headlines: [{ title: "Bitcoin rally", url: "https://news.example/", source: "Decrypt", at_ms: NOW_MS - 1 }],
  missing_feeds: [],
  withheld: 0,
  tone: { mean: -1, n: 90, newest_at_ms: NOW_MS - 2, fetched_at_ms: NOW_MS },
  positioning: { funding_apr_pct: 15, open_interest_usd: 1e9, interest_change_24h_frac: 0, fetched_at_ms: NOW_MS - 3 },
  stories: { ok: true, value: [] },
  ...change,
});
const inputsOf = (fng: number, change: Partial<SentimentReadings> = {}): SentimentConsensusInputs => ({
  publisher: {
    ok: true,
    value: {
      index_id: "alternative_me",
      next_update_at_ms: null,
      rows: [{ value: fng, classification: "Greed", at_ms: NOW_MS - 4 }],
    },
  },
  readings: SCOPES.map((scope) => readingsOf(scope, change)),
  breadth: { share: 0.8, coins: 20, at_ms: NOW_MS - 5 },
});
const compute = (inputs: SentimentConsensusInputs) => computeSentimentConsensus(inputs, { now_ms: NOW_MS });

describe("scopes", () => {
  test("each has the sources that speak of it", () => {
    const { data, as_of_ms, warnings } = compute(inputsOf(70));
    const shared = ["headlines", "gdelt_tone", "positioning", "funding_skew"];
    expect(data.rows.map(({ scope, votes }) => [scope, votes.map(({ source }) => source).join()])).toEqual([
      ["market", ["fear_greed", ...shared, "breadth"].join()],
      ["BTC", ["fear_greed", ...shared].join()],
      ["ETH", shared.join()],
      ["SOL", shared.join()],
    ]);
    expect(data.rows[0]?.votes.map(({ value }) => value)).toEqual([0.4, 0.4588, -0.2, 0.15, 0.25, 0.6]);
    expect(as_of_ms).toBe(NOW_MS - 1);
    expect(warnings).toHaveLength(4);
    expect(Value.Check(SentimentConsensusSchema, data)).toBe(true);
  });

  test("crowding needs both greed and leverage, or both fear and the opposite", () => {
    const positioned = (fng: number, funding_apr_pct: number) => {
      const positioning = { funding_apr_pct, open_interest_usd: 1, interest_change_24h_frac: 0, fetched_at_ms: NOW_MS };
      return compute(inputsOf(fng, { positioning })).data.crowding.flag;
    };
    expect([positioned(80, 40), positioned(79, 40), positioned(80, 39.9)]).toEqual(["crowded_long", "none", "none"]);
    expect([positioned(20, -10), positioned(21, -10), positioned(20, -9.9)]).toEqual(["crowded_short", "none", "none"]);
    expect(compute(inputsOf(90, { positioning: null })).data.crowding).toEqual({
      flag: null,
      fng: 90,
      funding_apr_pct: null,
    });
  });

  test("without three opinions anywhere there is no answer", () => {
    const silent = { headlines: null, tone: null, positioning: null };
    const whole = inputsOf(70, silent);
    // Fear and greed and breadth are two opinions of the market.
    expect(() => compute(whole)).toThrow(NodeError);
    const readings = SCOPES.map((scope) =>
      readingsOf(scope, scope === "market" ? { ...silent, tone: readingsOf("market").tone } : silent),
    );
    expect(compute({ ...whole, readings }).data.rows.map(({ verdict }) => verdict)).toEqual([
      "mixed",
      "insufficient",
      "insufficient",
      "insufficient",
    ]);
  });
});

test("the published example follows from its own votes", () => {
  for (const { scope, votes, ...row } of vector.data.rows) {
    const again = weighVotes(votes.map(({ source, value }) => ({ source, value, at_ms: 0 })));
    expect({ scope, ...again }).toEqual({ scope, ...row });
  }
  expect(Value.Check(SentimentConsensusSchema, vector.data)).toBe(true);
});
