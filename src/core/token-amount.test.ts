import { expect, test } from "bun:test";
import { renderUnits } from "./token-amount.ts";

test("an amount in whole units is exact, however small its unit", () => {
  expect(renderUnits(1n, 18)).toBe("0.000000000000000001");
  expect(renderUnits(1_500_000n, 6)).toBe("1.5");
  expect(renderUnits(7n, 0)).toBe("7");
  expect(renderUnits(149_154_940_072n, 8)).toBe("1491.54940072");
  expect(renderUnits(0n, 8)).toBe("0");
});
