import { expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import type { DexPair } from "../../../upstream/providers/dexscreener/pairs.ts";
import type { LaunchItemData } from "../launch-risk/schema.ts";
import type { StoredAssessment } from "../launches/store.ts";
import { computeLaunchSniper } from "./compute.ts";
import { getMomentum, getScore } from "./momentum.ts";
import type { LaunchSniperData } from "./schema.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

test("the published vectors: momentum, score, and washed volume halved", () => {
  const flow = { buyers_h1: 180, buys_h1: 300, sells_h1: 190, volume_h1_usd: 52_000, liquidity_usd: 64_000 };
  const { momentum } = getMomentum(flow);
  expect(momentum).toBeCloseTo(64.56, 2);
  expect(getScore(22.4, momentum)).toBeCloseTo(71.08, 2);
  const washed = { buyers_h1: 30, buys_h1: 900, sells_h1: 880, volume_h1_usd: 900_000, liquidity_usd: 60_000 };
  expect(getMomentum(washed).momentum).toBeCloseTo(26.22, 2);
});

const side = (address: string) => ({ address, symbol: address, name: address });
/** A pool of a token with a flow that is known. */
const pool = (token: string, liquidity_usd: number | null, changes: Partial<DexPair> = {}): DexPair => ({
  chain: "base",
  dex: "d",
  pair_address: `pool of ${token}`,
  labels: [],
  base: side(token),
  quote: side("WETH"),
  price_usd: 2,
  price_native: null,
  liquidity_usd,
  liquidity_base: null,
  liquidity_quote: null,
  volume_h1_usd: 5_000,
  volume_h24_usd: null,
  change_h1_pct: null,
  change_h24_pct: null,
  buys_h1: 30,
  sells_h1: 10,
  buys_h24: null,
  sells_h24: null,
  fdv_usd: null,
  market_cap_usd: null,
  created_at_ms: null,
  has_link: false,
  is_promoted: false,
  ...changes,
});
const judged = (token: string, changes: Partial<LaunchItemData> = {}, liquidity_usd: number | null = null) => {
  const item: LaunchItemData = {
    token: { chain: "base", address: token, symbol: null, name: null },
    created_at: null,
    venue: "amm",
    source: null,
    verdict: "WATCH",
    basis: "risk_score",
    max_size_usd: null,
    risk: 40,
    coverage: 1,
    factors: [],
    hard_fails: [],
    caps: [],
    unknown: [],
    conflicts: [],
    assessed_at: "",
    ...changes,
  };
  const row: StoredAssessment = {
    chain: "base",
    token,
    at_ms: NOW_MS - 1_000,
    created_at_ms: NOW_MS - 90_000,
    verdict: item.verdict,
    basis: item.basis,
    risk: item.risk,
    inputs_sha256: "",
    price_usd: null,
    liquidity_usd,
    item,
    extra: null,
    sources: [],
  };
  return row;
};
const answer = (rows: readonly StoredAssessment[], pairs: readonly DexPair[], limit = 20) =>
  settled<LaunchSniperData>(
    computeLaunchSniper({ read_at_ms: NOW_MS, rows, pairs, origins: new Map(), launched: 9, watch: null }, limit),
  );
const compute = (...given: Parameters<typeof answer>) => answer(...given).data;
/** The outcome of one launch: "candidate", or why it is not one. */
const fateOf = (row: StoredAssessment, ...pairs: readonly DexPair[]) => {
  const { candidates, rejected_counts } = compute([row], pairs);
  const why = Object.entries(rejected_counts).flatMap(([reason, count]) => (count === 1 ? [reason] : []));
  return candidates.length === 1 ? ["candidate", ...why] : why;
};

test("10,000 US dollars of liquidity pass, a cent less does not", () => {
  const held = (...all: readonly number[]) => fateOf(judged("A"), ...all.map((one) => pool("A", one)));
  expect([9_999.99, 10_000, 10_000.01].map((one) => held(one))).toEqual([["liquidity"], ["candidate"], ["candidate"]]);
  // Of all its own pools: 6,000 + 4,000; another token's do not count.
  expect([held(6_000, 4_000), held(6_000, 3_999.99)]).toEqual([["candidate"], ["liquidity"]]);
  expect(fateOf(judged("A"), pool("A", 9_000), pool("B", 9_000))).toEqual(["liquidity"]);
  // On a curve the pool states none: the judgement's value is used.
  const curve = (liquidity_usd: number | null) => fateOf(judged("A", {}, liquidity_usd), pool("A", null));
  expect([9_999.99, 10_000, null].map(curve)).toEqual([["liquidity"], ["candidate"], ["liquidity"]]);
});

test("that nothing passed is said, and only then", () => {
  const SAID = "candidates: nothing passed; rejected_counts says why";
  expect(answer([], []).warnings).toContain(SAID);
  expect(answer([judged("A")], [pool("A", 10_000)]).warnings).not.toContain(SAID);
});

test("why a launch is not a candidate: each reason before the next", () => {
  const deep = pool("A", 10_000);
  const fate = (changes: Partial<LaunchItemData>) => fateOf(judged("A", changes), deep);
  expect(fate({ basis: "hard_fail", verdict: "AVOID" })).toEqual(["hard_fail"]);
  expect(fate({ verdict: "AVOID" })).toEqual(["risk"]);
  expect(fate({ verdict: "AVOID", basis: "insufficient_evidence" })).toEqual(["insufficient_evidence"]);
  expect([0.7499, 0.75, 0.7501].map((coverage) => fate({ coverage }))).toEqual([
    ...[["insufficient_evidence"], ["candidate"], ["candidate"]],
  ]);
  for (const unknown of [{ buys_h1: null }, { sells_h1: null }, { volume_h1_usd: null }])
    expect(fateOf(judged("A"), pool("A", 10_000, unknown))).toEqual(["flow_unknown"]);
  expect(fateOf(judged("A", {}, 10_000))).toEqual(["flow_unknown"]);
});

test("candidates are ranked by score, and shown with their age", () => {
  // Momentum of 30 bought, 10 sold, 5,000 dollars against 10,000: 40 ln(31) / ln(501) + 30 / 2 + 30 / 2 = 52.0956;
  // the scores are half of that and half of 100 less the risk.
  const rows = [judged("A", { risk: 60 }), judged("B", { risk: 20 }), judged("C", { risk: 40 })];
  const pairs = ["A", "B", "C"].map((token) => pool(token, 10_000));
  const { candidates, scanned, launched } = compute(rows, pairs);
  expect(candidates.map(({ token, score }) => [token.address, score])).toEqual([
    ["B", expect.closeTo(66.0478, 4)],
    ["C", expect.closeTo(56.0478, 4)],
    ["A", expect.closeTo(46.0478, 4)],
  ]);
  expect(candidates[0]).toMatchObject({ age_min: 1.5, price_usd: 2, liquidity_usd: 10_000, source: null });
  expect([scanned, launched, compute(rows, pairs, 2).candidates.length]).toEqual([3, 9, 2]);
});
