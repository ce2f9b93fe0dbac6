import { describe, expect, test } from "bun:test";
import type { SeatVote } from "./seats.ts";
import { hasQuorum, reachVerdict } from "./verdict.ts";

const of = (vote: SeatVote, confidence: number, weight = 1) => ({ vote, confidence, weight });

const FIVE = [
  ...[of("bullish", 80, 1.5), of("bearish", 55), of("neutral", 30), of("bullish", 60), of("bearish", 40)],
] as const;

describe("a council", () => {
  test("of five seats gives the published score, shares and dispersion", () => {
    const made = reachVerdict(FIVE);
    expect(made?.verdict).toBe("neutral");
    expect(made?.score).toBeCloseTo(15.45, 2);
    expect(made?.dispersion).toBeCloseTo(54.79, 2);
    expect(Object.values(made?.shares_pct ?? {}).map((share) => share.toFixed(2))).toEqual(["45.45", "18.18", "36.36"]);
  });

  test("has its quorum at 63.64 % of the weight and not at 54.55 %", () => {
    const [trend, sentiment, derivatives, macro] = FIVE;
    const met = [trend, derivatives, macro];
    expect(hasQuorum(met, 5.5)).toBe(true);
    expect(reachVerdict(met)).toMatchObject({ verdict: "bullish" });
    expect(reachVerdict(met)?.score).toBeCloseTo(51.43, 2);
    expect(hasQuorum([sentiment, derivatives, macro], 5.5)).toBe(false);
  });

  test("of seven seats in two rounds converges as published", () => {
    const [trend, , , macro, risk] = FIVE;
    const onchain = of("bullish", 45, 0.75);
    const first = reachVerdict([...FIVE, onchain, of("bearish", 50, 0.5)]);
    expect(first?.score).toBeCloseTo(13.89, 2);
    expect(first?.dispersion).toBeCloseTo(53.46, 2);
    const changed = [of("neutral", 30), of("bullish", 35), of("bearish", 35, 0.5)];
    const second = reachVerdict([trend, macro, risk, onchain, ...changed]);
    expect(second).toMatchObject({ verdict: "bullish" });
    expect(second?.score).toBeCloseTo(28.33, 2);
    expect(second?.dispersion).toBeCloseTo(43.44, 2);
    expect((first?.dispersion ?? 0) - (second?.dispersion ?? 0)).toBeCloseTo(10.02, 2);
  });

  test("without opinions has no verdict", () => {
    expect(reachVerdict([])).toBeNull();
  });
});
