import { describe, expect, test } from "bun:test";
import { fc } from "../../test/helpers/properties.ts";
import { series2, series3 } from "../../test/helpers/test-series.ts";
import { fitTwoStates } from "./hmm.ts";

const fit = (values: readonly number[]) => {
  const model = fitTwoStates(values);
  if (!model) throw new Error("no model");
  return model;
};

const logOfSum = (values: readonly number[]): number => {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
};
const read = (rows: readonly (readonly number[])[], row: number, column: number): number =>
  rows[row]?.[column] ?? Number.NaN;

/** Baum and Welch once more, as tables of logarithms for any number of states, without scaling. */
function fitInLogarithms(values: readonly number[]) {
  const states = [0, 1];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  let [means, variances, initial] = [
    [0, 0],
    [spread / 2, spread * 2],
    [0.5, 0.5],
  ];
  let moves = [
    [0.95, 0.05],
    [0.05, 0.95],
  ];
  const likelihoods: number[] = [];
  const density = (state: number, value: number): number => {
    const variance = variances[state] ?? Number.NaN;
    return -0.5 * (Math.log(2 * Math.PI * variance) + (value - (means[state] ?? Number.NaN)) ** 2 / variance);
  };
  const goForwards = () => {
    const rows: number[][] = [];
    for (const [t, value] of values.entries()) {
      rows.push(
        states.map((to) => {
          const before = states.map((from) => read(rows, t - 1, from) + Math.log(read(moves, from, to)));
          return density(to, value) + (t === 0 ? Math.log(initial[to] ?? 0) : logOfSum(before));
        }),
      );
    }
    return rows;
  };
  for (let round = 0; round < 100; round += 1) {
    const alphas = goForwards();
    const betas: number[][] = values.map(() => [0, 0]);
    for (let t = values.length - 2; t >= 0; t -= 1) {
      betas[t] = states.map((from) =>
        logOfSum(
          states.map(
            (to) => Math.log(read(moves, from, to)) + density(to, values[t + 1] ?? Number.NaN) + read(betas, t + 1, to),
          ),
        ),
      );
    }
    const total = logOfSum(alphas.at(-1) ?? []);
    likelihoods.push(total);
    const shares = alphas.map((_, t) =>
      states.map((state) => Math.exp(read(alphas, t, state) + read(betas, t, state) - total)),
    );
    const next_moves = states.map((from) =>
      states.map((to) => {
        const steps = values
          .slice(1)
          .map((value, t) =>
            Math.exp(
              read(alphas, t, from) +
                Math.log(read(moves, from, to)) +
                density(to, value) +
                read(betas, t + 1, to) -
                total,
            ),
          );
        const visits = shares.slice(0, -1).reduce((sum, share) => sum + (share[from] ?? 0), 0);
        return steps.reduce((sum, step) => sum + step, 0) / visits;
      }),
    );
    const weights = states.map((state) => shares.reduce((sum, share) => sum + (share[state] ?? 0), 0));
    const meanOf = (state: number, of: (value: number) => number) =>
      values.reduce((sum, value, t) => sum + read(shares, t, state) * of(value), 0) / (weights[state] ?? 0);
    const next_means = states.map((state) => meanOf(state, (value) => value));
    const next_variances = states.map((state) => meanOf(state, (value) => (value - (next_means[state] ?? 0)) ** 2));
    [means, variances, initial, moves] = [next_means, next_variances, shares[0] ?? [], next_moves];
    if (total - (likelihoods.at(-2) ?? Number.NEGATIVE_INFINITY) < 1e-6) break;
  }
  const last = goForwards().at(-1) ?? [];
  const wilder = (variances[1] ?? 0) >= (variances[0] ?? 0) ? 1 : 0;
  return {
    sigmas: [...variances].sort((a, b) => a - b).map(Math.sqrt),
    p_turbulent: Math.exp((last[wilder] ?? 0) - logOfSum(last)),
    log_likelihood: logOfSum(last),
    iterations: likelihoods.length,
  };
}

describe("series 3 reads as published", () => {
  test("in a wild stretch", () => {
    const { p_turbulent, sigmas } = fit(series3().slice(0, 400));
    expect(p_turbulent.toFixed(4)).toBe("0.9735");
    expect(sigmas.map((sigma) => sigma.toFixed(6))).toEqual(["0.005794", "0.029974"]);
  });

  test("in a calm stretch", () => {
    const { p_turbulent, sigmas } = fit(series3());
    expect(p_turbulent.toFixed(4)).toBe("0.0022");
    expect(sigmas.map((sigma) => sigma.toFixed(6))).toEqual(["0.005754", "0.030030"]);
  });
});

describe("a second computation agrees", () => {
  const closes = series2().map(({ close }) => close);
  const returns = closes.slice(1).map((close, index) => Math.log(close / (closes[index] ?? close)));
  for (const [name, values] of [
    ["series 3", series3()],
    ["series 3 up to a change", series3().slice(0, 205)],
    ["the returns of series 2", returns],
  ] as const) {
    test(name, () => {
      const [one, two] = [fit(values), fitInLogarithms(values)];
      expect(one.iterations).toBe(two.iterations);
      expect(one.p_turbulent).toBeCloseTo(two.p_turbulent, 7);
      expect(one.log_likelihood).toBeCloseTo(two.log_likelihood, 5);
      for (const [index, sigma] of one.sigmas.entries()) expect(sigma).toBeCloseTo(two.sigmas[index] ?? 0, 9);
    });
  }
});

describe("laws", () => {
  const values = series3().slice(0, 300);

  test("another unit changes the sigmas in proportion and no probability", () => {
    const plain = fit(values);
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1_000, noNaN: true }), (unit) => {
        const scaled = fit(values.map((value) => value * unit));
        expect(scaled.p_turbulent).toBeCloseTo(plain.p_turbulent, 6);
        for (const [index, sigma] of scaled.sigmas.entries()) {
          expect(sigma / unit / (plain.sigmas[index] ?? 0)).toBeCloseTo(1, 6);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("the other sign changes nothing but the means", () => {
    const [plain, turned] = [fit(values), fit(values.map((value) => -value))];
    expect(turned.p_turbulent).toBeCloseTo(plain.p_turbulent, 9);
    expect(turned.means[0]).toBeCloseTo(-plain.means[0], 9);
  });

  test("what it reads are probabilities, and the wilder state is the second", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { minLength: 3, maxLength: 200 }),
        (some) => {
          const model = fitTwoStates(some);
          if (!model) return;
          expect(model.p_turbulent).toBeGreaterThanOrEqual(0);
          expect(model.p_turbulent).toBeLessThanOrEqual(1);
          expect(model.sigmas[1]).toBeGreaterThanOrEqual(model.sigmas[0]);
          expect(model.iterations).toBeLessThanOrEqual(100);
        },
      ),
    );
  });

  test("equal values and missing values have no model", () => {
    expect(fitTwoStates(Array.from({ length: 50 }, () => 0.01))).toBeNull();
    expect(fitTwoStates([0.1, Number.NaN, 0.2, 0.3])).toBeNull();
    expect(fitTwoStates([0.1, Number.POSITIVE_INFINITY, 0.2, 0.3])).toBeNull();
  });

  test("too few or too many values are refused", () => {
    expect(() => fitTwoStates([0.1, 0.2])).toThrow(RangeError);
    expect(() => fitTwoStates(Array.from({ length: 5_001 }, () => 0.1))).toThrow(RangeError);
  });
});
