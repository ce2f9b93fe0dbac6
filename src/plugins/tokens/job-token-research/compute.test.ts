import { describe, expect, test } from "bun:test";
import { FACT_IDS, type FactId, mergeReadings } from "../facts/fact.ts";
import { type Judgement, judge } from "../judge/judge.ts";
import { decide, type ResearchFacts } from "./decide.ts";

const A: Partial<Record<FactId, number>> = {
  top10_pct: 18,
  top1_pct: 3.2,
  creator_pct: 0.5,
  insider_pct: 1,
  lp_locked_pct: 100,
  liquidity_usd: 250_000,
  prior_launches: 1,
  buys_h1: 300,
  sells_h1: 260,
  alarm: 5,
  volume_h1_usd: 90_000,
  verified: 1,
  has_link: 1,
  round_trip_ratio: 0.98,
  volume_h24_usd: 900,
  trades_h24: 500,
};
function dossierOf(values: Partial<Record<FactId, number>>, changes: Partial<ResearchFacts> = {}): ResearchFacts {
  const all = { ...Object.fromEntries(FACT_IDS.map((id) => [id, 0])), ...A, ...values };
  const facts = mergeReadings(
    Object.entries(all).flatMap(([fact, value]) =>
      ["a", "b"].map((source) => ({ fact: fact as FactId, source, value })),
    ),
  );
  const subject = { is_evm: false, is_issuer: false };
  const judgement: Judgement = judge(facts, { ...subject, silent: [] });
  const rest = {
    is_ambiguous: false,
    dispersion_pct: 0,
    insider_level: "none_seen",
    creator_screen: "clear",
    silent: [],
  } as const;
  return { judgement, facts, ...subject, ...rest, ...changes };
}

describe("the dossier's verdict", () => {
  test("the published vectors: young is CAUTION, of ten days OK, freezing AVOID", () => {
    expect(decide(dossierOf({ age_min: 4_320 }))).toMatchObject({ verdict: "CAUTION", basis: "age_below_7d" });
    expect(decide(dossierOf({ age_min: 14_400 }))).toMatchObject({ verdict: "OK", basis: "clean" });
    expect(decide(dossierOf({ age_min: 14_400, freeze_active: 1 }))).toMatchObject({
      verdict: "AVOID",
      basis: "H2_freeze_authority",
    });
  });

  test("each doubt alone takes OK away", () => {
    const of = (changes: Partial<ResearchFacts>, values = {}) =>
      decide(dossierOf({ age_min: 14_400, ...values }, changes)).verdict;
    expect(of({})).toBe("OK");
    for (const changes of [
      { is_ambiguous: true },
      { dispersion_pct: 11 },
      { insider_level: "elevated" },
      { creator_screen: "unknown" },
      { creator_screen: "incomplete" },
      { silent: ["goplus"] },
    ] as const) {
      expect(of(changes)).toBe("CAUTION");
    }
    expect(of({}, { liquidity_usd: 49_000 })).toBe("CAUTION");
    expect(of({}, { lp_locked_pct: 0 })).toBe("CAUTION");
    expect(of({ creator_screen: "hit" })).toBe("AVOID");
  });
});
