import { renderTime } from "../core/clock.ts";
import { keepFor } from "../core/keep-for.ts";
import { readHistoryMoment } from "../records/history-trees.ts";
import {
  getSignedText,
  type NodeSigner,
  type RecordBody,
  renderRecord,
  type StoredRecord,
  type WritableRecords,
} from "../records/record-chain.ts";
import { type AnchorProofs, createAnchorProofs } from "./anchor-proofs.ts";
import { HEAD_CHAINS, HISTORY_HEADS } from "./history-heads.ts";
import type { AskCalendar } from "./ots/calendars.ts";
import { PEER_INCONSISTENCIES } from "./peer-head-store.ts";
import { RECEIPT_SEALS, type ShownSeal, statementOf } from "./receipt-seals.ts";

/** Chain of the statements submitted to calendars; each has the heads of all other chains. */
const ANCHORS = "anchors";
/** Kind of the signed statement over one of them. */
export const SIGNED_ANCHOR = "anchor";

/** A statement with the results of the calendars. */
export interface ShownAnchor extends ShownSeal {
  /** The bytes whose SHA-256 is the start of the proof. */
  readonly statement: string;
  /** An OpenTimestamps proof, base64; null until a calendar accepts it. */
  readonly ots: string | null;
  /** Calendars that promised an attestation. */
  readonly pending_at: readonly string[];
  /** Bitcoin blocks that are said to attest it. The node has not read these blocks. */
  readonly bitcoin_blocks: readonly number[];
}

/** Troubles with calendars, for the operator. */
export interface AnchorTroubles {
  /** Time of the oldest statement that no calendar has accepted; null if all were accepted. */
  readonly untaken_since_ms: number | null;
  /** Time of the oldest statement of the last month that is not in a block. */
  readonly unattested_since_ms: number | null;
  /** The newest error of a calendar. */
  readonly reason: string | null;
}

/** Statements over everything this node has signed so far, timestamped by public calendars. */
export interface NodeAnchors {
  /** Makes a statement if one is due, submits it, and checks the progress of earlier ones. */
  run(): Promise<void>;
  /** The statements after a number, oldest first, at most 100. */
  list(after_seq: number): Promise<readonly ShownAnchor[]>;
  get(seq: number): Promise<ShownAnchor | null>;
  troubles(): Promise<AnchorTroubles>;
}

export interface AnchorOptions {
  readonly records: WritableRecords;
  readonly signer: NodeSigner;
  readonly now_ms: () => number;
  /** Addresses of calendars; without any, no statement is made and no calendar is called. */
  readonly calendars: readonly string[];
  readonly every_ms: number;
  readonly ask: AskCalendar;
}

const READ_MAX = 100;
/** The most statements checked in one run, newest first. */
const ASKED_MAX = 10;
/** Tolerance, because the hourly job does not run at exact intervals. */
const EARLY_MS = 300_000;
/** Cache time: alerts read this every quarter of a minute, but it changes only by the hour. */
const KEPT_MS = 600_000;
const MONTH_MS = 30 * 86_400_000;
/** Chains of signed records, each of which contains the hash of the previous one. */
const CHAINS = [HISTORY_HEADS, RECEIPT_SEALS, PEER_INCONSISTENCIES] as const;

export function createAnchors(options: AnchorOptions): NodeAnchors {
  const { records, signer, now_ms, calendars, every_ms, ask } = options;
  const proofs: AnchorProofs = createAnchorProofs({ records, calendars, ask });

  async function readState(): Promise<RecordBody> {
    const histories: Record<string, RecordBody> = {};
    for (const of of HEAD_CHAINS) {
      const { chain, records_root, outcome_log_size, outcome_log_root } = await readHistoryMoment(records, of);
      const roots = { records_root, outcome_log_size, outcome_log_root };
      histories[of] = { chain_length: chain.length, chain_head: chain.head, ...roots };
    }
    const chains: Record<string, RecordBody> = {};
    for (const chain of CHAINS) {
      const { length, head } = await records.head(chain);
      chains[chain] = { length, head };
    }
    return { node_id: signer.node_id, histories, chains };
  }

  /** Everything except the time: if nothing has changed, no new statement is needed. */
  const isSame = ({ record }: StoredRecord, state: RecordBody): boolean =>
    renderRecord({
      node_id: record.node_id ?? null,
      histories: record.histories ?? null,
      chains: record.chains ?? null,
    }) === renderRecord(state);

  async function makeIfDue(): Promise<void> {
    const [newest] = await records.read(ANCHORS, { newest: true, limit: 1 });
    if (newest && now_ms() - newest.recorded_at_ms < every_ms - EARLY_MS) return;
    const state = await readState();
    if (newest && isSame(newest, state)) return;
    const stated = { ...state, anchored_at: renderTime(now_ms()) };
    const signature = signer.sign(SIGNED_ANCHOR, statementOf(stated));
    await records.append(ANCHORS, (link) => ({ v: 1, ...link, ...stated }), {
      signature,
      public_key: signer.public_key,
    });
  }

  async function show(stored: StoredRecord): Promise<ShownAnchor> {
    const { record, record_hash, beside } = stored;
    const { signature, public_key } = beside as { readonly signature: string; readonly public_key: string };
    const signed_text = getSignedText(SIGNED_ANCHOR, statementOf(record));
    const statement = renderRecord(record);
    const { ots, pending_at, bitcoin_blocks } = await proofs.find(stored);
    return { record, record_hash, signed_text, signature, public_key, statement, ots, pending_at, bitcoin_blocks };
  }

  async function findTroubles(): Promise<AnchorTroubles> {
    if (calendars.length === 0) return { untaken_since_ms: null, unattested_since_ms: null, reason: null };
    const rows = await records.read(ANCHORS, { since_ms: now_ms() - MONTH_MS });
    const states = await Promise.all(
      rows.map(async (row) => ({ at_ms: row.recorded_at_ms, ...(await proofs.find(row)) })),
    );
    return {
      untaken_since_ms: states.find(({ ots }) => ots === null)?.at_ms ?? null,
      unattested_since_ms: states.find(({ bitcoin_blocks }) => bitcoin_blocks.length === 0)?.at_ms ?? null,
      reason: proofs.lastFault(),
    };
  }

  return {
    async run() {
      if (calendars.length === 0) return;
      await makeIfDue();
      const newest = await records.read(ANCHORS, { newest: true, limit: ASKED_MAX });
      for (const stored of newest.toReversed()) await proofs.advance(stored);
    },
    async list(after_seq) {
      const rows = await records.read(ANCHORS, { after_seq, limit: READ_MAX });
      return Promise.all(rows.map(show));
    },
    async get(seq) {
      const [row] = seq < 1 ? [] : await records.read(ANCHORS, { after_seq: seq - 1, limit: 1 });
      return row?.seq === seq ? show(row) : null;
    },
    troubles: keepFor(KEPT_MS, now_ms, findTroubles),
  };
}
