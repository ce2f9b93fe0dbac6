import type { Static } from "@sinclair/typebox";
import { type Computed, type Draft, missing, missingIn } from "intel-node";
import { findDoubt } from "intel-node/quant/graded-record";
import { MODEL_ID, type Side } from "../signals/model.ts";
import { type Graded, getBucketLabel, getCalibrated, summarise } from "../signals/performance.ts";
import { computeRecordStats, warnOfRecord } from "../signals/record-stats.ts";
import type { StoredSignal } from "../signals/signal-records.ts";
import { getAsOf, listActive, renderSignal, warnOfView } from "../signals/view.ts";
import { type AlphaInputs, keyOfRange } from "./fetch.ts";
import { type AlphaData, type AlphaParams, type BucketData, type RiskData, SIGNALS } from "./schema.ts";

const STOP_RANGES = 1.5;
const TARGET_STOPS = 2;
const RISKED_FRAC = 0.01;

/** Stop, target and the size at which the stop costs 1 % of the equity. Wilder's average true range as the measure. */
export function computeRisk({ side, price, atr }: { side: Side; price: number; atr: number }): RiskData | null {
  const distance = STOP_RANGES * atr;
  const sign = side === "long" ? 1 : -1;
  // A market whose range is that large has no sensible stop.
  if (!(distance > 0) || distance * TARGET_STOPS >= price) return null;
  return {
    stop: price - sign * distance,
    target: price + sign * TARGET_STOPS * distance,
    size_frac: Math.min(1, RISKED_FRAC / (distance / price)),
  };
}

const explainNoRisk = (atr: number | undefined, bar_close_at: string): string =>
  atr === undefined
    ? `no four-hour bars up to ${bar_close_at} to measure it by`
    : "the average true range is 0, or so large that the target would lie beyond a price of 0";

/** How graded signals of one class of confidence did. */
export function computeBucket(confidence: number, graded: readonly Graded[]): BucketData {
  const label = getBucketLabel(confidence);
  const own = graded.filter((one) => getBucketLabel(one.confidence) === label);
  const { wins, ...summary } = summarise(own);
  return {
    label,
    ...summary,
    warning: findDoubt({ n: own.length, wins, mean_net_bps: summary.mean_net_bps }),
    p_calibrated: getCalibrated(wins, own.length),
  };
}

/** If nothing speaks against the class, a null `warning` is not a missing value. */
const explainBucket = (bucket: BucketData): Draft<BucketData> => ({
  ...missingIn(bucket, "no signal of its class was graded yet"),
  warning: bucket.warning,
});

const renderFactors = ({ factors }: StoredSignal) =>
  factors.factors.map(({ name, value, weight, contribution }) => ({
    name,
    value: value === null ? null : Number(value),
    weight: Number(weight),
    contribution: contribution === null ? null : Number(contribution),
  }));

/** Active signals with their reasons, suggested distances, and how their like did here. Pure. */
export function computeAlphaSignals(
  inputs: AlphaInputs,
  { confidence: confidence_min = 0, limit = SIGNALS.default }: Static<typeof AlphaParams>,
): Computed<Draft<AlphaData>> {
  const { now: view, graded, ranges } = inputs;
  const active = listActive(view);
  const wanted = active.filter(({ record }) => record.confidence >= confidence_min);
  const warnings = warnOfView(view);
  const left_out = wanted.length - limit;
  if (left_out > 0) warnings.push(`signals: ${left_out} further active signals come with a higher limit`);
  const buckets = new Map<string, BucketData>();
  const bucketOf = (confidence: number): BucketData => {
    const bucket = buckets.get(getBucketLabel(confidence)) ?? computeBucket(confidence, graded);
    buckets.set(bucket.label, bucket);
    return bucket;
  };
  const signals = wanted.slice(0, limit).map((signal) => {
    const { symbol, side, bar_close_at, confidence, features_hash } = signal.record;
    const atr = ranges.get(keyOfRange(symbol, Date.parse(bar_close_at)));
    const row = renderSignal(signal, view);
    const risk = atr === undefined ? null : computeRisk({ side, price: row.ref_price, atr });
    return {
      ...row,
      factors: missingIn(renderFactors(signal), "its input was missing, and the other weights counted for more"),
      features_hash,
      risk: risk ?? missing(explainNoRisk(atr, bar_close_at)),
      bucket: explainBucket(bucketOf(confidence)),
    };
  });
  warnings.push(...warnOfRecord("signals", signals, graded));
  return {
    as_of_ms: getAsOf(view),
    warnings,
    data: {
      model_id: MODEL_ID,
      chain: view.chain,
      signals,
      record_stats: computeRecordStats(graded),
      filtered_out: active.length - wanted.length,
      disclaimer_code: "not_advice",
    },
  };
}
