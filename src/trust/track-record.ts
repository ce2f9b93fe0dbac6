import { nodeIdOf } from "../core/identity.ts";
import { type RecordBody, renderRecord } from "../records/record-chain.ts";
import { isSignedText } from "../records/signed-text.ts";
import { checkJoin } from "./check-join.ts";
import { checkCompleteness, checkGrades, checkTotals, findFalseHash } from "./track-claims.ts";
import {
  type KeptHead,
  readTrackDocument,
  type ShownRecord,
  type TrackDocument,
  type TrackPayload,
  type TrackRow,
} from "./track-form.ts";
import { type Anchors, anchorRows, checkMembership, checkOrder } from "./track-paths.ts";
import { broken, proven, TRACK_KINDS, type TrackClaim, type TrackState, unproven } from "./track-states.ts";

export interface TrackReport {
  readonly claims: readonly TrackClaim[];
  readonly verdict: TrackState;
  readonly node_id: string | null;
}

export interface TrackOptions {
  /** Raw Ed25519 key (base64url) of a key id, or null. */
  readonly findKey: (key_id: string) => string | null;
  readonly kept?: KeptHead | undefined;
  /** Answer of /track-record/heads from the kept head on. */
  readonly joined?: unknown;
  /** Answer of /track-record/evidence: the older records that an answer does not show. */
  readonly evidence?: unknown;
}

/**
 * Checks an answer of /win-rate-verified or /thesis-engine, or the free evidence, offline. A claim is proven only if a
 * signature covers every record and outcome of the claim. It does not check that the prices are those of the venue. Any
 * value is safe to check.
 */
export function verifyTrackRecord(given: unknown, { findKey, kept, joined, evidence }: TrackOptions): TrackReport {
  const document = readTrackDocument(given);
  if (typeof document === "string") {
    return concludeClaims(
      [broken("form", `this is no answer of /win-rate-verified or /thesis-engine (${document})`)],
      null,
    );
  }
  const signature = checkSignature(document, findKey);
  const others = evidence === undefined ? null : readTrackDocument(evidence);
  if (typeof others === "string")
    return concludeClaims([signature, broken("form", `the evidence is none (${others})`)], null);
  const looked = checkRows(document, {
    rows: others?.rows ?? [],
    is_held: others !== null && holdsAlone(others, findKey),
  });
  const claims = [signature, ...looked.claims];
  const { payload } = document;
  const of_node = { node_id: payload.node_id, chain: TRACK_KINDS[payload.kind].chain };
  if (kept) claims.push(joined ? checkJoin(kept, joined, of_node) : checkKept(kept, payload, looked));
  // Without a valid signature of the node, nothing is proven.
  const of = signature.state === "proven" ? claims : claims.map(withoutSignature);
  return concludeClaims(of, document.payload.node_id);
}

const withoutSignature = (claim: TrackClaim): TrackClaim =>
  claim.state === "proven" ? unproven(claim.name, `${claim.detail}; but nobody signed for it`) : claim;

/** The verdict on several claims, which is that of the worst. */
export function concludeClaims(claims: readonly TrackClaim[], node_id: string | null): TrackReport {
  const has = (state: TrackState) => claims.some((claim) => claim.state === state);
  return { claims, node_id, verdict: has("broken") ? "broken" : has("unproven") ? "unproven" : "proven" };
}

/** Members that are not checked are signed too, so they are kept. */
const render = (value: unknown): string | null => {
  try {
    return renderRecord(value as RecordBody);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

function checkSignature(
  { payload, payload_canonical: text, signature }: TrackDocument,
  findKey: TrackOptions["findKey"],
): TrackClaim {
  const name = "signature";
  if (render(payload) !== text) return broken(name, "payload_canonical is not the payload's canonical text");
  const public_key = findKey(payload.key_id);
  if (public_key === null) return broken(name, `the node lists no key ${payload.key_id.slice(0, 60)}`);
  if (!isSignedText({ kind: TRACK_KINDS[payload.kind].statement, text, signature, public_key })) {
    return broken(name, "the signature is not of this text and key");
  }
  if (nodeIdOf(Buffer.from(public_key, "base64url")) !== payload.node_id) {
    return broken(name, "node_id does not follow from the key");
  }
  return proven(name, `signed by ${payload.node_id} with ${payload.key_id}`);
}

/** Records with their own statement. */
interface Earlier {
  readonly rows: readonly TrackRow[];
  /** Whether that statement proves them, so that the node signed them at that time. */
  readonly is_held: boolean;
}

const NO_OTHERS: Earlier = { rows: [], is_held: false };

function holdsAlone(others: TrackDocument, findKey: TrackOptions["findKey"]): boolean {
  const claims = [checkSignature(others, findKey), ...checkRows(others, NO_OTHERS).claims];
  const needed = claims.filter(({ name }) => name === "signature" || name === "membership" || name === "order");
  return needed.every(({ state }) => state === "proven");
}

interface Looked {
  readonly claims: readonly TrackClaim[];
  readonly shown: ShownRecord | null;
  readonly anchors: Anchors | null;
}

function checkRows(document: TrackDocument, others: Earlier): Looked {
  const { payload } = document;
  const rows = document.rows ?? [];
  const earlier = listEarlier(payload, others.rows);
  // Records newer than the statement are not covered by it, but an edited copy of one is still refused.
  const fault = findFalseHash(payload, rows) ?? findFalseHash(EVER, others.rows);
  const shown = fault ?? joinRows(document, rows, earlier);
  if (typeof shown === "string")
    return { claims: [broken("membership", shown), ...UNREAD], shown: null, anchors: null };
  const own = anchorRows(shown);
  const agrees = own.faults.membership === undefined && own.faults.order === undefined;
  const anchors = others.is_held && agrees ? holdToo(own, earlier) : own;
  const completeness = checkCompleteness(shown);
  const of = { ...shown, anchors, is_complete: completeness.state === "proven" };
  const claims = [checkMembership(of), checkOrder(of), completeness, checkGrades(of), checkTotals(of)];
  return { claims, shown, anchors };
}

/** Records proven by an earlier statement of the same node are signed too. */
function holdToo(anchors: Anchors, rows: readonly TrackRow[]): Anchors {
  const records = new Set([...anchors.records, ...rows.map(({ record }) => record.seq)]);
  const stated = rows.filter(({ outcome }) => outcome !== null).map(({ record }) => record.seq);
  return { ...anchors, records, outcomes: new Set([...anchors.outcomes, ...stated]) };
}

const EVER = { chain_length: Number.MAX_SAFE_INTEGER };

/** If records contradict each other, no other claim is checked. */
const UNREAD: readonly TrackClaim[] = (["order", "completeness", "grades", "totals"] as const).map((name) =>
  unproven(name, "not looked into: the records do not hold together"),
);

/** Evidence may be newer than the statement; later records are not covered by it. */
const listEarlier = (
  { chain_length, outcome_log_size = Number.MAX_SAFE_INTEGER }: TrackPayload,
  rows: readonly TrackRow[],
): readonly TrackRow[] =>
  rows
    .filter(({ record }) => record.seq <= chain_length)
    .map((row) =>
      (row.outcome_seq ?? 0) <= outcome_log_size
        ? row
        : { ...row, outcome: null, outcome_hash: null, outcome_seq: null },
    );

/** Both kinds of evidence merged, in the order of the chain. */
function joinRows(
  document: TrackDocument,
  rows: readonly TrackRow[],
  earlier: readonly TrackRow[],
): ShownRecord | string {
  const by_seq = new Map<number, TrackRow>();
  for (const row of rows) {
    const { seq } = row.record;
    if (by_seq.has(seq)) return `record ${seq} is shown twice`;
    by_seq.set(seq, row);
  }
  for (const row of earlier) {
    const { seq } = row.record;
    const known = by_seq.get(seq);
    if (known && known.record_hash !== row.record_hash) return `record ${seq} has another hash in the evidence`;
    const are_stated = known !== undefined && known.outcome_hash !== null && row.outcome_hash !== null;
    if (are_stated && known.outcome_hash !== row.outcome_hash)
      return `record ${seq} has another outcome in the evidence`;
    if (!known || known.outcome_hash === null) by_seq.set(seq, row);
  }
  const ordered = [...by_seq.values()].sort((a, b) => a.record.seq - b.record.seq);
  return { document, rows: ordered, by_seq };
}

/** Whether the chain continues an earlier head, which only records under the signed head can prove. */
function checkKept(kept: KeptHead, { chain_length, chain_head }: TrackPayload, { shown, anchors }: Looked): TrackClaim {
  const name = "kept head";
  const { length, head } = kept;
  if (length > chain_length) return broken(name, "the chain was longer when the head was kept");
  const held = (seq: number) => (anchors?.records.has(seq) ? shown?.by_seq.get(seq) : undefined);
  const now = length === chain_length ? chain_head : (held(length)?.record_hash ?? held(length + 1)?.record.prev_hash);
  if (now === undefined) return unproven(name, `record ${length} is not among those that are proven`);
  return now === head
    ? proven(name, `record ${length} is still the one it was`)
    : broken(name, `record ${length} was rewritten`);
}
