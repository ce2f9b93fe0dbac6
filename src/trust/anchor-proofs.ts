import { sha256Hex } from "../core/hash.ts";
import type { RecordBody, StoredRecord, WritableRecords } from "../records/record-chain.ts";
import { type AskCalendar, askLater, submitDigest } from "./ots/calendars.ts";
import { OtsError, SHA256 } from "./ots/operations.ts";
import { type OtsProof, readProof, type Timestamp, writeProof } from "./ots/timestamp.ts";
import { listAttested, mergeTimestamps, upgradeTimestamp } from "./ots/walk.ts";

/** Chain of the proofs of anchors, with a record each time a proof grew: an anchor's last record counts. */
export const ANCHOR_PROOFS = "anchor-proofs";

/** The progress of a proof. */
export interface AnchorProof {
  readonly ots: string | null;
  readonly pending_at: readonly string[];
  readonly bitcoin_blocks: readonly number[];
}

export interface AnchorProofs {
  find(anchor: Pick<StoredRecord, "seq" | "record_hash">): Promise<AnchorProof>;
  /** Submits an anchor to calendars if none has it yet, else asks whether it was attested. */
  advance(anchor: Pick<StoredRecord, "seq" | "record_hash">): Promise<void>;
  lastFault(): string | null;
}

interface ProofOptions {
  readonly records: WritableRecords;
  readonly calendars: readonly string[];
  readonly ask: AskCalendar;
}

const READ_MAX = 1_000;
/** The most calendars of one proof that are called: an answer may name any number of them. */
const PENDING_MAX = 8;
export const NO_PROOF: AnchorProof = { ots: null, pending_at: [], bitcoin_blocks: [] };

/** Kept beside a record, which contains its hash. */
interface KeptProof {
  readonly ots: string;
}

/** The facts shown beside a proof. @throws OtsError when it is invalid. */
export function describeProof(ots: string): AnchorProof {
  const attested = listAttested(readProof(Buffer.from(ots, "base64")).timestamp);
  const pending = attested.flatMap(({ attestation }) => (attestation.kind === "pending" ? [attestation.url] : []));
  const blocks = attested.flatMap(({ attestation }) => (attestation.kind === "bitcoin" ? [attestation.height] : []));
  return {
    ots,
    pending_at: [...new Set(pending)].sort(),
    bitcoin_blocks: [...new Set(blocks)].sort((one, other) => one - other),
  };
}

function whyUnreadable(bytes: Uint8Array): string | null {
  try {
    readProof(bytes);
    return null;
  } catch (error) {
    if (error instanceof OtsError) return error.message;
    throw error;
  }
}

const isAttested = (timestamp: Timestamp): boolean =>
  listAttested(timestamp).some(({ attestation }) => attestation.kind === "bitcoin");

export function createAnchorProofs({ records, calendars, ask }: ProofOptions): AnchorProofs {
  const by_anchor = new Map<number, AnchorProof>();
  let read_to = 0;
  let fault: string | null = null;

  async function load(): Promise<void> {
    for (;;) {
      const page = await records.read(ANCHOR_PROOFS, { after_seq: read_to, limit: READ_MAX });
      for (const { seq, record, beside } of page) {
        // Another reader may have read these records meanwhile.
        if (seq <= read_to) continue;
        by_anchor.set(Number(record.of), describeProof((beside as unknown as KeptProof).ots));
        read_to = seq;
      }
      if (page.length < READ_MAX) return;
    }
  }

  async function keep(of: number, proof: OtsProof): Promise<void> {
    const bytes = writeProof(proof);
    // The answers of all calendars together may exceed the size that can be read again.
    const unreadable = whyUnreadable(bytes);
    if (unreadable !== null) {
      fault = `what calendars answered: ${unreadable}`;
      return;
    }
    const stated: RecordBody = { of, ots_sha256: sha256Hex(bytes), bytes: bytes.length };
    const kept: KeptProof = { ots: Buffer.from(bytes).toString("base64") };
    await records.append(ANCHOR_PROOFS, (link) => ({ v: 1, ...link, ...stated }), { ...kept });
  }

  /** Merges the answers of all calendars; a wrong answer of one does not affect the others. */
  async function handIn(digest: Uint8Array): Promise<Timestamp | null> {
    let made: Timestamp | null = null;
    for (const calendar of calendars) {
      const answer = await submitDigest(ask, calendar, digest);
      if ("failed" in answer) fault = `${calendar}: ${answer.failed}`;
      else made = made === null ? answer.timestamp : mergeTimestamps(made, answer.timestamp);
    }
    return made;
  }

  /** @returns null if no block holds it yet, which a calendar reports by 404 or another status for an unknown path. */
  async function askAfter(proof: OtsProof): Promise<OtsProof | null> {
    const pending = listAttested(proof.timestamp).filter(({ attestation }) => attestation.kind === "pending");
    for (const { message, attestation } of pending.slice(0, PENDING_MAX)) {
      if (attestation.kind !== "pending") continue;
      const answer = await askLater(ask, attestation.url, message);
      if (!("timestamp" in answer) || !isAttested(answer.timestamp)) continue;
      return { ...proof, timestamp: upgradeTimestamp(proof.timestamp, answer.timestamp) };
    }
    return null;
  }

  return {
    async find({ seq }) {
      await load();
      return by_anchor.get(seq) ?? NO_PROOF;
    },
    async advance({ seq, record_hash }) {
      await load();
      const { ots, bitcoin_blocks } = by_anchor.get(seq) ?? NO_PROOF;
      if (bitcoin_blocks.length > 0) return;
      if (ots === null) {
        const timestamp = await handIn(Buffer.from(record_hash, "hex"));
        if (timestamp !== null) await keep(seq, { file_hash: SHA256, timestamp });
        return;
      }
      const later = await askAfter(readProof(Buffer.from(ots, "base64")));
      if (later !== null) await keep(seq, later);
    },
    lastFault: () => fault,
  };
}
