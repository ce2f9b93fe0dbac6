import { renderTime } from "intel-node";
import { ownPairs, type TokenProfile } from "../facts/profile.ts";
import type { Assessment } from "../judge/assess.ts";
import type { Judgement } from "../judge/judge.ts";
import type { TokenData } from "../parameters/token-schema.ts";
import { cleanName, cleanSymbol } from "../text/clean-text.ts";

/** Address, and the names its maker gave it. */
export function describeToken(profile: TokenProfile): TokenData {
  const { subject, pairs, rugcheck, goplus } = profile;
  const listed = pairs?.ok ? ownPairs(pairs.value, subject)[0]?.base : undefined;
  const meta = rugcheck?.ok ? rugcheck.value.tokenMeta : undefined;
  const row = goplus?.ok ? goplus.value : undefined;
  const name = listed?.name ?? meta?.name ?? row?.token_name;
  const symbol = listed?.symbol ?? meta?.symbol ?? row?.token_symbol;
  const clean = (value: unknown, how: (text: string) => string): string | null =>
    typeof value === "string" && how(value) !== "" ? how(value) : null;
  return {
    chain: subject.chain,
    address: subject.address,
    name: clean(name, cleanName),
    symbol: clean(symbol, cleanSymbol),
  };
}

/** A judgement as products show it; factors without points are left out where a list has to be short. */
export const describeJudgement = (judged: Judgement, is_short = false) => ({
  risk: judged.risk,
  coverage: judged.coverage,
  factors: judged.factors
    .filter(({ points, known }) => !is_short || points > 0 || !known)
    .map((factor) => ({ ...factor, sources: [...factor.sources] })),
  hard_fails: judged.hard_fails.map((one) => ({ ...one, sources: [...one.sources] })),
  caps: judged.caps.map((one) => ({ ...one, sources: [...one.sources] })),
  unknown: [...judged.unknown],
  conflicts: judged.conflicts.map(({ fact, values }) => ({
    fact,
    values: Object.entries(values).map(([source, value]) => ({ source, value })),
  })),
});

/** Price of the deepest pool. */
export function getPrice({ pairs, subject }: TokenProfile): number | null {
  return pairs?.ok
    ? (ownPairs(pairs.value, subject).find(({ price_usd }) => price_usd !== null)?.price_usd ?? null)
    : null;
}

/** One verdict as /launch-risk sells it. */
export function describeItem({ profile, facts, judgement }: Assessment, created_at_ms: number | null) {
  const venue: "curve" | "amm" | null =
    facts.on_curve.value === null ? null : facts.on_curve.value === 1 ? "curve" : "amm";
  const age = facts.age_min.value;
  const born_ms = created_at_ms ?? (age === null ? null : profile.read_at_ms - age * 60_000);
  return {
    token: describeToken(profile),
    created_at: born_ms === null ? null : renderTime(born_ms),
    venue,
    verdict: judgement.verdict,
    basis: judgement.basis,
    max_size_usd: judgement.max_size_usd,
    ...describeJudgement(judgement, true),
    assessed_at: renderTime(profile.read_at_ms),
  };
}
