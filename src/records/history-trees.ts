import { createMerkleTree, hashMerkleLeaf, type MerkleTree } from "./merkle-tree.ts";
import { type ChainHead, getGenesis, hashOutcomeLeaf, type Records, type WritableRecords } from "./record-chain.ts";

/**
 * A chain as two trees that only grow (RFC 9162): one over its records, one over what was stated of them, in the order
 * in which that was logged. With the roots of both, one can be shown any record, any outcome, and that later trees
 * go on from these.
 */
export interface HistoryTrees {
  readonly chain: ChainHead;
  readonly records: MerkleTree;
  readonly outcomes: MerkleTree;
  /** Place of a record's outcome in the log, from 1; undefined while it is open, or not logged yet. */
  readonly placeOf: (seq: number) => number | undefined;
  /** `record_hash` of a record, which its leaf is the hash of; undefined where the tree does not reach. */
  readonly recordHashOf: (seq: number) => string | undefined;
  /** `record_hash` and `outcome_hash` at a place of the log of outcomes, from 1: what its leaf is the hash of. */
  readonly outcomeHashesOf: (place: number) => string | undefined;
  /** How many outcomes were logged by a time, ms; no fewer than by a later time that was asked for before. */
  readonly outcomesBy: (time_ms: number) => number;
}

/** The trees of one moment, as a statement signs them. */
export interface HistoryRoots {
  readonly records_root: string;
  readonly outcome_log_size: number;
  readonly outcome_log_root: string;
}

/** What a proof adds to the records that are shown: see `rootOfLeaves`. */
export interface HistoryProof {
  readonly records: readonly string[];
  readonly outcomes: readonly string[];
}

/** One moment of a history: what comes later is not in it. */
export interface HistoryMoment extends HistoryRoots {
  readonly chain: ChainHead;
  /** Place in the log of outcomes, from 1; undefined for what this moment does not know of. */
  readonly placeOf: (seq: number) => number | undefined;
  /** What is missing to compute both roots from these records and those of their outcomes that are known. */
  readonly prove: (seqs: readonly number[]) => HistoryProof | null;
}

const READ_MAX = 1_000;
/** As many as the ledger takes in one go. */
const LOGGED_AT_ONCE = 200;
const ATTEMPTS_MAX = 5;

/** The chain that says in which order outcomes were stated: one record each. */
const outcomeLogOf = (chain: string): string => `${chain}-outcomes`;

/** The leaf of a tree of records: sha256(0x00 | record_hash). */
export const hashRecordLeaf = (record_hash: string): string => hashMerkleLeaf(Buffer.from(record_hash, "hex"));

interface Followed {
  readonly records: MerkleTree;
  readonly outcomes: MerkleTree;
  readonly place_of: Map<number, number>;
  /** By place in the chain, the first at 0: no tile may cost a walk through the books. */
  readonly record_hashes: string[];
  /** The same of the log of outcomes: both hashes, and when they were logged. */
  readonly outcome_hashes: string[];
  readonly logged_at_ms: number[];
  /** How many outcomes were old enough when that was asked last. */
  aged: number;
  head: string;
  /** Every record up to this one has its outcome in the log. */
  logged_to: number;
}

const followed_by_records = new WeakMap<Records, Map<string, Followed>>();

function getFollowed(records: Records, chain: string): Followed {
  const by_chain = followed_by_records.get(records) ?? new Map<string, Followed>();
  followed_by_records.set(records, by_chain);
  const [tree, log] = [createMerkleTree(), createMerkleTree()];
  const fresh: Followed = {
    records: tree,
    outcomes: log,
    place_of: new Map(),
    record_hashes: [],
    outcome_hashes: [],
    logged_at_ms: [],
    aged: 0,
    head: getGenesis(chain),
    logged_to: 0,
  };
  const followed = by_chain.get(chain) ?? fresh;
  by_chain.set(chain, followed);
  return followed;
}

/** Reads what came since the last time. Records only grow, so nothing is read twice. */
async function follow(records: Records, chain: string): Promise<Followed> {
  const followed = getFollowed(records, chain);
  // The log first: what it holds is a record of the chain already.
  for (;;) {
    const page = await records.read(outcomeLogOf(chain), { after_seq: followed.outcomes.size, limit: READ_MAX });
    for (const { seq, record, recorded_at_ms } of page) {
      // Another reader may have come by here in the meantime.
      if (seq !== followed.outcomes.size + 1) continue;
      const [record_hash, outcome_hash] = [String(record.record_hash), String(record.outcome_hash)];
      followed.outcomes.append(hashOutcomeLeaf(record_hash, outcome_hash));
      followed.outcome_hashes.push(record_hash + outcome_hash);
      followed.logged_at_ms.push(recorded_at_ms);
      followed.place_of.set(Number(record.of), seq);
    }
    if (page.length < READ_MAX) break;
  }
  for (;;) {
    const page = await records.read(chain, { after_seq: followed.records.size, limit: READ_MAX });
    for (const { seq, record_hash } of page) {
      if (seq !== followed.records.size + 1) continue;
      followed.records.append(hashRecordLeaf(record_hash));
      followed.record_hashes.push(record_hash);
      followed.head = record_hash;
    }
    if (page.length < READ_MAX) return followed;
  }
}

/** What was shown once stays shown, though a clock may be set back. */
function countAged(followed: Followed, until_ms: number): number {
  const { logged_at_ms } = followed;
  while ((logged_at_ms[followed.aged] ?? Number.POSITIVE_INFINITY) <= until_ms) followed.aged += 1;
  return followed.aged;
}

const toTrees = (followed: Followed): HistoryTrees => ({
  chain: { length: followed.records.size, head: followed.head },
  records: followed.records,
  outcomes: followed.outcomes,
  placeOf: (seq) => followed.place_of.get(seq),
  recordHashOf: (seq) => followed.record_hashes[seq - 1],
  outcomeHashesOf: (place) => followed.outcome_hashes[place - 1],
  outcomesBy: (time_ms) => countAged(followed, time_ms),
});

/** The trees of a chain in its current state; they go on growing, so proofs are asked for with their size. */
export async function readHistoryTrees(records: Records, chain: string): Promise<HistoryTrees> {
  return toTrees(await follow(records, chain));
}

/** As far as somebody read them before: asks the books nothing. */
export const getHistoryTrees = (records: Records, chain: string): HistoryTrees => toTrees(getFollowed(records, chain));

/** A chain in its current state, with the roots that a statement signs and proofs under them. */
export async function readHistoryMoment(records: Records, chain: string): Promise<HistoryMoment> {
  const trees = await readHistoryTrees(records, chain);
  const size = trees.chain.length;
  const outcome_log_size = trees.outcomes.size;
  const placeOf = (seq: number) => {
    const place = trees.placeOf(seq);
    return place !== undefined && place <= outcome_log_size ? place : undefined;
  };
  return {
    chain: trees.chain,
    records_root: trees.records.root(size),
    outcome_log_size,
    outcome_log_root: trees.outcomes.root(outcome_log_size),
    placeOf,
    prove(seqs) {
      if (seqs.length === 0) return null;
      const places = seqs.flatMap((seq) => placeOf(seq) ?? []);
      const outcomes = places.length === 0 ? [] : missingIn(trees.outcomes, places, outcome_log_size);
      return { records: missingIn(trees.records, seqs, size), outcomes };
    },
  };
}

const missingIn = (tree: MerkleTree, places: readonly number[], size: number): readonly string[] =>
  tree.missingHashes(
    places.map((place) => place - 1),
    size,
  );

/** Thrown by a draft whose place was taken by another writer. */
class MovedOnError extends TypeError {}

/**
 * Logs every outcome of a chain that is not in its log yet. To be called after outcomes were stated; what a crash left
 * out is made up for by the next call. Several nodes on one ledger may call it at once.
 * @returns how many were logged.
 */
export async function logOutcomes(records: WritableRecords, chain: string): Promise<number> {
  let logged = 0;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; ) {
    const followed = await follow(records, chain);
    const due = await listUnlogged(records, chain, followed);
    if (due.length === 0) return logged;
    const first = followed.outcomes.size + 1;
    try {
      await records.appendAll(
        due.map(({ seq: of, record_hash, outcome_hash }, index) => ({
          chain: outcomeLogOf(chain),
          build(link) {
            if (link.seq !== first + index) throw new MovedOnError("the log has moved on");
            return { v: 1, ...link, of, record_hash, outcome_hash };
          },
        })),
      );
      logged += due.length;
    } catch (error) {
      // Somebody else logged them, or some of them: what is left is looked up again.
      const is_late = error instanceof MovedOnError || (error instanceof Error && error.cause instanceof MovedOnError);
      if (!is_late || attempt === ATTEMPTS_MAX) throw error;
      attempt += 1;
    }
  }
  return logged;
}

/** The next outcomes that are not logged, oldest record first, as many as one commit takes. */
async function listUnlogged(records: WritableRecords, chain: string, followed: Followed) {
  const { place_of } = followed;
  while (place_of.has(followed.logged_to + 1)) followed.logged_to += 1;
  const due: { seq: number; record_hash: string; outcome_hash: string }[] = [];
  for (let after_seq = followed.logged_to; due.length < LOGGED_AT_ONCE; ) {
    const page = await records.read(chain, { after_seq, limit: READ_MAX });
    for (const { seq, record_hash, outcome } of page) {
      if (outcome !== null && !place_of.has(seq)) due.push({ seq, record_hash, outcome_hash: outcome.outcome_hash });
    }
    const last = page.at(-1);
    if (!last || page.length < READ_MAX) break;
    after_seq = last.seq;
  }
  return due.slice(0, LOGGED_AT_ONCE);
}
