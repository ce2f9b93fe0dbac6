import type { Clock } from "../core/clock.ts";
import { sha256Hex } from "../core/hash.ts";
import {
  assertName,
  type ChainHead,
  type OutcomeDraft,
  type RecordDraft,
  type RecordValue,
  renderRecord,
  type StoredRecord,
  type WritableRecords,
} from "../records/record-chain.ts";
import { type PlacedOutcome, type PlacedRecord, type RecordBooks, type RecordRealm, refused } from "./records.ts";

export interface RecordWriterOptions {
  readonly books: RecordBooks;
  readonly clock: Clock;
  readonly realm: RecordRealm;
  /** Runs one append at a time: two that read the same head would only get in each other's way. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

const DRAFTS_MAX = 200;
const BESIDE_CHARS_MAX = 100_000;
/** How often records are placed anew when another writer was first. */
const ATTEMPTS_MAX = 20;

function renderBeside(beside: RecordValue): string {
  const text = JSON.stringify(beside);
  if (text.length > BESIDE_CHARS_MAX) throw new TypeError(`what is kept beside a record has ${text.length} characters`);
  return text;
}

/** @throws TypeError when a record does not state its place, or cannot be hashed alike everywhere. */
function renderLinked(draft: RecordDraft, { length, head }: ChainHead): { seq: number; text: string } {
  const link = { seq: length + 1, prev_hash: head };
  const record = draft.build(link);
  if (record.seq !== link.seq || record.prev_hash !== link.prev_hash) {
    throw new TypeError(`a record of "${draft.chain}" does not state its seq and prev_hash`);
  }
  return { seq: link.seq, text: renderRecord(record) };
}

const toStored = ({ seq, text, record_hash, beside_json, recorded_at_ms }: PlacedRecord): StoredRecord => ({
  seq,
  record: JSON.parse(text),
  record_hash,
  beside: JSON.parse(beside_json),
  recorded_at_ms,
  outcome: null,
});

/**
 * The node's append-only records. A record is built for its place here, and the books take it only in that place: when
 * somebody else wrote to the chain meanwhile, it is built again.
 */
export function createRecordWriter({ books, clock, realm, inTurn }: RecordWriterOptions): WritableRecords {
  async function place(drafts: readonly RecordDraft[]): Promise<readonly PlacedRecord[]> {
    const names = [...new Set(drafts.map(({ chain }) => chain))];
    const found = await Promise.all(names.map(async (chain) => [chain, await books.head(realm, chain)] as const));
    const heads = new Map(found);
    return drafts.map((draft) => {
      const { chain, beside = null } = draft;
      const before = heads.get(chain) ?? { length: 0, head: "" };
      const { seq, text } = renderLinked(draft, before);
      const record_hash = sha256Hex(text);
      heads.set(chain, { length: seq, head: record_hash });
      const beside_json = renderBeside(beside);
      return { chain, seq, prev_hash: before.head, text, record_hash, beside_json, recorded_at_ms: clock.now() };
    });
  }

  const appendAll = async (drafts: readonly RecordDraft[]): Promise<readonly StoredRecord[]> => {
    if (drafts.length > DRAFTS_MAX) throw new TypeError(`${drafts.length} records in one go`);
    for (const { chain } of drafts) assertName(chain);
    if (drafts.length === 0) return [];
    return inTurn(async () => {
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        const placed = await place(drafts).catch((error: unknown) => {
          throw error instanceof TypeError ? refused(error) : error;
        });
        if (await books.append(realm, placed)) return placed.map(toStored);
      }
      throw new Error(`records could not be placed in ${ATTEMPTS_MAX} attempts: too many write to their chain`);
    });
  };

  return {
    async head(chain) {
      assertName(chain);
      return books.head(realm, chain);
    },
    async read(chain, query = {}) {
      assertName(chain);
      return books.read(realm, chain, query);
    },
    appendAll,
    async append(chain, build, beside = null) {
      const [stored] = await appendAll([{ chain, build, beside }]);
      if (!stored) throw new TypeError("nothing was appended");
      return stored;
    },
    async settle(draft) {
      assertName(draft.chain);
      const placed = renderOutcome(draft, clock.now());
      await books.settle(realm, placed);
      const { text, outcome_hash, scored_at_ms } = placed;
      return { outcome: JSON.parse(text), outcome_hash, beside: draft.beside ?? null, scored_at_ms };
    },
  };
}

function renderOutcome({ chain, seq, outcome, beside = null }: OutcomeDraft, scored_at_ms: number): PlacedOutcome {
  try {
    const text = renderRecord(outcome);
    return { chain, seq, text, outcome_hash: sha256Hex(text), beside_json: renderBeside(beside), scored_at_ms };
  } catch (error) {
    throw refused(error);
  }
}
