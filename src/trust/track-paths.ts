import { hashRecordLeaf } from "../records/history-trees.ts";
import { rootOfLeaves } from "../records/merkle-tree.ts";
import { getGenesis, hashOutcomeLeaf } from "../records/record-chain.ts";
import { isScored, type ShownRecord, type TrackRow } from "./track-form.ts";
import { broken, proven, TRACK_KINDS, type TrackClaim, unproven } from "./track-states.ts";

/** The shown records and outcomes that are proven by a signature. */
export interface Anchors {
  readonly records: ReadonlySet<number>;
  readonly outcomes: ReadonlySet<number>;
  /** Whether every logged outcome is shown, so that a signal without an outcome is open. */
  readonly is_log_whole: boolean;
  /** The reason why a shown value contradicts the signed one. */
  readonly faults: { readonly membership?: string; readonly order?: string };
}

type Anchored = Pick<Anchors, "faults"> & { readonly seqs: readonly number[] };
const NOTHING: Anchored = { seqs: [], faults: {} };

/** Follows all shown records to a signature: by the trees' roots, and along the chain from its head. */
export function anchorRows(shown: ShownRecord): Anchors {
  const by_tree = [proveRecords(shown), proveOutcomes(shown)] as const;
  const log = rebuildLog(shown);
  const [records, outcomes] = by_tree;
  const chain = followChain(shown, new Set(records.seqs));
  return {
    records: chain.anchored,
    outcomes: new Set([...outcomes.seqs, ...log.seqs]),
    is_log_whole: log.is_whole,
    faults: { ...chain.faults, ...log.faults, ...outcomes.faults, ...records.faults },
  };
}

/** Checks the answer's own records against the root over all records. */
function proveRecords({ document: { payload, rows, proof } }: ShownRecord): Anchored {
  const { records_root, chain_length } = payload;
  if (records_root === undefined || proof === null || !rows || rows.length === 0) return NOTHING;
  const leaves = new Map(rows.map(({ record, record_hash }) => [record.seq - 1, hashRecordLeaf(record_hash)]));
  if (rootOfLeaves({ size: chain_length, leaves, missing: proof.records }) === records_root) {
    return { seqs: rows.map(({ record }) => record.seq), faults: {} };
  }
  return { seqs: [], faults: { membership: "the records shown do not lead to the signed root of all records" } };
}

const leafOf = ({ record_hash, outcome_hash }: TrackRow): string => hashOutcomeLeaf(record_hash, outcome_hash ?? "");

/** Checks the answer's own outcomes against the root over the log of outcomes. */
function proveOutcomes({ document: { payload, rows, proof } }: ShownRecord): Anchored {
  const { outcome_log_root, outcome_log_size = 0 } = payload;
  const stated = (rows ?? []).filter(({ outcome }) => outcome !== null);
  if (outcome_log_root === undefined || proof === null || stated.length === 0) return NOTHING;
  const leaves = new Map(stated.map((row) => [(row.outcome_seq ?? 0) - 1, leafOf(row)]));
  const leads = rootOfLeaves({ size: outcome_log_size, leaves, missing: proof.outcomes }) === outcome_log_root;
  if (leads && leaves.size === stated.length) return { seqs: stated.map(({ record }) => record.seq), faults: {} };
  return { seqs: [], faults: { membership: "the outcomes shown do not lead to the signed root of all outcomes" } };
}

/** Rebuilds the log if every position of it is shown. */
function rebuildLog({ document: { payload }, rows }: ShownRecord): Anchored & { readonly is_whole: boolean } {
  const { outcome_log_root, outcome_log_size } = payload;
  if (outcome_log_root === undefined || outcome_log_size === undefined) return { ...NOTHING, is_whole: false };
  const stated = rows.filter(({ outcome, outcome_seq }) => outcome !== null && typeof outcome_seq === "number");
  const leaves = new Map(stated.map((row) => [Number(row.outcome_seq) - 1, leafOf(row)]));
  const is_whole = leaves.size === outcome_log_size && stated.length === leaves.size && outcome_log_size > 0;
  if (!is_whole) return { ...NOTHING, is_whole: outcome_log_size === 0 };
  if (rootOfLeaves({ size: outcome_log_size, leaves, missing: [] }) === outcome_log_root) {
    return { seqs: stated.map(({ record }) => record.seq), faults: {}, is_whole };
  }
  const faults = { membership: "the outcomes shown are not those whose root is signed" };
  return { seqs: [], faults, is_whole: false };
}

/** A record names its predecessor, so the predecessor of a proven record is proven too, down to a gap. */
function followChain({ document: { payload }, rows, by_seq }: ShownRecord, known: ReadonlySet<number>) {
  const { chain_length, chain_head, kind } = payload;
  const anchored = new Set(known);
  const faults: { order?: string } = {};
  for (const { record, record_hash } of rows.toReversed()) {
    const { seq } = record;
    const next = by_seq.get(seq + 1);
    if (seq === chain_length) {
      if (record_hash !== chain_head) faults.order ??= "the newest record is not the chain's head";
      else anchored.add(seq);
    }
    if (seq === 1 && record.prev_hash !== getGenesis(TRACK_KINDS[kind].chain)) {
      faults.order ??= "the first record does not begin the chain";
    }
    if (!next) continue;
    if (next.record.prev_hash !== record_hash) faults.order ??= `record ${next.record.seq} is not linked`;
    else if (anchored.has(next.record.seq)) anchored.add(seq);
  }
  return { anchored, faults };
}

export interface AnchoredRows extends ShownRecord {
  readonly anchors: Anchors;
  /** Whether all graded outcomes are shown and lead to their signed root. */
  readonly is_complete: boolean;
}

/** Whether everything shown is part of what was signed. */
export function checkMembership({ document, rows, anchors, is_complete }: AnchoredRows): TrackClaim {
  const name = "membership";
  if (anchors.faults.membership !== undefined) return broken(name, anchors.faults.membership);
  if (rows.length === 0) {
    const why =
      document.rows === null ? "records are withheld: previews show the statement only" : "no record is shown";
    return unproven(name, why);
  }
  const own = new Set((document.rows ?? []).map(({ record }) => record.seq));
  const loose = rows.find((row) => {
    const { seq } = row.record;
    const is_graded = is_complete && isScored(row);
    if (!anchors.records.has(seq) && !is_graded) return true;
    // Only a completely shown log proves that a signal is open; older evidence does not prove it for today.
    if (row.outcome === null) return own.has(seq) && !anchors.is_log_whole;
    return !anchors.outcomes.has(seq) && !is_graded;
  });
  if (loose === undefined) return proven(name, `${rows.length} records and their outcomes are part of what was signed`);
  const why = document.proof === null ? "no proof came along" : "not all of it is covered";
  return unproven(name, `nothing signed holds what is shown of record ${loose.record.seq}: ${why}`);
}

/** Whether every record is at the position that it states. */
export function checkOrder({ document: { payload }, rows, anchors }: AnchoredRows): TrackClaim {
  const name = "order";
  if (anchors.faults.order !== undefined) return broken(name, anchors.faults.order);
  if (rows.length === 0) return unproven(name, "no record is shown");
  const loose = rows.find(({ record }) => !anchors.records.has(record.seq));
  if (loose === undefined) return proven(name, `each stands at its place of the ${payload.chain_length} signed for`);
  return unproven(name, `the chain from record ${loose.record.seq} leads to nothing that is signed`);
}
