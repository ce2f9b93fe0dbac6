import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { fc } from "../../../../test/helpers/properties.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { NodeError } from "../../../core/errors.ts";
import type { Positioning } from "../derivatives/stored-funding.ts";
import type { MarketNews } from "../news/stored-news.ts";
import { getPositioningValue } from "../scores/components.ts";
import type { SentimentReadings } from "../scores/readings.ts";
import { computeSentiment as draft, labelOf, readSentiment, toStoredScore } from "./compute.ts";
import { SentimentSchema } from "./schema.ts";
import { vector } from "./vector.ts";

const computeSentiment = asSold(SentimentSchema, draft);

const NOW_MS = Date.UTC(2026, 9, 2, 16);
const HOUR_MS = 3_600_000;

const newsOf = (title: string, age_h: number): MarketNews => ({
  title,
  url: `https://news.example/${age_h}`,
  source: "CoinDesk",
  at_ms: NOW_MS - age_h * HOUR_MS,
});
const VECTOR = [
  newsOf("Company holds annual meeting", 1),
  newsOf("Bitcoin surges to record as ETF inflows return", 2),
  newsOf("Exchange hacked, token plunges sharply amid liquidations", 14),
];
const POSITIONING: Positioning = {
  funding_apr_pct: 10.95,
  open_interest_usd: 2_398_000_000,
  interest_change_24h_frac: 0.03,
  fetched_at_ms: NOW_MS - 1,
};
const DISCUSSION = { comments: 0, discussion: "https://news.example/item" };
const readingsOf = (change: Partial<SentimentReadings> = {}): SentimentReadings => ({
  scope: "BTC",
  headlines: VECTOR,
  missing_feeds: [],
  withheld: 0,
  tone: { mean: -0.5, n: 91, newest_at_ms: NOW_MS - 2_700_000, fetched_at_ms: NOW_MS },
  positioning: POSITIONING,
  stories: {
    ok: true,
    value: [{ title: "Bitcoin rally", url: "https://b.example/", points: 10, ...DISCUSSION, at_ms: NOW_MS - 1 }],
  },
  ...change,
});
const compute = (change: Partial<SentimentReadings> = {}) =>
  computeSentiment({ readings: readingsOf(change), yesterday: null }, { now_ms: NOW_MS });
const partOf = (name: string, change: Partial<SentimentReadings> = {}) =>
  compute(change).data.components.find((one) => one.name === name)?.value;

describe("the components", () => {
  test("headlines of 2, 14 and 1 h: 14.45", () => {
    expect(partOf("headlines")).toBe(14.45);
  });

  test("the mean is the one that weights by halving written out give", () => {
    const item = fc.record({
      score: fc.constantFrom("rally", "crash", "meeting"),
      age_h: fc.integer({ max: 47, min: 0 }),
    });
    const lists = fc.uniqueArray(item, { minLength: 1, maxLength: 20, selector: ({ age_h }) => age_h });
    fc.assert(
      fc.property(lists, (items) => {
        // A number makes no word, so ages are spelled out to keep the titles apart.
        const headlines = items.map(({ score, age_h }) =>
          newsOf(`${score} ${"abcdefgh".slice(age_h % 8)} ${"x".repeat(age_h + 1)}`, age_h),
        );
        const scores = { rally: 2 / Math.sqrt(19), crash: -2.7 / Math.sqrt(2.7 ** 2 + 15), meeting: 0 };
        let [above, below] = [0, 0];
        for (const { score, age_h } of items) {
          const weight = Math.exp((-Math.LN2 * age_h) / 12);
          above += weight * scores[score];
          below += weight;
        }
        expect(readSentiment(readingsOf({ headlines }), NOW_MS).components[0]?.value).toBeCloseTo(
          (100 * above) / below,
          9,
        );
      }),
    );
  });

  test("the order of headlines does not matter, and a repetition counts once", () => {
    expect(partOf("headlines", { headlines: [...VECTOR].reverse() })).toBe(14.45);
    const again = newsOf("Bitcoin surges to record as ETF inflows return today", 2.5);
    expect(partOf("headlines", { headlines: [...VECTOR.slice(0, 2), again, ...VECTOR.slice(2)] })).toBe(14.45);
  });

  test("tone is a fifth of itself, at most 100", () => {
    const tone = { n: 1, newest_at_ms: NOW_MS, fetched_at_ms: NOW_MS };
    expect(partOf("gdelt_tone", { tone: { ...tone, mean: -0.5 } })).toBe(-10);
    expect(partOf("gdelt_tone", { tone: { ...tone, mean: 9 } })).toBe(100);
    expect(partOf("gdelt_tone", { scope: "ADA" })).toBeNull();
  });

  test("positioning: funding and the growth of open interest", () => {
    expect(partOf("positioning")).toBe(18.95);
    expect(getPositioningValue(60, 0.15)).toBe(100);
    expect(getPositioningValue(-60, 0.15)).toBe(-100);
    expect(getPositioningValue(600, -3)).toBeCloseTo(20, 12);
    expect(getPositioningValue(0, 0.15)).toBe(0);
    fc.assert(
      fc.property(
        fc.double({ min: -500, max: 500, noNaN: true }),
        fc.double({ min: -1, max: 5, noNaN: true }),
        (apr, change) => {
          const value = getPositioningValue(apr, change);
          expect(Math.abs(value)).toBeLessThanOrEqual(100 + 1e-9);
          expect(getPositioningValue(-apr, change)).toBeCloseTo(-value, 9);
        },
      ),
    );
  });

  test("stories weigh by the logarithm of their points; without points there is no value", () => {
    const story = (title: string, points: number) => ({
      title,
      points,
      url: "https://b.example/",
      ...DISCUSSION,
      at_ms: NOW_MS,
    });
    const value = [
      story("Bitcoin rally", Math.E ** 2 - 1),
      story("Bitcoin crash", Math.E - 1),
      story("Bitcoin fraud", 0),
    ];
    const rally = 2 / Math.sqrt(19);
    const crash = -2.7 / Math.sqrt(2.7 ** 2 + 15);
    expect(partOf("hn", { stories: { ok: true, value } })).toBeCloseTo((100 * (2 * rally + crash)) / 3, 2);
    expect(partOf("hn", { stories: { ok: true, value: [story("Bitcoin fraud", 0)] } })).toBeNull();
  });
});

describe("the score", () => {
  test("is the weighted mean, and the published example's", () => {
    const { components } = vector.data;
    const sum = components.reduce((total, { weight, value }) => total + weight * (value ?? 0), 0);
    expect(Number(sum.toFixed(1))).toBe(vector.data.score);
    expect(vector.data.confidence).toBe(3 / 20);
    expect(Value.Check(SentimentSchema, vector.data)).toBe(true);
    const { data, as_of_ms } = compute();
    const mean = data.components.reduce((total, { weight, value }) => total + weight * (value ?? 0), 0);
    expect(data.score).toBeCloseTo(mean, 1);
    expect(data.confidence).toBe(0.15);
    expect(as_of_ms).toBe(NOW_MS - 1);
    expect(Value.Check(SentimentSchema, data)).toBe(true);
  });

  test("absent components leave their weight to the others, with a warning each", () => {
    const { data, warnings } = compute({ tone: null, stories: { ok: false, error: new Error("down") } });
    expect(data.components.map(({ weight }) => weight)).toEqual([0.6154, 0, 0.3846, 0]);
    expect(data.score).toBeCloseTo((0.4 * 14.45 + 0.25 * 18.95) / 0.65, 1);
    expect(warnings.map((text) => text.split(":")[0])).toEqual([
      "score",
      "components[gdelt_tone].value, components[gdelt_tone].raw, components[gdelt_tone].as_of",
      "components[hn].value, components[hn].raw, components[hn].as_of",
      "change_24h",
    ]);
    expect(data.confidence).toBe(0.0975);
  });

  test("needs headlines or positioning; either is enough", () => {
    expect(compute({ headlines: null }).data.components[0]?.value).toBeNull();
    expect(compute({ positioning: null }).data.positioning).toBeNull();
    expect(() => compute({ headlines: null, positioning: null })).toThrow(NodeError);
  });

  test("before a day of open interest is stored, positioning is funding alone, and says so", () => {
    const half = { ...POSITIONING, interest_change_24h_frac: null };
    const { data, warnings } = compute({ headlines: [], positioning: half });
    const part = data.components.find(({ name }) => name === "positioning");
    expect(part).toMatchObject({ n: 1, value: Number(getPositioningValue(half.funding_apr_pct, null).toFixed(2)) });
    expect(getPositioningValue(30, null)).toBe(50);
    expect(getPositioningValue(-90, null)).toBe(-100);
    expect(warnings).toContain(
      "components.positioning: funding alone, and nobody states a time of it; no open interest of 24 h ago is stored",
    );
  });

  test("made of positioning alone it has no stated time and says so: an old one would look like a new one", () => {
    const text = "components.positioning: no source of this score states a time; it is taken to be as new as the call";
    const alone = { headlines: null, tone: null, stories: { ok: false, error: new Error("down") } } as const;
    expect(compute(alone).warnings).toContain(text);
    expect(compute({ ...alone, headlines: VECTOR }).warnings).not.toContain(text);
  });

  test.each([
    [40, "very_bullish"],
    [39.9, "bullish"],
    [15, "bullish"],
    [14.9, "neutral"],
    [-14.9, "neutral"],
    [-15, "bearish"],
    [-39.9, "bearish"],
    [-40, "very_bearish"],
  ] as const)("%d is %s", (score, label) => {
    expect(labelOf(score)).toBe(label);
  });

  test("its change is stated only against one of the same parts and words", () => {
    const readings = readingsOf();
    const now = toStoredScore(readSentiment(readings, NOW_MS));
    const change = (yesterday: typeof now | null) =>
      computeSentiment({ readings, yesterday }, { now_ms: NOW_MS }).data.change_24h;
    expect(change({ ...now, score: now.score - 7.25 })).toBeCloseTo(7.3, 1);
    expect(change({ ...now, parts: now.parts.slice(1) })).toBeNull();
    expect(change({ ...now, lexicon_version: "0" })).toBeNull();
    expect(change(null)).toBeNull();
  });

  test("shows the three strongest headlines of each side, and no neutral one", () => {
    const words = ["rally", "surge", "record", "jump", "crash"];
    const headlines = words.map((word, index) => newsOf(`Bitcoin ${word}`, index));
    const { data } = compute({ headlines });
    expect(data.top_positive?.map(({ title }) => title)).toEqual(["Bitcoin surge", "Bitcoin rally", "Bitcoin jump"]);
    expect(data.top_negative?.map(({ title }) => title)).toEqual(["Bitcoin crash"]);
  });
});
