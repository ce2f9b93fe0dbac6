import { describe, expect, test } from "bun:test";
import { findSimilarDays, getRobustZ, pickTopic } from "./metrics.ts";

const Z = { btc_vol: 3.1, funding: -3.6, usdbrl_5d: 2.2, gpr: 1.1, breadth: -2.9 };
const candidates = Object.entries(Z).map(([id, z]) => ({ id, z }));

describe("the topic", () => {
  test("is the furthest, with the next two as runners-up", () => {
    const { topic, runners_up } = pickTopic(candidates, []);
    expect([topic?.id, ...runners_up.map(({ id }) => id)]).toEqual(["funding", "btc_vol", "breadth"]);
  });

  test("is not that of the last editions unless it has grown by half a deviation", () => {
    const after = (z: number) => pickTopic(candidates, [{ id: "funding", z }]).topic?.id;
    expect([after(-3.5), after(-3.1)]).toEqual(["btc_vol", "funding"]);
    expect(pickTopic([{ id: "gpr", z: 1.9 }], []).topic).toBeNull();
  });
});

test("a robust z is off the median in scaled median deviations", () => {
  // Median 3, deviations 2 1 0 1 97: their median is 1. statsmodels.robust.mad gives 1.4826.
  expect(getRobustZ([1, 2, 3, 4, 100])).toBeCloseTo(97 / 1.4826, 6);
  expect(getRobustZ([5, 5, 5])).toBeNull();
});

test("similar days lie on the same side, and those with too few are left out", () => {
  const history = Array.from({ length: 100 }, (_, day) => (day % 10 === 0 ? 9 : day % 2 === 0 ? 1 : -1));
  const closes = history.map((_, day) => (day % 10 < 5 ? 100 : 110));
  const found = findSimilarDays({ id: "x", label: "x", about: "BTC", history, closes }, getRobustZ(history, 9) ?? 0);
  // Ten such days; the last is fewer than twenty days before the end, and so does the one before it.
  expect(found.map(({ horizon_d, n }) => [horizon_d, n])).toEqual([
    ...[[1, 10] as const, [5, 10] as const, [20, 8] as const],
  ] as never);
  expect(found[1]).toMatchObject({ mean_pct: expect.closeTo(10, 9), hit_rate: 1 });
  expect(found[0]).toMatchObject({ mean_pct: 0, hit_rate: 0 });
});
