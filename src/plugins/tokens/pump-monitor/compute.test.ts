import { expect, test } from "bun:test";
import { readCurve } from "./curve.ts";

const _NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

test("a recorded launch: progress by tokens, price and value of the curve, and its end", () => {
  const curve = readCurve(44.81, 718_289_256.22);
  expect(curve.progress_pct).toBeCloseTo(44.72, 2);
  expect(curve.sol_raised).toBeCloseTo(14.81, 9);
  expect(curve.price_sol).toBeCloseTo(6.238434e-8, 13);
  expect(curve.mcap_sol).toBeCloseTo(62.38, 2);
  expect((44.81 * 718_289_256.22) / (30 * 1_073_000_000) - 1).toBeCloseTo(-0.000107, 6);
  expect(readCurve(115.005, 279_900_000)).toMatchObject({ is_standard: true, progress_pct: 100 });
  expect(readCurve(85, 1_073_000_000)).toMatchObject({ is_standard: false, progress_pct: null });
});
