import { type Computed, type Draft, missing, missingIn } from "intel-node";
import { SCOPE_NOTE, UNDATED } from "../judge/assess.ts";
import type { LaunchItemData } from "../launch-risk/schema.ts";
import { warnOfWatch } from "../launches/factory-watch.ts";
import type { StoredAssessment } from "../launches/store.ts";
import { aggregate } from "../markets/markets.ts";
import { NO_SOURCE } from "../written/words.ts";
import type { LaunchSniperInputs } from "./fetch.ts";
import { getMomentum, getScore } from "./momentum.ts";
import type { LaunchSniperData } from "./schema.ts";

type Candidate = Draft<LaunchSniperData["candidates"][number]>;
type Rejected = keyof LaunchSniperData["rejected_counts"];

const LIQUIDITY_MIN = 10_000;
const COVERAGE_MIN = 0.75;

function tryCandidate(row: StoredAssessment, inputs: LaunchSniperInputs): Candidate | Rejected {
  const { pairs, read_at_ms, origins } = inputs;
  const item = row.item as LaunchItemData;
  if (item.basis === "hard_fail") return "hard_fail";
  if (item.verdict === "AVOID") return item.basis === "insufficient_evidence" ? "insufficient_evidence" : "risk";
  if (item.coverage < COVERAGE_MIN) return "insufficient_evidence";
  const own = pairs.filter(({ base }) => base.address === row.token);
  const market = aggregate(own);
  const liquidity_usd = market.liquidity_usd ?? row.liquidity_usd;
  if (liquidity_usd === null || liquidity_usd < LIQUIDITY_MIN) return "liquidity";
  const [pair] = own;
  if (!pair || pair.buys_h1 === null || pair.sells_h1 === null || pair.volume_h1_usd === null) return "flow_unknown";
  const { buys_h1, sells_h1, volume_h1_usd } = pair;
  const { momentum, factors } = getMomentum({ buyers_h1: buys_h1, buys_h1, sells_h1, volume_h1_usd, liquidity_usd });
  return {
    token: missingIn(item.token, NO_SOURCE),
    source: origins.get(row.token) ?? missing("nobody told of the launch"),
    verdict: item.verdict,
    risk: item.risk,
    coverage: item.coverage,
    momentum,
    score: getScore(item.risk, momentum),
    momentum_factors: factors,
    price_usd: market.price_usd ?? missing("no pool has a price"),
    liquidity_usd,
    volume_h1_usd,
    buys_h1,
    sells_h1,
    age_min: (read_at_ms - row.created_at_ms) / 60_000,
    max_size_usd: item.max_size_usd,
    reasons_not_size: item.verdict === "SIZE" ? [] : [item.basis, ...item.caps.map(({ id }) => id), ...item.unknown],
    assessed_at: item.assessed_at,
  };
}

export function computeLaunchSniper(inputs: LaunchSniperInputs, limit: number): Computed<Draft<LaunchSniperData>> {
  const tried = inputs.rows.map((row) => tryCandidate(row, inputs));
  const count = (why: Rejected) => tried.filter((one) => one === why).length;
  const candidates = tried.filter((one) => typeof one !== "string").toSorted((a, b) => b.score - a.score);
  return {
    as_of_ms: Math.min(inputs.read_at_ms, ...inputs.rows.map(({ at_ms }) => at_ms)),
    data: {
      candidates: candidates.slice(0, limit),
      rejected_counts: {
        hard_fail: count("hard_fail"),
        insufficient_evidence: count("insufficient_evidence"),
        risk: count("risk"),
        liquidity: count("liquidity"),
        flow_unknown: count("flow_unknown"),
      },
      launched: inputs.launched,
      scanned: inputs.rows.length,
      coverage: inputs.watch ? { ...inputs.watch.coverage } : missing("of factories on EVM chains only"),
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      UNDATED,
      "candidates.momentum: purchases stand for buyers, because no licensed table counts wallets",
      ...(inputs.watch ? warnOfWatch("coverage", inputs.watch, inputs.read_at_ms) : []),
      ...(candidates.length === 0 ? ["candidates: nothing passed; rejected_counts says why"] : []),
    ],
  };
}
