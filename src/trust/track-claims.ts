import { createMerkleRoot } from "../records/merkle-tree.ts";
import { hashOutcomeLeaf, hashRecord, type RecordBody } from "../records/record-chain.ts";
import { isScored, type ScoredRow, type ShownRecord, type TrackPayload, type TrackRow } from "./track-form.ts";
import type { AnchoredRows } from "./track-paths.ts";
import { broken, proven, type TrackClaim, unproven } from "./track-states.ts";
import { findContradiction } from "./track-totals.ts";

const hash = (value: unknown): string | null => {
  try {
    return hashRecord(value as RecordBody);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

/** The reason why records or outcomes do not match their hashes; null if they do. */
export function findFalseHash(
  { chain_length }: Pick<TrackPayload, "chain_length">,
  rows: readonly TrackRow[],
): string | null {
  for (const { record, record_hash, outcome, outcome_hash } of rows) {
    const { seq } = record;
    if (seq > chain_length) return `record ${seq} is beyond the end of the chain`;
    if (hash(record) !== record_hash) return `record ${seq} does not have its hash`;
    if ((outcome === null) !== (outcome_hash === null)) return `the outcome of ${seq} and its hash do not go together`;
    if (outcome === null) continue;
    if (hash(outcome) !== outcome_hash) return `the outcome of ${seq} does not have its hash`;
    if (outcome.seq !== seq || outcome.record_hash !== record_hash)
      return `the outcome beside ${seq} is of another one`;
  }
  return null;
}

const ownOf = ({ document: { payload }, rows }: ShownRecord): readonly ScoredRow[] =>
  rows.filter(isScored).filter(({ record }) => record.model_id === payload.model_id);

/** Whether no graded outcome is left out, which holds if all of them lead to their root. */
export function checkCompleteness(shown: ShownRecord): TrackClaim {
  const name = "completeness";
  const { payload } = shown.document;
  const { n_scored, n_open = 0, n_unscorable = 0, chain_length, outcomes_root } = payload;
  const own = ownOf(shown);
  if (own.length > n_scored) return broken(name, `${own.length} graded records are shown, ${n_scored} are signed for`);
  if (own.length < n_scored) return unproven(name, `${own.length} of ${n_scored} graded records are shown`);
  const tree = createMerkleRoot();
  for (const { record_hash, outcome_hash } of shown.rows.filter(isScored)) {
    tree.append(hashOutcomeLeaf(record_hash, outcome_hash));
  }
  if (tree.root() === outcomes_root) return proven(name, `all ${n_scored} graded records are shown`);
  // The root covers the records of every model that the node has ever had.
  const is_only_model = n_scored + n_open + n_unscorable === chain_length;
  return is_only_model
    ? broken(name, "the graded records are not those whose root is signed")
    : unproven(name, "the graded records of earlier models are not shown");
}

const HOUR_MS = 3_600_000;
const BPS = 10_000;

/** One decimal, half away from zero on the exact binary value, without "-0.0". */
const renderBps = (value: number): string => value.toFixed(1).replace(/^-(0\.0)$/, "$1");

function findFalseGrade(rows: readonly ScoredRow[]): string | null {
  for (const { record, outcome } of rows) {
    const { seq, side, horizon_h, cost_bps } = record;
    if (side === "none") return `record ${seq} names no side, and is graded`;
    const change = Number(outcome.exit_price) / Number(outcome.entry_price) - 1;
    const gross = renderBps((side === "long" ? 1 : -1) * change * BPS);
    const net = renderBps(Number(gross) - Number(cost_bps));
    if (gross !== outcome.gross_bps || net !== outcome.net_bps || Number(net) > 0 !== outcome.hit) {
      return `the result of ${seq} is ${net} bps, not ${outcome.net_bps}`;
    }
    const entry_ms = (Math.floor(Date.parse(record.emitted_at) / HOUR_MS) + 1) * HOUR_MS;
    const is_timed =
      Date.parse(outcome.entry_at) === entry_ms && Date.parse(outcome.exit_at) === entry_ms + horizon_h * HOUR_MS;
    if (!is_timed) return `entry or exit of ${seq} is not at its hour`;
  }
  return null;
}

/** Whether every result follows from its prices, hours and cost, and from outcomes under a signature. */
export function checkGrades({ rows, anchors, is_complete }: AnchoredRows): TrackClaim {
  const name = "grades";
  const graded = rows.filter(isScored);
  const fault = findFalseGrade(graded);
  if (fault !== null) return broken(name, fault);
  if (graded.length === 0) return unproven(name, "no graded record is shown");
  const is_held = is_complete || graded.every(({ record }) => anchors.outcomes.has(record.seq));
  return is_held
    ? proven(name, `${graded.length} results follow from their prices, hours and costs`)
    : unproven(name, `${graded.length} results follow from the prices shown, which nothing signed holds`);
}

/** Whether the signed figures match the records. */
export function checkTotals(shown: AnchoredRows): TrackClaim {
  const name = "totals";
  const { document, is_complete } = shown;
  const { payload } = document;
  const own = ownOf(shown);
  const contradiction = findContradiction(payload, document.unsigned);
  if (contradiction !== null) return broken(name, contradiction);
  const wins = own.filter(({ outcome }) => outcome.hit).length;
  if (wins > payload.wins) return broken(name, `${wins} hits are shown, ${payload.wins} are signed for`);
  const losses = own.length - wins;
  const signed_losses = payload.n_scored - payload.wins;
  if (losses > signed_losses) return broken(name, `${losses} misses are shown, ${signed_losses} are signed for`);
  if (!is_complete) return unproven(name, `${own.length} of ${payload.n_scored} graded records are no sum of all`);
  const sum = renderBps(own.reduce((total, { outcome }) => total + Number(outcome.net_bps), 0));
  if (sum !== payload.sum_net_bps) return broken(name, `the results add up to ${sum}, not ${payload.sum_net_bps}`);
  const miscount = findMiscount(shown);
  if (miscount !== null) return broken(name, miscount);
  return proven(name, `${wins} hits of ${own.length}, sum ${sum} bps`);
}

/** Counts open signals and those without prices, which is possible if the whole chain and log are shown. */
function findMiscount({ document: { payload }, rows, anchors }: AnchoredRows): string | null {
  if (rows.length !== payload.chain_length || !anchors.is_log_whole) return null;
  const own = rows.filter(({ record }) => record.model_id === payload.model_id);
  const open = own.filter(({ outcome }) => outcome === null).length;
  const unscorable = own.filter(({ outcome }) => outcome?.status === "unscorable").length;
  const { n_emitted = own.length, n_open = open, n_unscorable = unscorable } = payload;
  if (n_emitted !== own.length) return `${own.length} records, ${n_emitted} are signed for`;
  if (n_open !== open) return `${open} records are open, ${n_open} are signed for`;
  return n_unscorable === unscorable ? null : `${unscorable} could not be graded, ${n_unscorable} are signed for`;
}
