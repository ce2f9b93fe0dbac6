import { renderTime } from "../core/clock.ts";
import { getSignedText, type RecordBody, type StoredRecord, type WritableRecords } from "../records/record-chain.ts";
import { SIGNED_HISTORY_HEAD } from "./history-heads.ts";
import { statementOf } from "./receipt-seals.ts";
import type { Contradiction, SignedHead } from "./signed-heads.ts";

/** Chain of the heads shown by other nodes. */
export const PEER_HEADS = "peer-heads";
/** Chain of pairs of contradicting heads of one node. */
export const PEER_INCONSISTENCIES = "peer-inconsistencies";

/** A head to pass on. */
export interface ShownPeerHead extends SignedHead {
  readonly signed_text: string;
}

/** The newest head of a node that continues its earlier heads. */
export interface SeenHead {
  /** Address that showed it. */
  readonly url: string;
  readonly seen_at: string;
  readonly head: ShownPeerHead;
}

/** Two heads of one node that prove a rewritten history. */
export interface Inconsistency {
  readonly node_id: string;
  readonly chain: string;
  readonly kind: Contradiction;
  /** Addresses that showed them. */
  readonly urls: readonly [string, string];
  readonly found_at: string;
  readonly heads: readonly [ShownPeerHead, ShownPeerHead];
}

/** Keeps other nodes' heads in records, which survive a restart and are never removed. */
export interface PeerHeadStore {
  /** The heads of all nodes, unordered. */
  seen(): Promise<readonly SeenHead[]>;
  inconsistencies(): Promise<readonly Inconsistency[]>;
  find(node_id: string, chain: string): Promise<SeenHead | null>;
  /** Keeps a head that continues the previous one: durably once a day, and in memory in between. */
  note(url: string, head: SignedHead): Promise<void>;
  /** Keeps the first pair of a node's history for good. @returns false if one is kept already, or no room is left. */
  accuse(found: Omit<Inconsistency, "found_at" | "heads"> & { readonly heads: Pair }): Promise<boolean>;
}

type Pair = readonly [SignedHead, SignedHead];
const READ_MAX = 1_000;
const INCONSISTENCIES_MAX = 1_000;
const DAY_CHARS = 10;

const keyOf = (id: string, chain: string): string => `${chain} ${id}`;
const stripHead = ({ record, signature, public_key }: SignedHead): SignedHead => ({ record, signature, public_key });
const show = (head: SignedHead): ShownPeerHead => ({
  ...stripHead(head),
  signed_text: getSignedText(SIGNED_HISTORY_HEAD, statementOf(head.record)),
});
/** These counters only increase. */
const isFurther = ({ record: one }: SignedHead, { record: other }: SignedHead): boolean =>
  one.chain_length >= other.chain_length &&
  one.outcome_log_size >= other.outcome_log_size &&
  one.chain_length + one.outcome_log_size > other.chain_length + other.outcome_log_size;

interface HeadRow {
  readonly url: string;
  readonly seen_at: string;
  readonly head: SignedHead;
}

export function createPeerHeadStore(records: WritableRecords, now_ms: () => number): PeerHeadStore {
  const newest = new Map<string, HeadRow>();
  const found = new Map<string, Inconsistency>();
  /** The day on which an address's head was last written. */
  const written = new Map<string, string>();
  const read_to = new Map<string, number>();

  async function follow(chain: string, take: (row: StoredRecord) => void): Promise<void> {
    for (;;) {
      const page = await records.read(chain, { after_seq: read_to.get(chain) ?? 0, limit: READ_MAX });
      for (const row of page) {
        // Another reader may have read these records meanwhile.
        if (row.seq <= (read_to.get(chain) ?? 0)) continue;
        take(row);
        read_to.set(chain, row.seq);
      }
      if (page.length < READ_MAX) return;
    }
  }
  const takeHead = ({ record }: StoredRecord): void => {
    const row = record as unknown as HeadRow;
    const { node_id, of } = row.head.record;
    const known = newest.get(keyOf(node_id, of));
    if (!known || isFurther(row.head, known.head)) newest.set(keyOf(node_id, of), row);
    written.set(keyOf(row.url, of), row.seen_at.slice(0, DAY_CHARS));
  };
  const takeInconsistency = ({ record }: StoredRecord): void => {
    const { node_id, chain, kind, urls, found_at, heads } = record as unknown as Inconsistency;
    const [one, other] = heads;
    found.set(keyOf(node_id, chain), { node_id, chain, kind, urls, found_at, heads: [show(one), show(other)] });
  };
  const load = async (): Promise<void> => {
    await follow(PEER_HEADS, takeHead);
    await follow(PEER_INCONSISTENCIES, takeInconsistency);
  };
  const showRow = ({ url, seen_at, head }: HeadRow): SeenHead => ({ url, seen_at, head: show(head) });

  return {
    async seen() {
      await load();
      return [...newest.values()].map(showRow);
    },
    async inconsistencies() {
      await load();
      return [...found.values()];
    },
    async find(node_id, chain) {
      await load();
      const row = newest.get(keyOf(node_id, chain));
      return row ? showRow(row) : null;
    },
    async note(url, head) {
      await load();
      const { node_id, of } = head.record;
      const key = keyOf(node_id, of);
      const known = newest.get(key);
      const row: HeadRow = { url, seen_at: renderTime(now_ms()), head: stripHead(head) };
      const is_due = written.get(keyOf(url, of)) !== row.seen_at.slice(0, DAY_CHARS);
      const has_moved = !known || isFurther(head, known.head);
      if (is_due && has_moved) {
        await records.append(PEER_HEADS, (link) => ({ v: 1, ...link, ...row }) as unknown as RecordBody);
        await load();
      }
      // Limits for an address that shows a new key every hour, so that it fills neither books nor memory.
      if (newest.has(key)) newest.set(key, row);
    },
    async accuse({ node_id, chain, kind, urls, heads }) {
      await load();
      if (found.has(keyOf(node_id, chain)) || found.size >= INCONSISTENCIES_MAX) return false;
      const stated = { node_id, chain, kind, urls, found_at: renderTime(now_ms()), heads: heads.map(stripHead) };
      await records.append(PEER_INCONSISTENCIES, (link) => ({ v: 1, ...link, ...stated }) as unknown as RecordBody);
      await load();
      return true;
    },
  };
}
