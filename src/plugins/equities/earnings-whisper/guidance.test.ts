import { expect, test } from "bun:test";
import { readGuidance } from "../providers/sec/guidance.ts";
import type { Filing } from "../providers/sec/submissions.ts";
import { judgeGuidance, quarterOf } from "./guidance.ts";
import type { EarningsQuarter } from "./schema.ts";

const read = (html: string, type = "EX-99.1") => readGuidance([{ type, text: html }]);
const PLAIN = "We expect diluted earnings per share of $1.20 to $1.30 for the second quarter of fiscal 2026.";

test("one sentence with one range for one named quarter is read, and quoted", () => {
  const plain = { low: 1.2, high: 1.3, quarter: 2, year: 2026, sentence: PLAIN };
  expect(read(`<p>Sales were $9 billion.</p><p>${PLAIN}</p>`)).toEqual(plain);
  for (const [sentence, expected] of [
    ["For the third quarter, Acme expects diluted net income per share between $0.40 and $0.45.", [0.4, 0.45, 3, null]],
    ["Diluted EPS is expected to be in the range of $2.00 to $2.10 in the fourth fiscal quarter.", [2, 2.1, 4, null]],
    [
      "It anticipates diluted&nbsp;earnings per share of &#36;1.05 &#8211; $1.15 for the first quarter.",
      [1.05, 1.15, 1, null],
    ],
  ] as const) {
    const { low, high, quarter, year } = read(`<div>${sentence}</div>`) ?? {};
    expect([sentence, low, high, quarter, year]).toEqual([sentence, ...expected]);
  }
});

test("whatever could mean another figure, span or number is read as nothing", () => {
  const change = (from: string | RegExp, to: string) => PLAIN.replace(from, to);
  const refused = [
    change("diluted", "adjusted diluted"),
    change("diluted", "non-GAAP diluted"),
    change("diluted earnings", "earnings"),
    change("earnings per share", "loss per share"),
    change("the second quarter of fiscal 2026", "the full year 2026"),
    change("for the second quarter of fiscal 2026", "this quarter"),
    change("fiscal 2026", "fiscal 2026 and the third quarter"),
    change("We expect", "Excluding restructuring, we expect"),
    change("We expect", "If rates fall, we expect"),
    change("We expect", "The analyst consensus expects"),
    change("We expect", "We reported"),
    change("of $1.20 to $1.30", "of about $1.25"),
    change("$1.30", "$1.10"),
    change(/\.$/, ", against $1.10 then."),
    change("for the", "on revenue of $90.10 billion for the"),
    `${PLAIN} ${change("$1.30", "$1.40")}`,
  ];
  expect(refused.filter((text) => read(text) !== null)).toEqual([]);
  expect([read(PLAIN, "8-K"), read(PLAIN, "EX-10.1"), read(`${PLAIN} ${PLAIN}`)?.low]).toEqual([null, null, 1.2]);
  expect(
    read("<td>We expect diluted earnings per share of</td><td>$1.20 to $1.30 for the second quarter</td>"),
  ).toBeNull();
});

test("quarters of a fiscal year that ends in any month, 52 and 53 weeks included", () => {
  const of = (end: string, ...days: string[]) => days.map((day) => quarterOf(day, end));
  expect(of("0926", "2025-12-27", "2026-03-28", "2026-06-27", "2026-09-26")).toEqual([1, 2, 3, 4]);
  expect(of("1231", "2026-03-31", "2026-06-30", "2026-09-30", "2026-12-31")).toEqual([1, 2, 3, 4]);
  expect(of("0131", "2026-04-30", "2026-07-31", "2026-10-31", "2026-01-31", "2027-02-01")).toEqual([1, 2, 3, 4, 4]);
  expect([quarterOf("2026-05-15", "1231"), quarterOf("2026-03-31", null)]).toEqual([null, null]);
});

const quarter = (period_end: string, eps: number): EarningsQuarter => ({
  period_end,
  eps,
  derived: false,
  model_expected: null,
  sue: null,
  accepted_at: null,
  hour: null,
  url: `https://www.sec.gov/${period_end}`,
});
const results = (period_end: string, text: string) => {
  const filing = { url: `https://www.sec.gov/${period_end}`, filed: period_end } as Filing;
  return { filing, stated: read(text) };
};

test("earnings are compared with guidance of a quarter before, for that quarter alone", () => {
  const quarters = [quarter("2026-03-31", 1), quarter("2026-06-30", 1.4)];
  const judge = (text: string) => judgeGuidance(quarters, [results("2026-03-31", text)], "1231");
  expect(judge(PLAIN).last).toMatchObject({ eps: 1.4, place: "above", eps_low: 1.2, sentence: PLAIN });
  // (1.40 - 1.25) / 1.25
  expect(judge(PLAIN).last?.surprise_pct).toBeCloseTo(12, 10);
  expect(judge(PLAIN.replace("second", "third")).last).toBeNull();
  expect(judge(PLAIN.replace("2026", "2024")).last).toBeNull();
  const next = judgeGuidance(quarters, [results("2026-06-30", PLAIN.replace("second", "third"))], "1231");
  expect(next).toMatchObject({ last: null, next: { eps_low: 1.2, stated_on: "2026-06-30" } });
  expect(judgeGuidance([], [], "1231")).toEqual({ last: null, next: null });
});
