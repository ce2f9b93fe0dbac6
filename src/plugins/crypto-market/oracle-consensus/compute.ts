import { type Computed, type Draft, missing, toNodeError, UpstreamError } from "intel-node";
import { weightedMedian } from "intel-node/quant/robust";
import { median, medianAbsoluteDeviation } from "simple-statistics";
import type { OracleConsensusInputs, OracleReading } from "./fetch.ts";
import {
  AGREE_BPS_MAX,
  KEPT_FULL,
  KEPT_MIN,
  LOOSE_BPS_MAX,
  MAD_TO_SIGMA,
  OUTLIER_RATIO,
  OUTLIER_SCALES,
  SCALE_MIN_RATIO,
  SCORE_WITHOUT_ORACLE,
  WEIGHTS,
} from "./rules.ts";
import type { ConsensusData, ConsensusSymbol, SourceDetailData } from "./schema.ts";

const BPS = 10_000;
const APART = "the fresh sources lie more than 2 % off their median";

/** A reading brought to US dollars and judged by its age. */
interface CheckedReading {
  readonly reading: OracleReading;
  readonly raw_price: number | null;
  readonly price: number | null;
  readonly age_ms: number | null;
  readonly fault: "error" | "stale" | null;
}

/** A judged reading with a price that is new enough. */
type Fresh = CheckedReading & { readonly price: number };

function judge(reading: OracleReading, { usdt_usd, read_at_ms }: OracleConsensusInputs): CheckedReading {
  const { outcome, kind } = reading;
  if (!outcome.ok) return { reading, raw_price: null, price: null, age_ms: null, fault: "error" };
  const { price: raw_price, at_ms } = outcome.value;
  const age_ms = at_ms === null ? null : Math.max(0, read_at_ms - at_ms);
  if (kind === "usdt" && usdt_usd === null) return { reading, raw_price, price: null, age_ms, fault: "error" };
  const price = kind === "usdt" ? raw_price * (usdt_usd ?? Number.NaN) : raw_price;
  return { reading, raw_price, price, age_ms, fault: (age_ms ?? 0) > reading.age_max_ms ? "stale" : null };
}

const isFresh = (judged: CheckedReading): judged is Fresh => judged.fault === null && judged.price !== null;

/** Drops prices further from the median than 5 robust standard deviations, or than 2 %. */
function dropOutliers(fresh: readonly Fresh[]): Fresh[] {
  const prices = fresh.map(({ price }) => price);
  const middle = median(prices);
  const scale = Math.max(MAD_TO_SIGMA * medianAbsoluteDeviation(prices), SCALE_MIN_RATIO * middle);
  const limit = Math.min(OUTLIER_SCALES * scale, OUTLIER_RATIO * middle);
  return fresh.filter(({ price }) => Math.abs(price - middle) <= limit);
}

function getVerdict(kept: number, range_bps: number | null): ConsensusData["verdict"] {
  if (kept < KEPT_MIN || range_bps === null) return "insufficient";
  if (range_bps <= AGREE_BPS_MAX) return "agree";
  return range_bps <= LOOSE_BPS_MAX ? "loose" : "diverge";
}

function getScore(kept: number, oracles: number, range_bps: number | null): number {
  if (range_bps === null) return 0;
  const agreement = Math.min(1, Math.max(0, 1 - range_bps / LOOSE_BPS_MAX));
  return 100 * agreement * Math.min(1, kept / KEPT_FULL) * (oracles === 0 ? SCORE_WITHOUT_ORACLE : 1);
}

function describe(
  judged: CheckedReading,
  consensus: number | null,
  kept: readonly CheckedReading[],
): Draft<SourceDetailData> {
  const { reading, raw_price, price, age_ms, fault } = judged;
  const used = kept.includes(judged);
  return {
    source: reading.source,
    kind: reading.kind,
    price,
    raw_price,
    // Of a source that could not be read its own warning speaks.
    age_s:
      age_ms === null ? (raw_price === null ? null : missing("the source states no time")) : Math.floor(age_ms / 1000),
    weight: WEIGHTS[reading.kind],
    deviation_bps: price === null || consensus === null ? null : (price / consensus - 1) * BPS,
    used,
    reason: fault ?? (used ? null : "outlier"),
  };
}

function warn(judged: CheckedReading): string[] {
  const { reading, fault, age_ms } = judged;
  const field = `sources_detail.${reading.source}`;
  if (fault === "stale") return [`${field}: ${Math.floor((age_ms ?? 0) / 1000)} s old, not used`];
  if (fault === null) return [];
  const { outcome } = reading;
  if (outcome.ok) return [`${field}: no USDT/USD rate to convert it with`];
  const why = outcome.error instanceof UpstreamError ? outcome.error.kind : "upstream_unavailable";
  return [`${field}: no usable answer (${why})`];
}

/**
 * The readings with a price that is new enough. One without a stated time counts only beside one that has a fresh one:
 * alone, nothing says that it is not days old.
 */
function findFresh(all: readonly CheckedReading[]): Fresh[] {
  const fresh = all.filter(isFresh);
  return fresh.some(({ age_ms }) => age_ms !== null) ? fresh : [];
}

/** The error of an answer without a single fresh price: old prices count as unusable answers. */
function refuse(all: readonly CheckedReading[]): Error {
  const errors = all.map(({ reading }) =>
    reading.outcome.ok
      ? new UpstreamError("upstream_bad_response", reading.source, "the price cannot be used")
      : reading.outcome.error,
  );
  return toNodeError(errors, "oracle-consensus");
}

/**
 * One price from many sources: stale ones and outliers are dropped, the rest combined by weighted median. Pure.
 * @throws NodeError upstream_unavailable or upstream_bad_response when no price is fresh.
 */
export function computeOracleConsensus(
  inputs: OracleConsensusInputs,
  symbol: ConsensusSymbol,
): Computed<Draft<ConsensusData>> {
  const { read_at_ms, readings, usdt_usd } = inputs;
  const all = readings.map((reading) => judge(reading, inputs));
  const fresh = findFresh(all);
  if (fresh.length === 0) throw refuse(all);
  const kept = dropOutliers(fresh);
  const prices = kept.map(({ price }) => price);
  const consensus = weightedMedian(kept.map(({ price, reading }) => ({ value: price, weight: WEIGHTS[reading.kind] })));
  const range_bps = consensus === null ? null : ((Math.max(...prices) - Math.min(...prices)) / consensus) * BPS;
  const oracles = kept.filter(({ reading }) => reading.kind === "oracle").length;

  const warnings = all.flatMap(warn);
  const times = (kept.length > 0 ? kept : fresh).flatMap(({ age_ms }) =>
    age_ms === null ? [] : [read_at_ms - age_ms],
  );
  return {
    as_of_ms: times.length > 0 ? Math.max(...times) : read_at_ms,
    warnings,
    data: {
      symbol,
      consensus_usd: consensus ?? missing(APART),
      range_bps: range_bps ?? missing(APART),
      score: getScore(kept.length, oracles, range_bps),
      verdict: getVerdict(kept.length, range_bps),
      n_fresh: fresh.length,
      n_kept: kept.length,
      n_oracles: oracles,
      sources_detail: all.map((judged) => describe(judged, consensus, kept)),
      usdt_usd: usdt_usd ?? missing("no fresh USDT/USD rate was read"),
    },
  };
}
