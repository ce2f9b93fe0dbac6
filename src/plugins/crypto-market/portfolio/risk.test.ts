import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import { computeRisk, getCornishFisher, type RiskInputs } from "./risk.ts";

const A = [0.01, -0.02, 0.015, 0.03, -0.012, 0.004, -0.025, 0.018, 0.007, -0.009];
const B = [0.012, -0.026, 0.02, 0.041, -0.02, 0.001, -0.03, 0.022, 0.012, -0.015];

const row = (inputs: RiskInputs, method: string, confidence: number) =>
  computeRisk(inputs).rows.find((one) => one.method === method && one.confidence === confidence);

describe("the published vector: 32,000 USD of A and 8,000 of B", () => {
  const inputs = { values_usd: [32_000, 8_000], returns: [A, B] };
  const risk = computeRisk(inputs);

  test("deviation, shape and shares", () => {
    expect(risk.sigma_usd / 40_000).toBeCloseTo(0.0176663778, 10);
    expect(risk.skewness).toBeCloseTo(-0.036297, 6);
    expect(risk.excess_kurtosis).toBeCloseTo(-1.121322, 6);
    expect(risk.shares).toEqual([expect.closeTo(0.75128, 6), expect.closeTo(0.24872, 6)]);
  });

  test.each([
    ["normal", 0.95, 1_162.34, 1_457.63],
    ["normal", 0.99, 1_643.93, 1_883.39],
    ["cornish_fisher", 0.95, 1_185.61, null],
    ["cornish_fisher", 0.99, 1_477.19, null],
    ["historical", 0.95, 953.6, 1_040],
  ])("%s at %p", (method, confidence, var_usd, es_usd) => {
    expect(row(inputs, method, confidence)?.var_usd).toBeCloseTo(var_usd, 2);
    const shortfall = row(inputs, method, confidence)?.es_usd;
    if (es_usd === null) expect(shortfall).toBeNull();
    else expect(shortfall).toBeCloseTo(es_usd, 2);
  });

  test("ten days by the root of time", () => {
    expect((row(inputs, "normal", 0.95)?.var_usd ?? 0) * Math.sqrt(10)).toBeCloseTo(3_675.66, 2);
  });
});

describe("against another computation", () => {
  const next = parkMiller(5);
  const returns = [0, 1, 2].map(() => Array.from({ length: 365 }, () => 0.06 * (next() - 0.5)));
  const values_usd = [5_000, -2_000, 900];

  test("the portfolio as one asset has the same deviation", () => {
    const results =
      returns[0]?.map((_, day) => values_usd.reduce((s, v, i) => s + v * (returns[i]?.[day] ?? 0), 0)) ?? [];
    let [sum, weight] = [0, 0];
    for (const [age, result] of [...results].reverse().entries()) {
      sum += 0.94 ** age * result ** 2;
      weight += 0.94 ** age;
    }
    expect(computeRisk({ values_usd, returns }).sigma_usd).toBeCloseTo(Math.sqrt(sum / weight), 8);
  });

  test("a share is the weighted slope of the asset's result over the portfolio's", () => {
    const flat = [
      [0.01, -0.01, 0.01, -0.01],
      [0.02, 0.01, -0.02, -0.01],
    ];
    const risk = computeRisk({ values_usd: [100, 200], returns: flat });
    expect((risk.shares ?? []).reduce((total, share) => total + share, 0)).toBeCloseTo(1, 12);
    const weights = [3, 2, 1, 0].map((age) => 0.94 ** age);
    const rows = risk.results_usd.map((result, day) => [result, 100 * (flat[0]?.[day] ?? 0)] as const);
    const top = rows.reduce((total, [x, y], day) => total + (weights[day] ?? 0) * x * y, 0);
    const bottom = rows.reduce((total, [x], day) => total + (weights[day] ?? 0) * x * x, 0);
    expect(risk.shares?.[0]).toBeCloseTo(top / bottom, 12);
  });
});

describe("laws", () => {
  const values = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 2, maxLength: 2 });

  test("twice the money is twice the risk; the opposite side has the same deviation", () => {
    fc.assert(
      fc.property(values, (values_usd) => {
        const one = computeRisk({ values_usd, returns: [A, B] });
        const two = computeRisk({ values_usd: values_usd.map((value) => 2 * value), returns: [A, B] });
        const short = computeRisk({ values_usd: values_usd.map((value) => -value), returns: [A, B] });
        expect(two.sigma_usd).toBeCloseTo(2 * one.sigma_usd, 6);
        expect(short.sigma_usd).toBeCloseTo(one.sigma_usd, 9);
        for (const [index, { var_usd }] of one.rows.entries()) {
          if (var_usd !== null) expect(two.rows[index]?.var_usd).toBeCloseTo(2 * var_usd, 5);
        }
      }),
    );
  });

  test("order of the assets does not matter; expected shortfall is not below value at risk", () => {
    fc.assert(
      fc.property(values, (values_usd) => {
        const one = computeRisk({ values_usd, returns: [A, B] });
        const turned = computeRisk({ values_usd: [...values_usd].reverse(), returns: [B, A] });
        expect(turned.sigma_usd).toBeCloseTo(one.sigma_usd, 8);
        for (const { var_usd, es_usd } of one.rows) {
          if (var_usd !== null && es_usd !== null) expect(es_usd).toBeGreaterThanOrEqual(var_usd - 1e-9);
        }
      }),
    );
  });
});

describe("corners", () => {
  test("nothing that moves has no shares, no shape and no risk", () => {
    const still = computeRisk({ values_usd: [100], returns: [[0, 0, 0]] });
    expect(still).toMatchObject({ sigma_usd: 0, shares: null, skewness: null, excess_kurtosis: null });
    expect(still.rows.map(({ var_usd }) => var_usd)).toEqual([0, null, 0, 0, null, 0]);
  });

  test("Cornish and Fisher are left alone outside their domain", () => {
    expect(getCornishFisher(-1.6448536269514722, 0, 0)).toBe(-1.6448536269514722);
    expect([getCornishFisher(-2, 1.6, 0), getCornishFisher(-2, -1.6, 0), getCornishFisher(-2, 0, 8.1)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test("values and returns that do not match are refused", () => {
    expect(() => computeRisk({ values_usd: [1], returns: [A, B] })).toThrow(RangeError);
    expect(() => computeRisk({ values_usd: [], returns: [] })).toThrow(RangeError);
    expect(() => computeRisk({ values_usd: [1], returns: [[0.1, Number.NaN]] })).toThrow(RangeError);
  });
});
