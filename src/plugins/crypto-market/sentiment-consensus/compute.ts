import { type Computed, type Draft, missing, NodeError, renderTime } from "intel-node";
import { weightedMedian } from "intel-node/quant/robust";
import { describeSample, NO_FUNDING } from "../derivatives/stored-funding.ts";
import { getComponents, scoreNews } from "../scores/components.ts";
import type { SentimentReadings } from "../scores/readings.ts";
import type { SentimentConsensusInputs } from "./fetch.ts";
import type { ConsensusRow, ConsensusVerdict, Scope, SentimentConsensusData, VoteSource } from "./schema.ts";
import { SCOPES } from "./schema.ts";

export interface ConsensusVote {
  readonly source: VoteSource;
  /** -1 to 1. */
  readonly value: number;
  readonly at_ms: number;
}

const OPINIONS_MIN = 3;
/** A weaker vote has no side. */
const SIDE_MIN = 0.1;
/** A single vote has no one to agree with. */
const SIDED_MIN = 2;
const AGREEMENT_MIN = 0.5;
const LEANING = 0.15;
const FUNDING_SCALE_PCT = 60;
const CROWDED = { greed: 80, greed_funding_pct: 40, fear: 20, fear_funding_pct: -10 } as const;

const clamp = (value: number): number => Math.max(-1, Math.min(1, value));

function getVerdict(count: number, consensus: number, agreement: number | null): ConsensusVerdict {
  if (count < OPINIONS_MIN) return "insufficient";
  if (agreement !== null && agreement < AGREEMENT_MIN) return "mixed";
  if (consensus >= LEANING) return "bullish";
  return consensus <= -LEANING ? "bearish" : "neutral";
}

/** Median of the votes, and how far those that have a side agree about it. */
export function weighVotes(votes: readonly ConsensusVote[]): Omit<ConsensusRow, "scope" | "votes"> {
  const consensus = weightedMedian(votes.map(({ value }) => ({ value, weight: 1 })));
  const sided = votes.filter(({ value }) => Math.abs(value) >= SIDE_MIN);
  const balance = sided.reduce((sum, { value }) => sum + Math.sign(value), 0);
  const agreement = sided.length < SIDED_MIN ? null : Math.abs(balance) / sided.length;
  return {
    consensus,
    agreement,
    verdict: getVerdict(votes.length, consensus ?? 0, agreement),
    n_opinions: votes.length,
    n_sided: sided.length,
    dissenters: sided.filter(({ value }) => Math.sign(value) * balance < 0).map(({ source }) => source),
  };
}

interface Common {
  readonly fear_greed: ConsensusVote | null;
  readonly breadth: ConsensusVote | null;
}

/** Votes of one scope; what it lacks is said, but for sources that have no opinion of it by design. */
function collectVotes(readings: SentimentReadings, common: Common, run: { now_ms: number; warnings: string[] }) {
  const { scope, headlines, positioning } = readings;
  const votes: ConsensusVote[] = [];
  const lack = (source: VoteSource, why: string) => run.warnings.push(`rows.${scope}.${source}: ${why}`);
  if (scope === "market" || scope === "BTC") {
    if (common.fear_greed) votes.push(common.fear_greed);
    else lack("fear_greed", "no publisher could be read");
  }
  const scored = headlines === null ? null : scoreNews(headlines);
  for (const { name, value, at_ms, why_null } of getComponents(readings, scored, run.now_ms)) {
    if (value !== null && at_ms !== null) votes.push({ source: name, value: value / 100, at_ms });
    else lack(name, why_null ?? "unknown");
  }
  if (positioning) {
    const value = clamp(positioning.funding_apr_pct / FUNDING_SCALE_PCT);
    votes.push({ source: "funding_skew", value, at_ms: positioning.fetched_at_ms });
  } else lack("funding_skew", NO_FUNDING);
  if (scope === "market") {
    if (common.breadth) votes.push(common.breadth);
    else lack("breadth", "too few coins have up-to-date daily bars stored");
  }
  return votes;
}

const describeVote = ({ source, value, at_ms }: ConsensusVote) => ({
  source,
  value,
  as_of: renderTime(at_ms),
});

type Crowding = Draft<SentimentConsensusData["crowding"]>;

function getCrowding(fng: number | null, funding_apr_pct: number | null): Crowding {
  if (fng === null || funding_apr_pct === null) {
    return {
      flag: missing("fear and greed or funding is missing"),
      fng: fng ?? missing("no publisher could be read"),
      funding_apr_pct: funding_apr_pct ?? missing(NO_FUNDING),
    };
  }
  const known = { fng, funding_apr_pct };
  if (fng >= CROWDED.greed && funding_apr_pct >= CROWDED.greed_funding_pct) return { flag: "crowded_long", ...known };
  if (fng <= CROWDED.fear && funding_apr_pct <= CROWDED.fear_funding_pct) return { flag: "crowded_short", ...known };
  return { flag: "none", ...known };
}

const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

/**
 * Whether sources that know nothing of each other agree.
 * @throws NodeError upstream_unavailable when no scope has three opinions.
 */
export function computeSentimentConsensus(
  { publisher, readings, breadth }: SentimentConsensusInputs,
  { now_ms }: { readonly now_ms: number },
): Computed<Draft<SentimentConsensusData>> {
  const warnings: string[] = [];
  const [newest] = publisher.ok ? publisher.value.rows : [];
  const common: Common = {
    fear_greed: newest ? { source: "fear_greed", value: (newest.value - 50) / 50, at_ms: newest.at_ms } : null,
    breadth: breadth && { source: "breadth", value: 2 * breadth.share - 1, at_ms: breadth.at_ms },
  };
  if (publisher.ok && publisher.value.index_id !== "alternative_me") {
    warnings.push("fear_greed: Alternative.me could not be read; this is CoinMarketCap's own index, a different one");
  }
  const collected = readings.flatMap((one) =>
    isScope(one.scope) ? [{ scope: one.scope, votes: collectVotes(one, common, { now_ms, warnings }) }] : [],
  );
  if (collected.every(({ votes }) => votes.length < OPINIONS_MIN)) {
    const message = "Fewer than 3 sources of sentiment could be read, of every scope. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 60 });
  }
  const rows = collected.map(({ scope, votes }) => ({ scope, ...weighVotes(votes), votes: votes.map(describeVote) }));
  const market = readings.find(({ scope }) => scope === "market")?.positioning ?? null;
  const crowding = getCrowding(newest?.value ?? null, market?.funding_apr_pct ?? null);
  const sampled = market && describeSample(market, now_ms);
  if (sampled) warnings.push(`crowding.funding_apr_pct: ${sampled}`);
  const as_of_ms = Math.max(...collected.flatMap(({ votes }) => votes.map(({ at_ms }) => at_ms)));
  return { as_of_ms, data: { rows, crowding }, warnings };
}
