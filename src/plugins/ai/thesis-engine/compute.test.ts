import { describe, expect, test } from "bun:test";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import { gradeThesis } from "../theses/grade.ts";
import { computeBands, pickSignal } from "../theses/make.ts";
import type { StoredThesis } from "../theses/records.ts";
import { planThesis } from "./prose.ts";

const EMITTED = "2026-08-01T23:20:00Z";
const thesis = (horizon_d: number, side: "long" | "short" | "none" = "short"): StoredThesis => ({
  record: {
    v: 1,
    seq: 1,
    model_id: "thesis-v1",
    thesis_id: "2026-08-01:BTC",
    symbol: "BTC",
    side,
    strength: 46,
    horizon_h: 24 * horizon_d,
    emitted_at: EMITTED,
    ref_price: "64210.55",
    sigma_pct: "48",
    minus2: "48761.65",
    minus1: "55955.45",
    plus1: "73683.53",
    plus2: "84554.05",
    invalidation_price: side === "none" ? null : "70210.5",
    basis_hash: "0".repeat(64),
    cost_bps: "20.0",
    prev_hash: "0".repeat(64),
  },
  record_hash: "1".repeat(64),
  basis: {
    bar_close_at: "2026-08-01T00:00:00Z",
    regime: "bear",
    factors: [
      { name: "trend", value: "-0.4", contribution: "-7.25" },
      { name: "funding", value: "0.1", contribution: "1.5" },
    ],
    base_rate: { n: 25, hit_rate: "0.56", low: "0.37", high: "0.73" },
    catalysts: [{ title: "FOMC decision", country: "US", time_utc: "2026-08-06T18:00:00Z" }],
  },
  recorded_at_ms: Date.parse(EMITTED),
  outcome: null,
  outcome_hash: null,
  is_open: true,
});

describe("bands", () => {
  // numpy: 64210.55 * exp(k * 0.48 * sqrt(h / 365)).
  test.each([
    [7, 6.6473, [56_217.16, 60_081.07, 68_623.86, 73_340.51]],
    [30, 13.7612, [48_761.65, 55_955.45, 73_683.53, 84_554.05]],
    [90, 23.835, [39_863.72, 50_593.19, 81_493.07, 103_427.26]],
  ] as const)("of %d days are the published ones", (days, z_pct, [minus2, minus1, plus1, plus2]) => {
    const made = computeBands(64_210.55, 48, days);
    expect(made.z_pct).toBeCloseTo(z_pct, 4);
    for (const [shown, published] of [
      ...([[made.minus2, minus2] as const, [made.minus1, minus1] as const] as const),
      ...([[made.plus1, plus1] as const, [made.plus2, plus2] as const] as const),
    ]) {
      expect(shown).toBeCloseTo(published, 2);
    }
  });
});

describe("the subject", () => {
  const signal = (symbol: string, confidence: number) => ({
    symbol,
    confidence,
    side: "long" as const,
    factors: [],
    bucket: { n: 0, win_rate: null, lo95: null, hi95: null },
  });
  test("is the surest signal, the larger coin of equals, and none below 20", () => {
    expect(pickSignal([signal("SOL", 40), signal("ETH", 60), signal("BTC", 60)])?.symbol).toBe("BTC");
    expect(pickSignal([signal("BTC", 19)])).toBeNull();
    expect(pickSignal([signal("XYZ", 90)])).toBeNull();
  });
});

describe("a grade", () => {
  const day = (iso: string, open: number) => ({ t_ms: Date.parse(`${iso}T00:00:00Z`), open });
  test("enters with the next day, exits at its horizon, and costs 20 basis points", () => {
    const bars = [day("2026-08-02", 64_000), day("2026-08-09", 60_000)];
    expect(gradeThesis(thesis(7), { provider: "kraken", bars })).toMatchObject({
      entry_at: "2026-08-02T00:00:00Z",
      exit_at: "2026-08-09T00:00:00Z",
      gross_bps: "625.0",
      net_bps: "605.0",
      hit: true,
      in_1sigma: true,
      price_source: "kraken:BTC:1d",
    });
    expect(gradeThesis(thesis(7, "long"), { provider: "kraken", bars })).toMatchObject({
      net_bps: "-645.0",
      hit: false,
    });
    expect(gradeThesis(thesis(7), { provider: "kraken", bars: bars.slice(1) })).toBeNull();
    expect(gradeThesis(thesis(7, "none"), { provider: "kraken", bars })).toBeNull();
  });
});

describe("the text", () => {
  test.each(["short", "long", "none"] as const)("of %s keeps to its facts, and follows each of them", (side) => {
    const texts = [
      {
        id: "N1",
        title: "Bitcoin slides",
        url: "https://a.test/1",
        domain: "a.test",
        published_at: null,
        excerpt: null,
        suspicious: false,
      },
    ];
    const records = [7, 30, 90].map((days) => thesis(days, side));
    const plan = planThesis({ thesis: records, payload: { hit_rate: "0.5", n_scored: 12 }, texts });
    expect(expectGrounded(plan)).toBeGreaterThan(8);
  });
});
