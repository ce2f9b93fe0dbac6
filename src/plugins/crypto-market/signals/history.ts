import {
  type ChainHead,
  createMerkleRoot,
  type FetchContext,
  getGenesis,
  type HistoryMoment,
  hashOutcomeLeaf,
  type MerkleRoot,
  type Records,
  readHistoryMoment,
} from "intel-node";
import { type Graded, toGraded } from "./performance.ts";
import { getSpan } from "./score.ts";
import { SIGNALS, type StoredSignal, visitSignals } from "./signal-records.ts";

/** One signal of the record, graded or not. */
export interface HistoryEntry {
  readonly model_id: string;
  readonly bar_close_at: string;
  /** Planned or actual, ms. */
  readonly exit_at_ms: number;
  readonly status: "open" | "scored" | "unscorable";
  readonly graded: Graded | null;
}

/** Everything the chain says at one moment, in its order. */
export interface SignalHistory {
  readonly chain: ChainHead;
  readonly entries: readonly HistoryEntry[];
  /** Root over the graded outcomes, in the order of the chain. */
  readonly outcomes_root: string;
  /** The same moment as trees: what is in the entries is in them, and nothing else. */
  readonly moment: HistoryMoment;
  /** Time of the newest record or outcome, ms; null before the first. */
  readonly changed_at_ms: number | null;
}

/** The part of the chain that can never change again: up to the first signal that is still open. */
interface ClosedPart {
  readonly entries: HistoryEntry[];
  readonly tree: MerkleRoot;
  chain: ChainHead;
  changed_at_ms: number | null;
}

const settled_by_records = new WeakMap<Records, ClosedPart>();

const toEntry = (signal: StoredSignal): HistoryEntry => ({
  model_id: signal.record.model_id,
  bar_close_at: signal.record.bar_close_at,
  exit_at_ms: getSpan(signal.record).exit_ms,
  status: signal.outcome?.status ?? "open",
  graded: toGraded(signal),
});

function findSettled(records: Records): ClosedPart {
  const chain = { length: 0, head: getGenesis(SIGNALS) };
  const found = settled_by_records.get(records) ?? {
    entries: [],
    tree: createMerkleRoot(),
    chain,
    changed_at_ms: null,
  };
  settled_by_records.set(records, found);
  return found;
}

const newest = (before: number | null, { emitted_at_ms, scored_at_ms }: StoredSignal): number =>
  Math.max(before ?? 0, emitted_at_ms, scored_at_ms ?? 0);

/** A signal as of a moment: an outcome that was not logged by then does not count yet. */
export const asOf = (moment: HistoryMoment, signal: StoredSignal): StoredSignal =>
  signal.outcome === null || moment.placeOf(signal.record.seq) !== undefined
    ? signal
    : { ...signal, outcome: null, outcome_hash: null, scored_at_ms: null };

const reading = new WeakMap<Records, Promise<unknown>>();

/**
 * Reads the chain; what can never change again is read once. One reader at a time: a later one would carry the closed
 * part beyond the moment of an earlier one.
 */
export async function readHistory(context: Pick<FetchContext, "records">): Promise<SignalHistory> {
  const before = reading.get(context.records) ?? Promise.resolve();
  const own = before.then(
    () => readAlone(context),
    () => readAlone(context),
  );
  reading.set(context.records, own);
  return own;
}

async function readAlone(context: Pick<FetchContext, "records">): Promise<SignalHistory> {
  const moment = await readHistoryMoment(context.records, SIGNALS);
  const settled = findSettled(context.records);
  const unsettled: StoredSignal[] = [];
  await visitSignals(context, settled.chain.length, (stored) => {
    if (stored.record.seq > moment.chain.length) return;
    const signal = asOf(moment, stored);
    const { record, record_hash, outcome, outcome_hash } = signal;
    // Another reader may have been here in the meantime.
    if (outcome === null || unsettled.length > 0 || record.seq !== settled.chain.length + 1) {
      if (record.seq > settled.chain.length) unsettled.push(signal);
      return;
    }
    settled.entries.push(toEntry(signal));
    if (outcome.status === "scored" && outcome_hash !== null)
      settled.tree.append(hashOutcomeLeaf(record_hash, outcome_hash));
    settled.chain = { length: record.seq, head: record_hash };
    settled.changed_at_ms = newest(settled.changed_at_ms, signal);
  });
  return join(settled, unsettled, moment);
}

function join(settled: ClosedPart, unsettled: readonly StoredSignal[], moment: HistoryMoment): SignalHistory {
  const rest = unsettled.filter(({ record }) => record.seq > settled.chain.length);
  const tree = settled.tree.copy();
  for (const { record_hash, outcome, outcome_hash } of rest) {
    if (outcome?.status === "scored" && outcome_hash !== null) tree.append(hashOutcomeLeaf(record_hash, outcome_hash));
  }
  return {
    chain: moment.chain,
    moment,
    entries: [...settled.entries, ...rest.map(toEntry)],
    outcomes_root: tree.root(),
    changed_at_ms: rest.reduce(newest, settled.changed_at_ms),
  };
}
