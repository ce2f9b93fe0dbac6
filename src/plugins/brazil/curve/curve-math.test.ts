import { expect, test } from "bun:test";
import { countBankDays } from "intel-node";
import { expiryOf, parseContract } from "../b3/contracts.ts";
import { breakevenOf, type CurvePoint, createFlatForward } from "./flat-forward.ts";
import { evaluateNSS, fitNSS } from "./nss.ts";
import { VECTOR_DAP, VECTOR_DATE, VECTOR_DI1 } from "./vector.ts";

const toPoint = ({ symbol, rate }: { symbol: string; rate: number }): CurvePoint => {
  const contract = parseContract(symbol);
  if (!contract) throw new Error(symbol);
  return { du: countBankDays(VECTOR_DATE, expiryOf(contract)), rate };
};
const NOMINAL = VECTOR_DI1.map(toPoint);
const REAL = VECTOR_DAP.map(toPoint).filter(({ du }) => du >= 126);

test("business days to the expiries B3 listed on 2026-01-12", () => {
  const du = (symbol: string) => toPoint({ symbol, rate: 0 }).du;
  expect(["DI1G26", "DI1H26", "DI1F27", "DI1F29", "DI1V29", "DI1F38", "DI1F41"].map(du)).toEqual([
    15, 33, 243, 742, 930, 2997, 3749,
  ]);
  expect(VECTOR_DAP.map(({ symbol }) => du(symbol))).toEqual([
    3, 25, 43, 64, 84, 104, 149, 252, 334, 649, 833, 1147, 1651, 1838, 2337, 3656, 4843, 6158, 7347, 8664,
  ]);
});

test("PU of the published settlements: 100,000 / (1 + r)^(du/252)", () => {
  const pu = (index: number) => 100_000 / (1 + (NOMINAL[index]?.rate ?? 0) / 100) ** ((NOMINAL[index]?.du ?? 0) / 252);
  expect(pu(11)).toBeCloseTo(88324.26, 1);
  expect(pu(41)).toBeCloseTo(15365.76, 1);
});

test("flat-forward, the small published vector", () => {
  const curve = createFlatForward([
    { du: 30, rate: 4.5 },
    { du: 60, rate: 5 },
    { du: 90, rate: 5.5 },
  ]);
  expect(curve.rateAt(45)).toBeCloseTo(4.833068080970859, 10);
  expect([curve.rateAt(1), curve.rateAt(30), curve.rateAt(91), curve.rateAt(0)]).toEqual([4.5, 4.5, null, null]);
  const short = createFlatForward([
    { du: 10, rate: 5 },
    { du: 20, rate: 6 },
  ]);
  expect(short.forward(10, 20)).toBeCloseTo(7.00952380952371, 9);
});

test("nominal, real and breakeven of 2026-01-12", () => {
  const [nominal, real] = [createFlatForward(NOMINAL), createFlatForward(REAL)];
  const rows = [
    [126, 14.4487, 10.235, 3.8224],
    [252, 13.6935, 9.376, 3.9474],
    [504, 13.0167, 8.1807, 4.4703],
    [1260, 13.2962, 7.7644, 5.1332],
    [2520, 13.474, 7.4437, 5.6125],
    [3528, 13.4082, 7.3116, 5.6813],
  ] as const;
  for (const [du, n, r, b] of rows) {
    const [found_n, found_r] = [nominal.rateAt(du) ?? 0, real.rateAt(du) ?? 0];
    expect(found_n).toBeCloseTo(n, 4);
    expect(found_r).toBeCloseTo(r, 4);
    expect(breakevenOf(found_n, found_r)).toBeCloseTo(b, 4);
  }
  expect(nominal.forward(63, 126)).toBeCloseTo(14.1114, 4);
  expect(nominal.forward(1260, 2520)).toBeCloseTo(13.6522, 4);
  expect(real.forward(1260, 2520)).toBeCloseTo(7.124, 4);
});

test("Svensson's curve: the published fit of both curves", () => {
  const nominal = fitNSS(NOMINAL);
  const real = fitNSS(REAL);
  if (!nominal || !real) throw new Error("no fit");
  for (const [index, level] of [10.093708, 4.700722, 5.291669, 10.497663].entries()) {
    expect(nominal.beta[index]).toBeCloseTo(level, 4);
  }
  expect(nominal.lambda[0]).toBeCloseTo(3.117754, 6);
  expect(nominal.lambda[1]).toBeCloseTo(0.162851, 6);
  expect(nominal.rmse_bps).toBeCloseTo(3.041, 3);
  expect(nominal.max_bps).toBeCloseTo(9, 1);
  for (const [du, rate] of [
    [21, 14.8832],
    [252, 13.6901],
    [504, 13.0627],
    [1260, 13.266],
    [2520, 13.5356],
  ] as const) {
    expect(evaluateNSS(nominal, du)).toBeCloseTo(rate, 4);
  }
  expect(real.rmse_bps).toBeCloseTo(5.78, 2);
  expect(real.lambda[0]).toBeCloseTo(1.077217, 6);
  expect(real.beta[2]).toBeCloseTo(-9.358322, 3);
  expect(real.n).toBe(14);
  expect(fitNSS(NOMINAL.slice(0, 7))).toBeNull();
});

test("no pair of decays fits better, by plain least squares on the residuals", () => {
  const best = fitNSS(NOMINAL);
  if (!best) throw new Error("no fit");
  // Gradient of the sum of squares at the optimum is zero for each level: the residuals are orthogonal to each column.
  const columns = [0, 1, 2, 3].map((index) => {
    const beta = [0, 0, 0, 0].map((_, k) => (k === index ? 1 : 0)) as unknown as (typeof best)["beta"];
    return NOMINAL.map(({ du }) => evaluateNSS({ beta, lambda: best.lambda }, du));
  });
  const residuals = NOMINAL.map(({ du, rate }) => rate - evaluateNSS(best, du));
  for (const column of columns) {
    expect(column.reduce((sum, value, k) => sum + value * (residuals[k] ?? 0), 0)).toBeCloseTo(0, 6);
  }
});
