import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { computeRotations, type Group, getQuadrant, getWeightedReturns, getZScores } from "./rotation.ts";

const member = (symbol: string, weight: number, r7: number, r30: number, r90 = 0) => ({
  symbol,
  weight,
  returns: { 7: r7, 30: r30, 90: r90 },
});
const GROUPS: readonly Group[] = [
  { id: "x", members: [member("x1", 100, 0.1, 0.2), member("x2", 50, 0.04, -0.1)] },
  { id: "y", members: [member("y1", 80, -0.05, -0.15)] },
  { id: "z", members: [member("z1", 20, 0.12, -0.02)] },
];

describe("relative strength and momentum", () => {
  test("the published figures, to the digit", () => {
    const { market, groups } = computeRotations(GROUPS);
    expect([market[7].toFixed(4), market[30].toFixed(4)]).toEqual(["0.0416", "0.0104"]);
    expect([groups[0]?.returns[7].toFixed(2), groups[0]?.returns[30].toFixed(2)]).toEqual(["0.08", "0.10"]);
    expect(
      groups.map(({ id, rs30, momentum, quadrant }) => [id, rs30.toFixed(6), momentum.toFixed(6), quadrant]),
    ).toEqual([
      ["x", "0.084964", "0.016378", "leading"],
      ["y", "-0.172865", "-0.051716", "lagging"],
      ["z", "-0.030549", "0.079699", "improving"],
    ]);
  });

  test("a second computation from values of baskets agrees", () => {
    const groups = fc.array(
      fc.array(
        fc.record({
          weight: fc.double({ min: 0.1, max: 1e6, noNaN: true }),
          r7: fc.double({ min: -0.5, max: 1, noNaN: true }),
          r30: fc.double({ min: -0.8, max: 3, noNaN: true }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(groups, (lists) => {
        const { groups: found } = computeRotations(
          lists.map((list, index) => ({
            id: String(index),
            members: list.map(({ weight, r7, r30 }) => member("m", weight, r7, r30)),
          })),
        );
        // Money put in by weight, and what it became; strength is how many times more it became than the market's.
        const grow = (list: typeof lists, pick: "r7" | "r30") => {
          const paid = list.flat().reduce((sum, { weight }) => sum + weight, 0);
          return list.flat().reduce((sum, one) => sum + one.weight * (1 + one[pick]), 0) / paid;
        };
        for (const [index, list] of lists.entries()) {
          const rs = (pick: "r7" | "r30") => Math.log(grow([list], pick)) - Math.log(grow(lists, pick));
          expect(found[index]?.rs30).toBeCloseTo(rs("r30"), 9);
          expect(found[index]?.momentum).toBeCloseTo(rs("r7") - (7 * rs("r30")) / 30, 9);
        }
      }),
    );
  });

  test("weights in another unit and the order of groups and members make no difference", () => {
    const scaled = GROUPS.map(({ id, members }) => ({
      id,
      members: members.map((one) => ({ ...one, weight: one.weight * 1e9 })).reverse(),
    })).reverse();
    const again = [...computeRotations(scaled).groups].reverse();
    for (const [index, rotation] of computeRotations(GROUPS).groups.entries()) {
      expect(again[index]?.id).toBe(rotation.id);
      expect(again[index]?.rs30).toBeCloseTo(rotation.rs30, 12);
      expect(again[index]?.quadrant).toBe(rotation.quadrant);
    }
  });

  test("a group that is the whole market has no strength", () => {
    const [first] = GROUPS;
    const only = computeRotations(first ? [first] : []).groups[0];
    expect([only?.rs30, only?.momentum, only?.quadrant]).toEqual([0, 0, "lagging"]);
  });

  test("standing exactly with the market is not above it", () => {
    expect(getQuadrant(0, 0)).toBe("lagging");
    expect(getQuadrant(0, 1e-9)).toBe("improving");
    expect(getQuadrant(1e-9, 0)).toBe("weakening");
    expect(getQuadrant(1e-9, 1e-9)).toBe("leading");
  });
});

test("equal weights give the mean", () => {
  expect(getWeightedReturns([member("a", 1, 0.1, 0.2, 0.3), member("b", 1, 0.3, 0.4, 0.5)])).toEqual({
    7: 0.2,
    30: expect.closeTo(0.3, 12),
    90: 0.4,
  });
});

describe("z scores", () => {
  test("are in sample deviations from the mean", () => {
    const scores = getZScores([1, 2, 3, 4]);
    expect(scores[3]).toBeCloseTo(1.5 / Math.sqrt(5 / 3), 12);
    expect(scores.reduce<number>((sum, one) => sum + (one ?? Number.NaN), 0)).toBeCloseTo(0, 12);
  });

  test("are null for one value and for equal ones", () => {
    expect(getZScores([1])).toEqual([null]);
    expect(getZScores([0.1, 0.1, 0.1])).toEqual([null, null, null]);
  });
});
