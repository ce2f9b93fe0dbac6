import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import type { SimulatedTokenFacts, TokenTruth } from "../../../upstream/providers/simulated-tokens/types.ts";
import { ZOO } from "../../../upstream/providers/simulated-tokens/zoo.ts";
import { mergeReadings, type StoredReading } from "../facts/fact.ts";
import type { TokenProfile } from "../facts/profile.ts";
import { isEVM, isIssuer } from "../facts/subject.ts";
import { type Assessment, assess, fetchAssessment } from "./assess.ts";
import { judge, VERDICTS, type Verdict } from "./judge.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const PARTS = [
  "mint",
  "powers",
  "rugcheck",
  "goplus",
  "honeypot",
  "holders",
  "pairs",
  "tape",
  "trade",
  "round_trip",
] as const;

interface Judged {
  readonly token: SimulatedTokenFacts;
  readonly assessment: Assessment;
}
const judged: Judged[] = [];
const node = createSimulatedNode({ now_ms: NOW_MS });
beforeAll(async () => {
  for (const token of ZOO) {
    const subject = { chain: token.chain, address: token.address };
    judged.push({ token, assessment: await fetchAssessment(node.createContext(), subject) });
  }
});
afterAll(() => node.close());

const rank = (verdict: Verdict): number => VERDICTS.indexOf(verdict);
const verdictOf = ({ judgement }: Assessment): Verdict => judgement.verdict;
const idsOf = (truth: TokenTruth, verdict: Verdict): readonly string[] =>
  judged.flatMap(({ token, assessment }) =>
    token.truth === truth && verdictOf(assessment) === verdict ? [token.id] : [],
  );
const remember = ({ readings }: Assessment): readonly StoredReading[] =>
  readings.map((reading) => ({ ...reading, at_ms: NOW_MS - 3_600_000 }));
const silence = (profile: TokenProfile, parts: readonly (typeof PARTS)[number][]): TokenProfile => ({
  ...profile,
  ...Object.fromEntries(
    parts.flatMap((part) => (profile[part] === null ? [] : [[part, { ok: false, error: new Error("silent") }]])),
  ),
});

describe("the zoo of simulated tokens", () => {
  test("has at least 40 tokens of known truth, each of them judged", () => {
    expect(ZOO.length).toBeGreaterThanOrEqual(40);
    expect(judged.length).toBe(ZOO.length);
  });

  test("no trap is ever SIZE, no blue chip ever AVOID, and honest tokens are SIZE", () => {
    expect(idsOf("trap", "SIZE")).toEqual([]);
    expect(idsOf("blue_chip", "AVOID")).toEqual([]);
    expect([...idsOf("honest", "AVOID"), ...idsOf("honest", "WATCH")]).toEqual([]);
  });

  test("the confusion table is the one in the README of /launch-risk", () => {
    const table = (["honest", "blue_chip", "caution", "trap"] as const).map((truth) => [
      truth,
      ...VERDICTS.map((verdict) => idsOf(truth, verdict).length),
    ]);
    const readme = readFileSync(join(import.meta.dir, "..", "launch-risk", "README.md"), "utf8");
    const rows = [...readme.matchAll(/^\| (honest|blue chip|caution|trap) +\| (\d+) +\| (\d+) +\| (\d+) +\|$/gm)];
    expect<unknown>(table).toEqual(
      rows.map(([, truth = "", ...counts]) => [truth.replace(" ", "_"), ...counts.map(Number)]),
    );
    expect(rows).toHaveLength(4);
    expect(readme).toContain(`${ZOO.length} simulated tokens`);
  });

  test("each trap is one for its own reason alone: the honest token it was made of is SIZE", () => {
    const reasons = judged
      .filter(({ token }) => token.truth === "trap")
      .map(({ assessment: { judgement } }) => judgement);
    expect(reasons.every(({ hard_fails, caps }) => hard_fails.length + caps.length > 0)).toBe(true);
  });
});

describe("unknown never improves a verdict", () => {
  const pairs = PARTS.flatMap((a, index) => PARTS.slice(index).map((b) => [a, b] as const));

  test("a source that falls silent, and each pair of them: findings of the last day stay valid", () => {
    const better: string[] = [];
    for (const { token, assessment } of judged) {
      for (const parts of pairs) {
        const then = assess(silence(assessment.profile, parts), remember(assessment));
        const is_better = rank(verdictOf(then)) > rank(verdictOf(assessment));
        if (is_better) better.push(`${token.id} without ${parts.join(" and ")}: ${verdictOf(then)}`);
      }
    }
    expect(better).toEqual([]);
  });

  test("with nothing remembered, whichever source is silent, nothing becomes SIZE", () => {
    const clean: string[] = [];
    for (const { token, assessment } of judged) {
      for (const parts of pairs) {
        const then = assess(silence(assessment.profile, parts));
        const was_asked = parts.some((part) => assessment.profile[part] !== null);
        if (was_asked && verdictOf(then) === "SIZE" && verdictOf(assessment) !== "SIZE") {
          clean.push(`${token.id} without ${parts.join(" and ")}`);
        }
      }
    }
    expect(clean).toEqual([]);
  });

  test("each single fact of each source, taken out and remembered, makes no verdict better", () => {
    const better: string[] = [];
    for (const { token, assessment } of judged) {
      const { subject, read_at_ms } = assessment.profile;
      const options = { is_evm: isEVM(subject), is_issuer: isIssuer(subject), silent: [] };
      const full = judge(assessment.facts, options);
      for (const reading of assessment.readings) {
        const rest = assessment.readings.filter((one) => one !== reading);
        const { verdict } = judge(mergeReadings(rest, remember(assessment), read_at_ms), options);
        if (rank(verdict) > rank(full.verdict)) better.push(`${token.id} without ${reading.fact} of ${reading.source}`);
      }
    }
    expect(better).toEqual([]);
  });
});
