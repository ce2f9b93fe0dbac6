import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type NumberTextOptions, parseDecimal, parseNumber } from "./parse-number.ts";

const EN = { locale: "en" } as const;
const PT = { locale: "pt-BR" } as const;
const USD = { ...EN, currencies: ["$", "US$"] };
const BRL = { ...PT, currencies: ["R$", "US$"] };

test.each<[text: string, options: NumberTextOptions, decimal: string]>([
  ["1,234.56", EN, "1234.56"],
  ["1234.56", EN, "1234.56"],
  ["1 234.56", EN, "1234.56"],
  ["0.50", EN, "0.5"],
  [".5", EN, "0.5"],
  ["007", EN, "7"],
  ["-0.00", EN, "0"],
  ["+3", EN, "3"],
  ["12,345,678,901,234,567,890.123456789", EN, "12345678901234567890.123456789"],
  ["1.234,56", PT, "1234.56"],
  ["1.234", PT, "1234"],
  ["1,234", PT, "1.234"],
  ["14,4448", PT, "14.4448"],
  ["2.520", PT, "2520"],
  ["1\u00a0234\u202f567,8", PT, "1234567.8"],
  // Minus as a hyphen, the sign, dashes, the dash of windows-1252 in a latin1 file, behind, and as brackets.
  ...["-1,2", "−1,2", "–1,2", "\u00961,2", "- 1,2", "1,2-", "(1,2)", "( 1,2 )"].map(
    (text): [string, NumberTextOptions, string] => [text, PT, "-1.2"],
  ),
  ["($1.2)", USD, "-1.2"],
  ["$(1.2)", USD, "-1.2"],
  ["($0.11)", USD, "-0.11"],
  ["-$1,234", USD, "-1234"],
  ["$-1,234", USD, "-1234"],
  ["$47,076,153,012", USD, "47076153012"],
  ["US$ 3", USD, "3"],
  ["R$ 1.234,56", BRL, "1234.56"],
  ["-R$ 5", BRL, "-5"],
  ["5 R$", BRL, "5"],
  ["13,69%", { ...PT, percent: true }, "13.69"],
  ["13,69 %", { ...PT, percent: true }, "13.69"],
  ["(0.5%)", { ...EN, percent: true }, ""],
  ["-0.5 %", { ...EN, percent: true }, "-0.5"],
  ["1,87 bilhão", { ...PT, scale: true }, "1870000000"],
  ["1,87 bilhões", { ...PT, scale: true }, "1870000000"],
  ["64,2 mil", { ...PT, scale: true }, "64200"],
  ["2,5 mi", { ...PT, scale: true }, "2500000"],
  ["$1.9bn", { ...USD, scale: true }, "1900000000"],
  ["1.23456789 thousand", { ...EN, scale: true }, "1234.56789"],
  ["3 trillion", { ...EN, scale: true }, "3000000000000"],
])("%j", (text, options, decimal) => {
  expect(parseDecimal(text, options)).toBe(decimal === "" ? undefined : decimal);
});

describe("no value is null", () => {
  test.each(["", " ", "-", "--", "—", "–", "..", "...", "X", "x", "N/A", "nd"])("%j", (text) => {
    expect(parseDecimal(text, EN)).toBeNull();
    expect(parseNumber(text, PT)).toBeNull();
  });

  test("a placeholder's meaning can be declared: a dash is a true zero with one office", () => {
    expect(parseDecimal("-", { ...PT, missing: ["..", "..."] })).toBeUndefined();
    expect(parseDecimal("s/d", { ...PT, missing: ["s/d"] })).toBeNull();
  });
});

describe("a text that is not a number of the locale is refused", () => {
  test.each<[text: string, options: NumberTextOptions]>([
    ["1.234,56", EN],
    ["1,234.56", PT],
    ["1,23,456", EN],
    ["1.23,4", PT],
    ["12,34", EN],
    ["1,234,56", EN],
    ["1..2", EN],
    ["1.", EN],
    [",5,", PT],
    ["1e5", EN],
    ["0x10", EN],
    ["Infinity", EN],
    ["NaN", EN],
    ["--5", EN],
    ["-(5)", EN],
    ["-5-", EN],
    ["-$-5", USD],
    ["(5", EN],
    ["5)", EN],
    ["$5", EN],
    ["€5", USD],
    ["R$ US$ 5", BRL],
    ["5%", EN],
    ["5 million", EN],
    ["5 zillion", { ...EN, scale: true }],
    ["million", { ...EN, scale: true }],
    ["٣", EN],
    ["１", EN],
    ["<b>5</b>", EN],
    ["1 2", EN],
    ["1".repeat(65), EN],
  ])("%j", (text, options) => expect(parseDecimal(text, options)).toBeUndefined());
});

test("the nearest double of a long number", () => {
  expect(parseNumber("9".repeat(60), EN)).toBe(1e60);
  expect(parseNumber("0.1000000000000000055511151231257827", EN)).toBe(0.1);
});

test("no text makes it throw, and what it reads is a plain decimal", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[-(]?[$]?[\d., ]{1,20}[)%-]?$/));
  fc.assert(
    fc.property(text, fc.constantFrom("en" as const, "pt-BR" as const), (text, locale) => {
      const decimal = parseDecimal(text, { locale, currencies: ["$"], percent: true, scale: true });
      if (typeof decimal === "string") expect(decimal).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
    }),
    { numRuns: 3_000 },
  );
});
