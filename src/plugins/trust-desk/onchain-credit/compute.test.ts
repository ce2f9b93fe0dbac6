import { describe, expect, test } from "bun:test";
import { makeProfile, makeScreens, NOW_MS } from "../wallets/wallet-fixture.ts";
import { computeCredit } from "./compute.ts";
import type { CreditInputs } from "./fetch.ts";
import { type CreditFacts, scoreHealth, scoreParts } from "./parts.ts";

const FACTS: CreditFacts = {
  age_days: 730,
  active_months: 10,
  tx_count: 640,
  balance_usd: 5_200,
  counterparties: 38,
  health: 1.62,
  settled: 12,
};
const sumOf = (facts: CreditFacts): number => scoreParts(facts).reduce((sum, { points }) => sum + (points ?? 0), 0);
const DAY_MS = 86_400_000;
const holdings = [
  { chain: "base", token: null, symbol: "ETH", amount: 10n ** 18n, decimals: 18, price_usd: 5_200, is_spam: false },
];
const inputs = (change: Partial<CreditInputs> = {}): CreditInputs => ({
  wallet: { read_at_ms: NOW_MS, profile: makeProfile({ tx_count: 640, holdings }), screens: makeScreens() },
  health: 1.62,
  settled: 12,
  ...change,
});

describe("the parts", () => {
  test("of the published vector: 181.0 + 125.8 + 114.9 + 76 + 119.6", () => {
    const points = scoreParts(FACTS).map((one) => Math.round((one.points ?? 0) * 10) / 10);
    expect(points.slice(0, 5)).toEqual([181, 125.8, 114.9, 76, 119.6]);
    // (12 + 1) / (12 + 2): payments that failed are not published and not counted.
    expect(points[5]).toBe(92.9);
  });

  test("never gain by an input that is taken away, one by one and in pairs", () => {
    const names = Object.keys(FACTS);
    for (const first of names) {
      for (const second of names) {
        expect(sumOf({ ...FACTS, [first]: null, [second]: null })).toBeLessThanOrEqual(sumOf(FACTS));
      }
    }
  });

  test("a health factor is worth more the higher it is", () => {
    const scores = [1, 1.05, 1.1, 1.2, 1.4, 1.5, 1.7, 2, 5].map(scoreHealth);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
  });
});

describe("the overrides", () => {
  test("without leverage and payments the ceiling keeps what is unknown", () => {
    const { data } = computeCredit(inputs({ health: null, settled: null }));
    expect(data.coverage).toBeCloseTo(650 / 900, 4);
    expect(data.score_ceiling).toBe(Math.round(data.score + 250));
  });

  test("never let a score rise when a screen or the age falls silent", () => {
    const whole = computeCredit(inputs()).data.score;
    const { profile, screens, read_at_ms } = inputs().wallet;
    const silent = [
      { screens: makeScreens({ listed: null }) },
      { screens: makeScreens({ flags: { ethereum: null, base: null } }) },
      { screens: makeScreens({ labels: null }) },
      { profile: { ...profile, first_seen_ms: null } },
      { profile: { ...profile, transactions: null, active_months: null } },
      { profile: { ...profile, holdings: [{ ...holdings[0], price_usd: null }] as typeof profile.holdings } },
    ];
    for (const first of silent) {
      for (const second of silent) {
        const less = computeCredit(inputs({ wallet: { read_at_ms, profile, screens, ...first, ...second } })).data;
        expect(less.score).toBeLessThanOrEqual(whole);
        expect(less.band).not.toBe("excellent");
      }
    }
  });

  test("a listed wallet has 0, a mixer loses 200, youth is capped", () => {
    const { read_at_ms, profile, screens } = inputs().wallet;
    const scoreOf = (change: object) =>
      computeCredit(inputs({ wallet: { read_at_ms, profile, screens, ...change } })).data;
    expect(scoreOf({ screens: makeScreens({ listed: ["eu"] }) })).toMatchObject({ score: 0, band: "blocked" });
    const whole = scoreOf({}).score;
    expect(scoreOf({ screens: makeScreens({ labels: ["mixer"] }) }).score).toBe(whole - 200);
    const young = { ...profile, first_seen_ms: NOW_MS - 3 * DAY_MS };
    expect(scoreOf({ profile: young }).score).toBeLessThanOrEqual(450);
  });
});
