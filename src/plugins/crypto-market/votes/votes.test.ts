import { describe, expect, test } from "bun:test";
import * as reference from "technicalindicators";
import { fc } from "../../../../test/helpers/properties.ts";
import { series1, series2 } from "../../../../test/helpers/test-series.ts";
import { type Bar, DAY_MS } from "../../../upstream/providers/bars.ts";
import { scoreBallot } from "./score-votes.ts";
import { getVoterWeight, tallyVotes, type WeightedVote } from "./tally.ts";
import type { StoredVotes } from "./vote-records.ts";
import { castVotes, VOTERS, type VoterId, type VoterInputs } from "./voters.ts";

const toBars = (list: ReturnType<typeof series1>): Bar[] =>
  list.map((bar, index) => ({ ...bar, t_ms: index * DAY_MS }));
const NOTHING = { funding_apr_pct: null, fng: null, breadth_share: null };
const cast = (bars: readonly Bar[], change: Partial<VoterInputs> = {}) => {
  const voters = castVotes({ bars, ...NOTHING, ...change });
  return Object.fromEntries(voters.map(({ id, vote, value }) => [id, { vote, value }])) as Record<
    VoterId,
    { vote: number; value: number | null }
  >;
};
const ballot = (votes: readonly number[], weights: readonly number[]): WeightedVote[] =>
  votes.map((vote, index) => ({
    id: VOTERS[index] ?? "macd",
    vote: vote as 1 | -1 | 0,
    weight: weights[index] ?? 0,
  }));

describe("weights and tally", () => {
  test.each([
    [100, 60, 0.242857],
    [40, 12, 0.1],
    [0, 0, 0.1],
  ])("of %d scored, %d won: %d", (scored_n, wins, weight) => {
    expect(getVoterWeight({ scored_n, wins })).toBeCloseTo(weight, 6);
  });

  test("+1, -1, +1, 0 with .242857, .1, .1, .1: 0.548387, without a quorum", () => {
    const tally = tallyVotes(ballot([1, -1, 1, 0], [17 / 70, 0.1, 0.1, 0.1]));
    expect(tally.result).toBeCloseTo(0.548387, 6);
    expect(tally).toMatchObject({ verdict: "no_quorum", n_long: 2, n_short: 1, n_abstain: 1 });
    expect(tally.agreement_frac).toBe(2 / 4);
  });

  test("an abstention agrees with no one: five of ten are half, however they vote", () => {
    const halfOf = (vote: number) =>
      tallyVotes(ballot([...Array(5).fill(vote), ...Array(5).fill(0)], Array(10).fill(0.1)));
    expect([halfOf(1).agreement_frac, halfOf(-1).agreement_frac, halfOf(0).agreement_frac]).toEqual([0.5, 0.5, null]);
  });

  test("four votes are a quorum; 0.3 leans", () => {
    expect(tallyVotes(ballot([1, 1, 1, 1, -1, -1], Array(6).fill(0.1))).verdict).toBe("long");
    expect(tallyVotes(ballot([1, 1, -1, -1], Array(4).fill(0.1))).verdict).toBe("split");
    expect(tallyVotes(ballot([-1, -1, -1, -1], Array(4).fill(0.1))).verdict).toBe("short");
    expect(tallyVotes(ballot([0, 0, 0, 0], Array(4).fill(0.1)))).toMatchObject({ result: null, verdict: "no_quorum" });
  });

  test("turning every vote turns the result; scaling every weight changes nothing; order neither", () => {
    const vote = fc.constantFrom(1, -1, 0);
    const weight = fc.integer({ min: 1, max: 100 }).map((whole) => whole / 100);
    fc.assert(
      fc.property(fc.array(fc.tuple(vote, weight), { minLength: 1, maxLength: 10 }), (list) => {
        const [votes, weights] = [list.map(([one]) => one), list.map(([, one]) => one)];
        const { result } = tallyVotes(ballot(votes, weights));
        const turned = tallyVotes(
          ballot(
            votes.map((one) => -one),
            weights,
          ),
        ).result;
        const scaled = tallyVotes(
          ballot(
            votes,
            weights.map((one) => one * 7),
          ),
        ).result;
        const mirrored = tallyVotes(ballot([...votes].reverse(), [...weights].reverse())).result;
        if (result === null) expect([turned, scaled, mirrored]).toEqual([null, null, null]);
        else {
          expect(turned).toBeCloseTo(-result, 9);
          expect(scaled).toBeCloseTo(result, 9);
          expect(mirrored).toBeCloseTo(result, 9);
          expect(Math.abs(result)).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });
});

describe("the rules", () => {
  test.each([
    ["series 1", toBars(series1())],
    ["series 2", toBars(series2())],
  ] as const)("on %s see what another library sees, on every one of the last 100 days", (_, bars) => {
    for (let end = bars.length - 100; end <= bars.length; end += 1) {
      const known = bars.slice(0, end);
      const values = known.map(({ close }) => close);
      const close = values.at(-1) ?? 0;
      const voters = cast(known);
      const average = reference.SMA.calculate({ period: 200, values }).at(-1) ?? 0;
      expect(voters.trend_200.vote).toBe(close > 1.02 * average ? 1 : close < 0.98 * average ? -1 : 0);
      const rsi = reference.RSI.calculate({ period: 14, values }).at(-1) ?? 50;
      expect(voters.rsi_reversion.value ?? -1).toBeCloseTo(rsi, 1);
      const band = reference.BollingerBands.calculate({ period: 20, stdDev: 2, values }).at(-1);
      expect(voters.boll_reversion.vote).toBe(close < (band?.lower ?? 0) ? 1 : close > (band?.upper ?? 0) ? -1 : 0);
      const options = {
        fastPeriod: 12,
        slowPeriod: 26,
        signalPeriod: 9,
        SimpleMAOscillator: false,
        SimpleMASignal: false,
      };
      const macd = reference.MACD.calculate({ ...options, values }).at(-1);
      const [line, histogram] = [macd?.MACD ?? 0, macd?.histogram ?? 0];
      expect(voters.macd.vote).toBe(line > 0 && histogram > 0 ? 1 : line < 0 && histogram < 0 ? -1 : 0);
      for (const [id, days] of [
        ["mom_90", 90],
        ["mom_20", 20],
      ] as const) {
        const logs = values
          .slice(-days - 1)
          .flatMap((one, at, all) => (at === 0 ? [] : [Math.log(one / (all[at - 1] ?? 1))]));
        const sigma = reference.SD.calculate({ period: days, values: logs }).at(-1) ?? 0;
        const z =
          Math.log(close / (values.at(-1 - days) ?? 1)) / (sigma * Math.sqrt(days / (days - 1)) * Math.sqrt(days));
        expect(voters[id].value ?? 99).toBeCloseTo(z, 6);
        expect(voters[id].vote).toBe(z > 0.5 ? 1 : z < -0.5 ? -1 : 0);
      }
      let breakout = 0;
      for (let age = 19; age >= 0; age -= 1) {
        const day = known.length - 1 - age;
        const before = known.slice(day - 20, day);
        const one = known[day]?.close ?? 0;
        if (before.every(({ high }) => one > high)) breakout = 1;
        if (before.every(({ low }) => one < low)) breakout = -1;
      }
      expect(voters.donchian_20.vote).toBe(breakout);
    }
  });

  test("bounds of funding, fear and breadth", () => {
    const votes = (id: VoterId, name: keyof typeof NOTHING, values: readonly number[]) =>
      values.map((value) => cast([], { [name]: value })[id].vote);
    expect(votes("funding_contrarian", "funding_apr_pct", [-10.1, -10, 40, 40.1])).toEqual([1, 0, 0, -1]);
    expect(votes("fng_contrarian", "fng", [20, 21, 79, 80])).toEqual([1, 0, 0, -1]);
    expect(votes("breadth", "breadth_share", [0.61, 0.6, 0.4, 0.39])).toEqual([1, 0, 0, -1]);
  });

  test("without data every voter abstains; prices in another unit change no vote", () => {
    expect(Object.values(cast([])).every(({ vote, value }) => vote === 0 && value === null)).toBe(true);
    const bars = toBars(series2());
    const scaled = bars.map((bar) => ({
      ...bar,
      open: bar.open * 8,
      high: bar.high * 8,
      low: bar.low * 8,
      close: bar.close * 8,
    }));
    const votesOf = (list: readonly Bar[]) => Object.values(cast(list)).map(({ vote }) => vote);
    expect(votesOf(scaled)).toEqual(votesOf(bars));
  });

  test("a price that never moves gives no vote", () => {
    const bar = { open: 5, high: 5, low: 5, close: 5, volume: 1 };
    const still = Array.from({ length: 300 }, (_, index) => ({ ...bar, t_ms: index * DAY_MS }));
    expect(Object.values(cast(still)).every(({ vote }) => vote === 0)).toBe(true);
  });
});

describe("the score of a day's votes", () => {
  const EMITTED_MS = 10 * DAY_MS + 360_000;
  const stored: StoredVotes = {
    record_hash: "a".repeat(64),
    outcome: null,
    record: {
      v: 1,
      seq: 1,
      prev_hash: "0".repeat(64),
      model_id: "swarm-v1",
      model_hash: "b".repeat(64),
      symbol: "BTC",
      bar_close_at: "1970-01-11T00:00:00Z",
      emitted_at: new Date(EMITTED_MS).toISOString(),
      ref_price: "100",
      horizon_d: 7,
      cost_bps: "20.0",
      verdict: "long",
      features_hash: "c".repeat(64),
      votes: { trend_200: 1, mom_90: -1, macd: 0 },
    },
  };
  const barsOf = (exit_open: number) =>
    Array.from({ length: 20 }, (_, index) => {
      const open = index === 18 ? exit_open : index === 11 ? 100 : 999;
      return { t_ms: index * DAY_MS, open, high: 1_000, low: 1, close: 500, volume: 1 };
    });
  const score = (exit_open: number) => scoreBallot(stored, { provider: "kraken", bars: barsOf(exit_open) });

  test("is from the next day's open to the open seven days later, after costs; abstentions have no result", () => {
    expect(score(103)).toMatchObject({
      entry_at: "1970-01-12T00:00:00Z",
      exit_at: "1970-01-19T00:00:00Z",
      price_source: "kraken:BTC:1d",
      gross_bps: "300.0",
      wins: ["trend_200"],
      losses: ["mom_90"],
    });
    expect(score(97)).toMatchObject({ gross_bps: "-300.0", wins: ["mom_90"], losses: ["trend_200"] });
    // A move that does not cover the costs is a loss, whichever side.
    expect(score(100.2)).toMatchObject({ gross_bps: "20.0", wins: [], losses: ["trend_200", "mom_90"] });
  });

  test("needs both opens", () => {
    expect(scoreBallot(stored, { provider: "kraken", bars: barsOf(103).slice(0, 18) })).toBeNull();
    expect(scoreBallot(stored, { provider: "kraken", bars: barsOf(103).slice(12) })).toBeNull();
  });
});
