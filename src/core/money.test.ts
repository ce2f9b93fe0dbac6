import { expect, test } from "bun:test";
import { fc } from "../../test/helpers/properties.ts";
import { parseAtomic, parseUSD, renderUSD } from "./money.ts";

test("prices are read exactly", () => {
  expect(parseUSD("0.01")).toBe(10_000n);
  expect(parseUSD("1")).toBe(1_000_000n);
  expect(parseUSD("0.000001")).toBe(1n);
  expect(parseUSD("99.99")).toBe(99_990_000n);
});

test("what is not a plain decimal is refused", () => {
  for (const text of ["", "1.", ".5", "-1", "+1", "1e3", "0.0000001", "01", "1,5", " 1", "NaN"]) {
    expect(() => parseUSD(text), text).toThrow(RangeError);
  }
});

test("every amount survives being written and read", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (atomic) => {
      expect(parseUSD(renderUSD(atomic))).toBe(atomic);
    }),
  );
});

test("atomic amounts from the wire are digits only", () => {
  expect(parseAtomic("10000")).toBe(10_000n);
  for (const bad of ["", "-1", "+1", "01", "1.0", "1e3", "0x10", 10_000, null, undefined, "9".repeat(79)]) {
    expect(parseAtomic(bad)).toBeNull();
  }
});
