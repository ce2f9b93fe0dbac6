import { describe, expect, test } from "bun:test";
import { FACT_IDS, type FactId, mergeReadings } from "../facts/fact.ts";
import { lin, logdec } from "./factors.ts";
import { getSizeMax, type JudgeOptions, judge } from "./judge.ts";

const SOLANA: JudgeOptions = { is_evm: false, is_issuer: false, silent: [] };
const EVM_ONLY = [
  "owner_changes_balance",
  "hidden_owner",
  "selfdestruct",
  "source_open",
  "upgradable",
  "owner_active",
  "sell_blocked",
  "powers_disputed",
  // Told only where no list names ten holders.
  "top10_max_pct",
];

/** Facts two sources agree on; what is left out is unknown. */
const factsOf = (values: Partial<Record<FactId, number>>, unknown: readonly FactId[] = []) => {
  const quiet = Object.fromEntries(FACT_IDS.filter((id) => !EVM_ONLY.includes(id)).map((id) => [id, 0]));
  const all: Partial<Record<string, number>> = {
    ...quiet,
    round_trip_ratio: 0.98,
    volume_h24_usd: 900,
    trades_h24: 500,
    ...values,
  };
  return mergeReadings(
    Object.entries(all).flatMap(([id, value = 0]) => {
      const fact = id as FactId;
      return unknown.includes(fact) ? [] : ["a", "b"].map((source) => ({ fact, source, value }));
    }),
  );
};
const shared = { has_link: 1, verified: 1, on_curve: 0 };
const A = {
  top10_pct: 18,
  top1_pct: 3.2,
  creator_pct: 0.5,
  insider_pct: 1,
  lp_locked_pct: 100,
  liquidity_usd: 250_000,
  age_min: 4_320,
  prior_launches: 1,
  buys_h1: 300,
  sells_h1: 260,
  alarm: 5,
  volume_h1_usd: 90_000,
  ...shared,
};
const B = {
  top10_pct: 41,
  top1_pct: 9,
  creator_pct: 6,
  on_curve: 1,
  liquidity_usd: 9_000,
  age_min: 18,
  prior_launches: 7,
  buys_h1: 140,
  sells_h1: 22,
  has_link: 1,
  alarm: 35,
};
const C = {
  top10_pct: 22,
  top1_pct: 4,
  creator_pct: 1,
  insider_pct: 0.5,
  lp_locked_pct: 96,
  liquidity_usd: 64_000,
  age_min: 700,
  buys_h1: 90,
  sells_h1: 70,
  metadata_mutable: 1,
  has_link: 1,
  alarm: 28,
  freeze_active: 1,
};
const E = {
  creator_pct: 0.2,
  insider_pct: 0,
  lp_locked_pct: 100,
  liquidity_usd: 180_000,
  age_min: 9_000,
  buys_h1: 200,
  sells_h1: 190,
  alarm: 3,
  ...shared,
};

describe("LR-1", () => {
  test("gives the points of the worked examples", () => {
    const pointsOf = (judged: ReturnType<typeof judge>) =>
      Object.fromEntries(
        judged.factors.flatMap(({ id, points }) => (points > 0 ? [[id, Number(points.toFixed(2))]] : [])),
      );
    const a = judge(factsOf(A), SOLANA);
    expect(pointsOf(a)).toEqual({ top10: 1.71, top1: 0.12 });
    expect(a).toMatchObject({ verdict: "SIZE", basis: "clean", coverage: 1 });
    expect(a.risk).toBeCloseTo(1.8, 1);
    expect(a.max_size_usd).toBeCloseTo(1_262.63, 2);
    const b = judge(factsOf(B, ["insider_pct", "round_trip_ratio"]), SOLANA);
    expect(pointsOf(b)).toEqual({
      top10: 14.86,
      top1: 3.53,
      creator: 3.08,
      insider: 9,
      lp: 5,
      liquidity: 8.04,
      age: 7.05,
      creator_history: 1.67,
      flow: 6.57,
      identity: 2,
      provider_alarm: 1.25,
    });
    expect(b).toMatchObject({ verdict: "AVOID", basis: "risk_score" });
    expect([b.risk, b.coverage].map((x) => Number(x.toFixed(4)))).toEqual(
      [62.0471, 0.8846].map((x) => expect.closeTo(x, 1)),
    );
    const c = judge(factsOf(C), SOLANA);
    expect(pointsOf(c)).toEqual({
      top10: 4,
      top1: 0.59,
      lp: 0.6,
      liquidity: 1.49,
      age: 1.16,
      metadata: 3,
      identity: 2,
      provider_alarm: 0.67,
    });
    expect(c).toMatchObject({ verdict: "AVOID", basis: "hard_fail", coverage: 1 });
    expect(c.risk).toBeCloseTo(13.5, 1);
    const e = judge(factsOf(E, ["top10_pct", "top1_pct"]), SOLANA);
    expect(e).toMatchObject({ verdict: "WATCH", basis: "partial_evidence" });
    expect([e.risk, Number(e.coverage.toFixed(4))]).toEqual([18, 0.7692]);
  });

  test("a cap alone takes SIZE away, two are AVOID, an unknown input caps too", () => {
    const of = (values: Partial<Record<FactId, number>>, unknown: readonly FactId[] = []) =>
      judge(factsOf({ ...A, ...values }, unknown), SOLANA);
    expect(of({ lp_locked_pct: 0 })).toMatchObject({ verdict: "WATCH", basis: "capped" });
    expect(of({ insider_pct: 22 }).verdict).toBe("WATCH");
    expect(of({ bundle_pct: 30 }).verdict).toBe("WATCH");
    expect(of({ prior_rug: 1 }).verdict).toBe("WATCH");
    expect(of({ volume_h24_usd: 6_000_000 }).verdict).toBe("WATCH");
    expect(of({ insider_pct: 22, prior_rug: 1 })).toMatchObject({ verdict: "AVOID", basis: "capped" });
    for (const fact of ["lp_locked_pct", "insider_pct", "bundle_pct", "volume_h24_usd"] as const) {
      expect([fact, of({}, [fact]).verdict]).toEqual([fact, "WATCH"]);
    }
  });

  test("too thin, too new or of a rugger by habit is AVOID, with a risk of 60, whatever else is known", () => {
    const RECORD = { prior_rug: 1, prior_launches: 22 };
    const judged = (values: Partial<Record<FactId, number>>, unknown: readonly FactId[] = []) =>
      judge(factsOf({ ...A, ...values }, unknown), SOLANA);
    for (const [id, values] of [
      ["F1_thin", { liquidity_usd: 184, volume_h24_usd: 90 }],
      ["F2_too_new", { age_min: 1.8 }],
      ["F3_creator_record", RECORD],
    ] as const) {
      const { verdict, basis, risk, hard_fails } = judged(values);
      expect([id, verdict, basis, risk]).toEqual([id, "AVOID", "hard_fail", 60]);
      expect(hard_fails.map((one) => one.id)).toEqual([id]);
    }
    // At the floor itself it no longer holds.
    expect(judged({ liquidity_usd: 1_000, volume_h24_usd: 90 }).hard_fails).toEqual([]);
    expect(judged({ age_min: 3 }).hard_fails).toEqual([]);
    expect(judged({ prior_rug: 1, prior_launches: 4 })).toMatchObject({ verdict: "WATCH", basis: "capped" });
    // Uncounted launches are as bad as many; an issuer's own token has no floor.
    expect(judged({ prior_rug: 1 }, ["prior_launches"]).verdict).toBe("AVOID");
    expect(judged({ prior_rug: 1, prior_launches: 0 }).verdict).toBe("AVOID");
    expect(judged({ prior_rug: 0, prior_launches: 0 }).hard_fails).toEqual([]);
    const issuer = judge(factsOf({ ...A, ...RECORD, age_min: 1 }), { ...SOLANA, is_issuer: true });
    expect(issuer.hard_fails).toEqual([]);
  });

  test("a floor without its fact is named among what is not known", () => {
    for (const [fact, floor] of [
      ["liquidity_usd", "F1_thin"],
      ["age_min", "F2_too_new"],
      ["prior_rug", "F3_creator_record"],
    ] as const) {
      expect(judge(factsOf(A, [fact]), SOLANA).unknown).toContain(floor);
    }
  });

  test("each trap, switched on alone in a token that is SIZE, changes the verdict", () => {
    const EVM: JudgeOptions = { ...SOLANA, is_evm: true };
    const clean_evm = { ...A, age_min: 10_000, source_open: 1, upgradable: 0, owner_active: 0, sell_blocked: 0 };
    const on_evm = { ...clean_evm, owner_changes_balance: 0, hidden_owner: 0, selfdestruct: 0 };
    expect([judge(factsOf(A), SOLANA).verdict, judge(factsOf(on_evm), EVM).verdict]).toEqual(["SIZE", "SIZE"]);
    const traps = [
      ...(["mint_active", "freeze_active", "permanent_delegate", "transfers_blocked", "hook_live", "rugged"] as const),
      ...(["counterfeit", "creator_flagged"] as const),
    ].map((fact) => [SOLANA, { ...A, [fact]: 1 }, "AVOID"] as const);
    const powers = [
      ...(["mint_active", "freeze_active", "sell_blocked", "owner_changes_balance", "hidden_owner"] as const),
      ...(["selfdestruct", "counterfeit"] as const),
    ].map((fact) => [EVM, { ...on_evm, [fact]: 1 }, "AVOID"] as const);
    const measured = [
      [SOLANA, { ...A, fee_bps: 1_000 }, "AVOID"],
      [SOLANA, { ...A, round_trip_ratio: 0.74 }, "AVOID"],
      [EVM, { ...on_evm, fee_bps: 2_500 }, "AVOID"],
      [EVM, { ...on_evm, source_open: 0 }, "AVOID"],
      [EVM, { ...on_evm, upgradable: 1 }, "WATCH"],
      [EVM, { ...on_evm, lp_locked_pct: 49 }, "WATCH"],
      [SOLANA, { ...A, prior_launches: 20 }, "WATCH"],
      [SOLANA, { ...A, trades_h24: 40, volume_h24_usd: 200_000 }, "WATCH"],
      [SOLANA, { ...A, age_min: 29 }, "WATCH"],
      [SOLANA, { ...A, liquidity_usd: 19_000 }, "WATCH"],
    ] as const;
    const judged = [...traps, ...powers, ...measured].map(([options, values, wanted]) => [
      ...[values, wanted, judge(factsOf(values), options).verdict],
    ]);
    expect(judged.filter(([, wanted, verdict]) => wanted !== verdict)).toEqual([]);
  });

  test("an unknown authority is AVOID, a silent source at best WATCH", () => {
    for (const fact of ["mint_active", "freeze_active"] as const) {
      expect(judge(factsOf(A, [fact]), SOLANA)).toMatchObject({ verdict: "AVOID", basis: "insufficient_evidence" });
    }
    expect(judge(factsOf(A), { ...SOLANA, silent: ["goplus"] }).verdict).toBe("WATCH");
  });

  test("an unknown factor counts 0.6 of its points, and what it was last seen at where that is worse", () => {
    const fresh = [{ fact: "top1_pct" as const, source: "a", value: 4 }];
    const stored = (value: number) => [{ fact: "top10_pct" as const, source: "a", value, at_ms: 0 }];
    const pointsAt = (value: number, now_ms: number) =>
      judge(mergeReadings(fresh, stored(value), now_ms), SOLANA).factors.find(({ id }) => id === "top10")?.points;
    expect(pointsAt(10, 1)).toBe(12);
    expect(pointsAt(48, 1)).toBeCloseTo(18.86, 2);
    expect(pointsAt(48, 90_000_000)).toBe(12);
  });

  test("the chain overrules opinions of authorities, and nothing else is overruled", () => {
    const readings = (fact: FactId) => [
      { fact, source: "goplus", value: 1 },
      { fact, source: "solana_rpc", value: 0 },
    ];
    expect(mergeReadings(readings("mint_active")).mint_active.value).toBe(0);
    expect(mergeReadings(readings("rugged")).rugged.value).toBe(1);
    expect(mergeReadings(readings("rugged")).rugged.conflict).toEqual({ goplus: 1, solana_rpc: 0 });
    // Yesterday's word of the chain overrules no other source.
    const [opinion] = readings("mint_active");
    const old = [{ fact: "mint_active" as const, source: "solana_rpc", value: 0, at_ms: 0 }];
    expect(mergeReadings(opinion ? [opinion] : [], old, 1).mint_active.value).toBe(1);
  });

  test("its two curves", () => {
    expect([lin(15, [15, 50], 20), lin(50, [15, 50], 20), lin(32.5, [15, 50], 20)]).toEqual([0, 20, 10]);
    expect([logdec(100_000, [100_000, 5_000], 10), logdec(5_000, [100_000, 5_000], 10), logdec(0, [9, 1], 7)]).toEqual([
      0, 10, 7,
    ]);
    expect(getSizeMax(250_000, 20_000)).toBe(400);
  });
});
