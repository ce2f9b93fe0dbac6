import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatLarge, formatMoney, formatNumber, formatPercent } from "./format-number.ts";
import { parseNumber } from "./parse-number.ts";

const EN = { locale: "en" } as const;
const PT = { locale: "pt-BR" } as const;

describe("numbers", () => {
  test.each([
    [1234.5, "1,234.5", "1.234,5"],
    [-39.7, "-39.7", "-39,7"],
    [5.1273, "5.13", "5,13"],
    [15, "15", "15"],
    [0, "0", "0"],
    [-0.001, "0", "0"],
    [0.005, "0.01", "0,01"],
    [1e6, "1,000,000", "1.000.000"],
  ])("%p", (value, en, pt) => {
    expect(formatNumber(value, EN)).toBe(en);
    expect(formatNumber(value, PT)).toBe(pt);
  });

  test("digits and signs as asked", () => {
    expect(formatNumber(5, { ...EN, decimals_min: 2 })).toBe("5.00");
    expect(formatNumber(5.126, { ...PT, decimals_max: 0 })).toBe("5");
    expect(formatNumber(2.5, { ...PT, plus: true })).toBe("+2,5");
    expect(formatNumber(0, { ...PT, plus: true })).toBe("0");
  });
});

test.each([
  [13.6935, "13.69%", "13,69%"],
  [15, "15%", "15%"],
  [-3.2, "-3.2%", "-3,2%"],
])("%p percent", (value, en, pt) => {
  expect(formatPercent(value, EN)).toBe(en);
  expect(formatPercent(value, PT)).toBe(pt);
});

test.each([
  [950, "950", "950"],
  [64_200, "64.2 thousand", "64,2 mil"],
  [1_000_000, "1 million", "1 milhão"],
  [1_999_000, "2 million", "2 milhões"],
  [1_873_000_000, "1.87 billion", "1,87 bilhão"],
  [2_000_000_000, "2 billion", "2 bilhões"],
  [-1_500_000_000, "-1.5 billion", "-1,5 bilhão"],
  [999_999_999, "1 billion", "1 bilhão"],
  [999_994_999, "999.99 million", "999,99 milhões"],
  [5e12, "5 trillion", "5 trilhões"],
  [5e15, "5,000 trillion", "5.000 trilhões"],
])("%p in words", (value, en, pt) => {
  expect(formatLarge(value, EN)).toBe(en);
  expect(formatLarge(value, PT)).toBe(pt);
});

test.each([
  [5.1273, "$5.13", "R$ 5,13", "$5.13", "R$ 5,13"],
  [-5, "-$5.00", "-R$ 5,00", "-$5", "-R$ 5"],
  [-0.001, "$0.00", "R$ 0,00", "$0", "R$ 0"],
  [64_200, "$64,200.00", "R$ 64.200,00", "$64.2 thousand", "R$ 64,2 mil"],
  [-1_873_000_000, "-$1,873,000,000.00", "-R$ 1.873.000.000,00", "-$1.87 billion", "-R$ 1,87 bilhão"],
])("%p of money", (value, en, pt, large_en, large_pt) => {
  expect(formatMoney(value, { ...EN, sign: "$" })).toBe(en);
  expect(formatMoney(value, { ...PT, sign: "R$" })).toBe(pt);
  expect(formatMoney(value, { ...EN, sign: "$", large: true })).toBe(large_en);
  expect(formatMoney(value, { ...PT, sign: "R$", large: true })).toBe(large_pt);
});

test("an invalid number is not written", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => formatNumber(value, EN)).toThrow(RangeError);
    expect(() => formatLarge(value, PT)).toThrow(RangeError);
  }
});

describe("what is written is read back as the same number", () => {
  const locale = fc.constantFrom("en" as const, "pt-BR" as const);
  const value = fc.integer({ min: -1e12, max: 1e12 }).map((cents) => cents / 100);

  test("in full", () => {
    fc.assert(
      fc.property(value, locale, (value, locale) => {
        expect(parseNumber(formatNumber(value, { locale }), { locale })).toBe(value === 0 ? 0 : value);
        const money = formatMoney(value, { locale, sign: "R$" });
        expect(parseNumber(money, { locale, currencies: ["R$"] })).toBe(value === 0 ? 0 : value);
      }),
      { numRuns: 2_000 },
    );
  });

  test("in words, to the digits shown", () => {
    fc.assert(
      fc.property(value, locale, (value, locale) => {
        const read = parseNumber(formatLarge(value, { locale }), { locale, scale: true }) ?? Number.NaN;
        expect(Math.abs(read - value)).toBeLessThanOrEqual(Math.abs(value) * 0.005 + 0.005);
      }),
      { numRuns: 2_000 },
    );
  });
});
