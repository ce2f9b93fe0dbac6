import { Value } from "@sinclair/typebox/value";
import type { Computed } from "intel-node";
import { SAMPLE_MIN } from "intel-node/quant/graded-record";
import type { HistoryEntry } from "../signals/history.ts";
import { HORIZON_H } from "../signals/model.ts";
import {
  BUCKETS,
  computeDaily,
  computePerformance,
  dropOverlapping,
  type Graded,
  getBucketLabel,
  summarise,
} from "../signals/performance.ts";
import { warnOfRecord } from "../signals/record-stats.ts";
import type { WinRateInputs } from "./fetch.ts";
import {
  type EvidenceData,
  type GroupData,
  Payload,
  type PayloadData,
  type WindowData,
  type WinRateData,
} from "./schema.ts";
import { HOW_TO_VERIFY, LIMITS, MERKLE_NOTE } from "./texts.ts";

const DAY_MS = 86_400_000;
function computeFigures(graded: readonly Graded[]): WindowData["non_overlapping"] {
  const all = computePerformance(graded);
  const { days, sharpe, max_drawdown_pct } = computeDaily(graded);
  return {
    n_scored: all.n_scored,
    wins: all.wins,
    win_rate: all.win_rate,
    win_rate_lo95: all.win_rate_lo95,
    win_rate_hi95: all.win_rate_hi95,
    avg_net_bps: all.avg_net_bps,
    median_net_bps: all.median_net_bps,
    sum_net_bps: all.sum_net_bps,
    profit_factor: all.profit_factor,
    always_long_hits: all.always_long_hits,
    p_value_vs_half: all.p_value_vs_half,
    brier: all.brier,
    sharpe,
    max_drawdown_pct,
    days,
  };
}

const renderGroup = (key: string, graded: readonly Graded[]): GroupData => ({ key, ...summarise(graded) });

function splitBy(graded: readonly Graded[], keyOf: (one: Graded) => string): ReadonlyMap<string, readonly Graded[]> {
  const groups = new Map<string, Graded[]>();
  for (const one of graded) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

const groupBy = (graded: readonly Graded[], keyOf: (one: Graded) => string): GroupData[] =>
  [...splitBy(graded, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, group]) => renderGroup(key, group));

function byBucket(graded: readonly Graded[]): GroupData[] {
  const groups = splitBy(graded, ({ confidence }) => getBucketLabel(confidence));
  return BUCKETS.map(({ label }) => renderGroup(label, groups.get(label) ?? []));
}

const listGraded = (entries: readonly HistoryEntry[]): readonly Graded[] =>
  entries.flatMap(({ graded }) => (graded ? [graded] : []));

function computeWindow(window: WindowData["window"], entries: readonly HistoryEntry[]): WindowData {
  const graded = listGraded(entries);
  const countOf = (status: HistoryEntry["status"]) => entries.filter((entry) => entry.status === status).length;
  return {
    window,
    n_emitted: entries.length,
    n_open: countOf("open"),
    n_unscorable: countOf("unscorable"),
    ...computeFigures(graded),
    non_overlapping: computeFigures(dropOverlapping(graded, HORIZON_H)),
    calibration: byBucket(graded),
  };
}

function listEvidence({ newest }: WinRateInputs): EvidenceData[] {
  return newest.flatMap(({ record, record_hash, outcome, outcome_hash, outcome_seq }) =>
    outcome === null || outcome_hash === null ? [] : [{ record, record_hash, outcome, outcome_hash, outcome_seq }],
  );
}

/** @throws TypeError when the statement is not what the schema publishes. */
function assertPayload(payload: unknown): PayloadData {
  if (Value.Check(Payload, payload)) return payload;
  throw new TypeError("the signed statement does not match its schema");
}

/** The model's record on this node, in windows and groups, beside the signed statement of all of it. Pure. */
export function computeWinRate(inputs: WinRateInputs): Computed<WinRateData> {
  const { at_ms, changed_at_ms, entries, proof } = inputs;
  const since = (days: number) => entries.filter(({ exit_at_ms }) => exit_at_ms > at_ms - days * DAY_MS);
  const graded = listGraded(entries);
  const all = computeWindow("all", entries);
  return {
    as_of_ms: Math.min(changed_at_ms ?? at_ms, at_ms),
    warnings: [
      ...(graded.length < SAMPLE_MIN ? [`sample_too_small: ${graded.length} graded signals say next to nothing`] : []),
      ...warnOfRecord("by_side", graded, graded),
    ],
    data: {
      payload: assertPayload(inputs.payload),
      payload_canonical: inputs.payload_canonical,
      signature: inputs.signature,
      algorithm: "ed25519",
      public_key: inputs.public_key,
      key_id: inputs.key_id,
      verify_url: "/.well-known/verify-manifest",
      missed_evaluations: inputs.missed_evaluations,
      windows: [computeWindow("30d", since(30)), computeWindow("90d", since(90)), all],
      by_symbol: groupBy(graded, ({ symbol }) => symbol),
      by_side: groupBy(graded, ({ side }) => side),
      by_bucket: all.calibration,
      records: listEvidence(inputs),
      proof: proof === null ? null : { records: [...proof.records], outcomes: [...proof.outcomes] },
      merkle_proof_note: MERKLE_NOTE,
      how_to_verify: [...HOW_TO_VERIFY],
      limits: [...LIMITS],
    },
  };
}
