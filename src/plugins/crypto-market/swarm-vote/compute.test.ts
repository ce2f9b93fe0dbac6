import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { asSold } from "../../../../test/helpers/settled.ts";
import { series2 } from "../../../../test/helpers/test-series.ts";
import { NodeError } from "../../../core/errors.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { getVoterWeight } from "../votes/tally.ts";
import { VOTE_COINS } from "../votes/vote-records.ts";
import { computeSwarmVote as draft, rewindSwarmVote } from "./compute.ts";
import type { SwarmVoteInputs } from "./fetch.ts";
import { SwarmVoteSchema } from "./schema.ts";
import { vector } from "./vector.ts";

const computeSwarmVote = asSold(SwarmVoteSchema, draft);

const BARS = series2().map((bar, index) => ({ ...bar, t_ms: index * DAY_MS }));
const dayOf = (bars = BARS, fng: number | null = 10): SwarmVoteInputs["day"] => ({
  coins: VOTE_COINS.map((symbol) => ({ symbol, bars, funding_apr_pct: 50 })),
  fng,
  breadth_share: 0.7,
});
const inputsOf = (change: Partial<SwarmVoteInputs> = {}): SwarmVoteInputs => ({
  day: dayOf(),
  before: { day: dayOf(BARS.slice(0, -1), 12), signed: null },
  tracks: new Map([["BTC breadth", { scored_n: 100, wins: 60 }]]),
  chain: { length: 0, head: "0".repeat(64) },
  signed: null,
  peers: null,
  ...change,
});

describe("the answer", () => {
  test("weights follow each rule's own record on each coin", () => {
    const { data, as_of_ms } = computeSwarmVote(inputsOf());
    const weightOf = (row: number) => data.rows[row]?.voters.find(({ id }) => id === "breadth");
    expect(weightOf(0)).toMatchObject({ weight: 0.2429, scored_n: 100, wins: 60, vote: 1 });
    expect(weightOf(1)).toMatchObject({ weight: 0.1, scored_n: 0, wins: 0, vote: 1 });
    expect(as_of_ms).toBe(BARS.length * DAY_MS);
    expect([...Value.Errors(SwarmVoteSchema, data)]).toEqual([]);
  });

  test("a verdict that takes a side says how many of its rules beat a coin, and that it is not graded itself", () => {
    const told = (change: Partial<SwarmVoteInputs>) =>
      computeSwarmVote(inputsOf(change)).warnings.filter((text) => text.includes("not graded"));
    const sided = computeSwarmVote(inputsOf()).data.rows.filter(({ verdict }) => ["long", "short"].includes(verdict));
    expect(sided.length).toBeGreaterThan(0);
    expect(told({}).length).toBe(sided.length);
    const tracks = new Map(VOTE_COINS.map((symbol) => [`${symbol} breadth`, { scored_n: 100, wins: 75 }]));
    const proven = told({ tracks });
    expect(proven.every((text) => text.endsWith("of 10 rules 1 beat a coin so far"))).toBe(true);
    expect(told({ tracks: new Map() }).every((text) => text.endsWith("of 10 rules 0 beat a coin so far"))).toBe(true);
  });

  test("a coin without bars has voters that abstain; without any bars there is no answer", () => {
    const day = dayOf();
    const coins = day.coins.map((coin) => (coin.symbol === "SOL" ? { ...coin, bars: [] } : coin));
    const { data, warnings } = computeSwarmVote(inputsOf({ day: { ...day, coins } }));
    expect(data.rows[2]).toMatchObject({ symbol: "SOL", n_abstain: 7 });
    expect(warnings).toContain("rows[].voters[].value (7 of them): no data of SOL for the rule, which abstains");
    expect(() => computeSwarmVote(inputsOf({ day: dayOf([]) }))).toThrow(NodeError);
  });

  test("the preview's day is computed from what was known then", () => {
    const earlier = rewindSwarmVote(inputsOf());
    if (!earlier) throw new Error("there is a day before");
    const { data, as_of_ms } = computeSwarmVote(earlier);
    expect(as_of_ms).toBe((BARS.length - 1) * DAY_MS);
    expect(data.rows).toEqual(computeSwarmVote(inputsOf({ day: dayOf(BARS.slice(0, -1), 12) })).data.rows);
    expect(rewindSwarmVote(earlier)).toBeNull();
  });

  test("alone it says so; verified nodes are tallied, refused ones listed", () => {
    const alone = computeSwarmVote(inputsOf());
    expect(alone.data.peers).toMatchObject({ asked: 0, verified: 0, tally: [] });
    expect(alone.warnings.join()).toContain("votes alone");
    const rows = [
      { symbol: "BTC", verdict: "long" },
      { symbol: "ETH", verdict: "split" },
    ] as const;
    const bar_close_at = "2026-09-30T00:00:00Z";
    const counted = [{ url: "https://a.example", node_id: "in1a", bar_close_at, rows }];
    const refused = [{ url: "https://b.example", why: "not signed" }];
    const { data, warnings } = computeSwarmVote(inputsOf({ peers: { asked: 2, counted, refused } }));
    expect(data.peers.tally).toEqual([
      { symbol: "BTC", n_long: 1, n_short: 0, n_undecided: 0 },
      { symbol: "ETH", n_long: 0, n_short: 0, n_undecided: 1 },
      { symbol: "SOL", n_long: 0, n_short: 0, n_undecided: 0 },
    ]);
    expect(data.peers.refused).toEqual(refused);
    expect(warnings.join()).not.toContain("alone");
    expect(Value.Check(SwarmVoteSchema, data)).toBe(true);
  });
});

test("the published example follows from its own voters", () => {
  for (const { voters, result } of vector.data.rows) {
    const cast = voters.filter(({ vote }) => vote !== 0);
    const total = cast.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
    const mean = cast.reduce((sum, { vote, weight }) => sum + vote * (weight ?? 0), 0) / total;
    expect(mean).toBeCloseTo(result ?? 99, 3);
    for (const one of voters) expect(getVoterWeight(one)).toBeCloseTo(one.weight ?? 99, 4);
  }
});
