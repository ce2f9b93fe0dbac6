import {
  type ChainHead,
  getGenesis,
  hashRecord,
  type OutcomeDraft,
  type RecordDraft,
  type StoredRecord,
  type WritableRecords,
} from "./record-chain.ts";

/** Records that are gone with the process, unless they are copied. */
export interface MemoryRecords extends WritableRecords {
  /** Everything, by chain, oldest first. */
  all(): ReadonlyMap<string, readonly StoredRecord[]>;
}

/**
 * The records of a node in memory, as simply as they can be kept: where a sandbox's past is written down, and in tests
 * the model the real ones are compared with.
 */
export function createMemoryRecords(now_ms: () => number): MemoryRecords {
  const chains = new Map<string, StoredRecord[]>();
  const chainOf = (chain: string): StoredRecord[] => {
    const known = chains.get(chain) ?? [];
    chains.set(chain, known);
    return known;
  };
  const head = (chain: string): ChainHead => {
    const last = chainOf(chain).at(-1);
    return last ? { length: last.seq, head: last.record_hash } : { length: 0, head: getGenesis(chain) };
  };
  const insert = ({ chain, build, beside = null }: RecordDraft): StoredRecord => {
    const { length, head: prev_hash } = head(chain);
    const record = build({ seq: length + 1, prev_hash });
    const stored = { seq: length + 1, record, record_hash: hashRecord(record), beside, recorded_at_ms: now_ms() };
    chainOf(chain).push({ ...stored, outcome: null });
    return { ...stored, outcome: null };
  };
  return {
    all: () => chains,
    head: async (chain) => head(chain),
    async read(chain, { after_seq = 0, since_ms = 0, open = false, limit = 1_000, newest = false } = {}) {
      const wanted = chainOf(chain).filter(
        (one) => one.seq > after_seq && one.recorded_at_ms >= since_ms && (!open || one.outcome === null),
      );
      return newest ? wanted.slice(-limit) : wanted.slice(0, limit);
    },
    append: async (chain, build, beside = null) => insert({ chain, build, beside }),
    appendAll: async (drafts) => drafts.map(insert),
    async settle({ chain, seq, outcome, beside = null }: OutcomeDraft) {
      const rows = chainOf(chain);
      const row = rows[seq - 1];
      if (!row || row.outcome) throw new Error(row ? "an outcome is stated once" : "there is no such record");
      const settled = { outcome, outcome_hash: hashRecord(outcome), beside, scored_at_ms: now_ms() };
      rows[seq - 1] = { ...row, outcome: settled };
      return settled;
    },
  };
}
