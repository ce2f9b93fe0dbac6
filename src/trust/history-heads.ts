import { renderTime } from "../core/clock.ts";
import { logOutcomes, readHistoryMoment, readHistoryTrees } from "../records/history-trees.ts";
import {
  getSignedText,
  type NodeSigner,
  type RecordBody,
  type StoredRecord,
  type WritableRecords,
} from "../records/record-chain.ts";
import { type ShownSeal, statementOf } from "./receipt-seals.ts";
import { TRACK_KINDS } from "./track-states.ts";

/** Chain of the signed heads of other chains. */
export const HISTORY_HEADS = "history-heads";
/** Kind of the signed statement over one of them. */
export const SIGNED_HISTORY_HEAD = "history-head";
/** The chains whose heads are signed. */
export const HEAD_CHAINS: readonly string[] = Object.values(TRACK_KINDS).map(({ chain }) => chain);

/** The length and roots of a history, as signed by its node. */
export type ShownHead = ShownSeal;

/** A smaller tree of the same history, with the hashes that join it to the head's tree. */
export interface JoinedTree {
  readonly size: number;
  readonly root: string;
  readonly consistency: readonly string[];
}

/** The proof that joins an earlier state of a history to its newest head. */
export interface HeadJoin {
  /** The newest head, signed now. */
  readonly head: ShownHead;
  /** The record that was the chain's head at that time, with its path to the root over all records. */
  readonly record: { readonly seq: number; readonly record_hash: string; readonly audit_path: readonly string[] };
  readonly records: JoinedTree;
  /** Null if no size of the log of outcomes was requested. */
  readonly outcomes: JoinedTree | null;
}

/** Signed heads of the node's histories. A reader who keeps one can later check that nothing before it changed. */
export interface HistoryHeads {
  /** Logs new outcomes, and signs the heads that have changed. @returns the number of signed heads. */
  sign(): Promise<number>;
  /** Signed heads of a chain after one, oldest first. */
  list(chain: string, after_seq: number): Promise<readonly ShownHead[]>;
  /** @returns null if the history is shorter. */
  join(chain: string, from: { readonly length: number; readonly outcomes: number | null }): Promise<HeadJoin | null>;
}

export interface HistoryHeadOptions {
  readonly records: WritableRecords;
  readonly signer: NodeSigner;
  readonly now_ms: () => number;
}

const READ_MAX = 200;

function show({ record, record_hash, beside }: Pick<StoredRecord, "record" | "record_hash" | "beside">): ShownHead {
  const { signature, public_key } = beside as { readonly signature: string; readonly public_key: string };
  return {
    record,
    record_hash,
    signed_text: getSignedText(SIGNED_HISTORY_HEAD, statementOf(record)),
    signature,
    public_key,
  };
}

export function createHistoryHeads({ records, signer, now_ms }: HistoryHeadOptions): HistoryHeads {
  const stateOf = async (of: string): Promise<RecordBody> => {
    const { chain, records_root, outcome_log_size, outcome_log_root } = await readHistoryMoment(records, of);
    const roots = { records_root, outcome_log_size, outcome_log_root };
    return { node_id: signer.node_id, of, chain_length: chain.length, chain_head: chain.head, ...roots };
  };
  const signState = (state: RecordBody) => {
    const { public_key } = signer;
    return { signature: signer.sign(SIGNED_HISTORY_HEAD, statementOf(state)), public_key };
  };

  /** The newest signed head of a chain, searched among the last ones. */
  async function findNewest(of: string): Promise<RecordBody | null> {
    const newest = await records.read(HISTORY_HEADS, { newest: true, limit: READ_MAX });
    return newest.findLast(({ record }) => record.of === of)?.record ?? null;
  }

  async function signChain(of: string): Promise<boolean> {
    await logOutcomes(records, of);
    const state = await stateOf(of);
    const before = await findNewest(of);
    const has_moved = (["chain_length", "outcome_log_size"] as const).some(
      (name) => state[name] !== (before?.[name] ?? 0),
    );
    if (!has_moved) return false;
    const signed = { ...state, signed_at: renderTime(now_ms()) };
    await records.append(HISTORY_HEADS, (link) => ({ v: 1, ...link, ...signed }), signState(signed));
    return true;
  }

  return {
    async sign() {
      let signed = 0;
      for (const chain of HEAD_CHAINS) if (await signChain(chain)) signed += 1;
      return signed;
    },
    async list(chain, after_seq) {
      const read = await records.read(HISTORY_HEADS, { after_seq, limit: READ_MAX });
      return read.filter(({ record }) => record.of === chain).map(show);
    },
    async join(chain, { length, outcomes }) {
      const trees = await readHistoryTrees(records, chain);
      const [size, log_size] = [trees.chain.length, trees.outcomes.size];
      if (length < 1 || length > size || (outcomes ?? 0) > log_size) return null;
      const state = await stateOf(chain);
      // The head includes records written meanwhile; the trees that it names are these or longer ones.
      const sizes = { records: Number(state.chain_length), outcomes: Number(state.outcome_log_size) };
      const signed = { ...state, signed_at: renderTime(now_ms()) };
      const [row] = await records.read(chain, { after_seq: length - 1, limit: 1 });
      if (!row) return null;
      const log = outcomes === null || outcomes < 1 ? null : outcomes;
      return {
        head: show({ record: signed, record_hash: "", beside: signState(signed) }),
        record: {
          seq: length,
          record_hash: row.record_hash,
          audit_path: trees.records.inclusionProof(length - 1, sizes.records),
        },
        records: {
          size: length,
          root: trees.records.root(length),
          consistency: trees.records.consistencyProof(length, sizes.records),
        },
        outcomes:
          log === null
            ? null
            : {
                size: log,
                root: trees.outcomes.root(log),
                consistency: trees.outcomes.consistencyProof(log, sizes.outcomes),
              },
      };
    },
  };
}
