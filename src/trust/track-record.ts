import { type Static, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { nodeIdOf } from "../core/identity.ts";
import { createMerkleRoot } from "../records/merkle-tree.ts";
import { getGenesis, hashOutcomeLeaf, hashRecord, type RecordBody, renderRecord } from "../records/record-chain.ts";
import { isSignedText } from "../records/signed-text.ts";

const RECORDS_MAX = 1_000;
const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Decimal = Type.String({ pattern: "^-?[0-9]{1,15}(\\.[0-9]{1,18})?$" });
const Count = Type.Integer({ minimum: 0 });

const Signal = Type.Object({
  seq: Type.Integer({ minimum: 1 }),
  model_id: Type.String(),
  side: Type.Union([Type.Literal("long"), Type.Literal("short")]),
  horizon_h: Type.Integer({ minimum: 1 }),
  emitted_at: Type.String({ maxLength: 40 }),
  cost_bps: Decimal,
  prev_hash: Hash,
});
const Outcome = Type.Object({
  seq: Type.Integer({ minimum: 1 }),
  record_hash: Hash,
  status: Type.Literal("scored"),
  entry_at: Type.String({ maxLength: 40 }),
  entry_price: Decimal,
  exit_at: Type.String({ maxLength: 40 }),
  exit_price: Decimal,
  gross_bps: Decimal,
  net_bps: Decimal,
  hit: Type.Boolean(),
});
const Evidence = Type.Object({ record: Signal, record_hash: Hash, outcome: Outcome, outcome_hash: Hash });
const Payload = Type.Object({
  kind: Type.Union([Type.Literal("win-rate-verified"), Type.Literal("theses")]),
  node_id: Type.String(),
  key_id: Type.String(),
  model_id: Type.String(),
  chain_head: Hash,
  chain_length: Count,
  outcomes_root: Hash,
  n_scored: Count,
  wins: Count,
  sum_net_bps: Decimal,
});
const Answer = Type.Object({
  data: Type.Object({
    payload: Payload,
    payload_canonical: Type.String({ maxLength: 10_000 }),
    signature: Type.String({ maxLength: 200 }),
    records: Type.Union([Type.Array(Evidence, { maxItems: RECORDS_MAX }), Type.Null()]),
  }),
});
const checkAnswer = compileSchema(Answer);
/** The chain a statement is of, and what its signature is for, by what the statement calls itself. */
const KINDS = {
  "win-rate-verified": { chain: "signals", statement: "win-rate" },
  theses: { chain: "theses", statement: "theses" },
} as const;
type EvidenceData = Static<typeof Evidence>;
type PayloadData = Static<typeof Payload>;

export interface TrackStep {
  readonly name: string;
  /** "partial": nothing is wrong, but not all of it could be checked. */
  readonly state: "proven" | "partial" | "refused";
  readonly detail: string;
}

export interface TrackReport {
  readonly steps: readonly TrackStep[];
  readonly verdict: TrackStep["state"];
  readonly node_id: string | null;
}

/** A chain head somebody kept: the record with this number must still have this hash. */
export interface KeptHead {
  readonly length: number;
  readonly head: string;
}

export interface TrackOptions {
  /** Raw Ed25519 key (base64url) of a key id, or null. */
  readonly findKey: (key_id: string) => string | null;
  readonly kept?: KeptHead | undefined;
}

const proven = (name: string, detail: string): TrackStep => ({ name, state: "proven", detail });
const partial = (name: string, detail: string): TrackStep => ({ name, state: "partial", detail });
const refused = (name: string, detail: string): TrackStep => ({ name, state: "refused", detail });

/**
 * Checks an answer of /win-rate-verified or /thesis-engine without asking anybody: signature, hashes, links, results,
 * counts and Merkle root. Whether the prices are those of the venue is left to who has them. Every value is safe to
 * ask about.
 */
export function verifyTrackRecord(answer: unknown, { findKey, kept }: TrackOptions): TrackReport {
  if (!checkAnswer.Check(answer)) {
    const fault = checkAnswer.Errors(answer).First();
    const where = `${fault?.path || "the answer"}: ${fault?.message}`;
    const what = "/win-rate-verified or /thesis-engine";
    return conclude([refused("form", `this is no answer of ${what} (${where})`)], null);
  }
  const { payload, payload_canonical, signature, records } = answer.data;
  const steps = [checkSignature({ payload, payload_canonical, signature, findKey })];
  if (records === null) {
    steps.push(partial("records", "they are withheld: previews show the statement only"));
  } else {
    // In the order of the chain, whatever order they are shown in.
    const ordered = [...records].sort((a, b) => a.record.seq - b.record.seq);
    steps.push(
      checkHashes(ordered),
      checkLinks(ordered, payload),
      checkResults(ordered),
      checkTotals(ordered, payload),
    );
  }
  if (kept) steps.push(checkKept(kept, records ?? [], payload));
  return conclude(steps, payload.node_id);
}

function conclude(steps: readonly TrackStep[], node_id: string | null): TrackReport {
  const has = (state: TrackStep["state"]) => steps.some((step) => step.state === state);
  return { steps, node_id, verdict: has("refused") ? "refused" : has("partial") ? "partial" : "proven" };
}

interface Signed {
  readonly payload: PayloadData;
  readonly payload_canonical: string;
  readonly signature: string;
  readonly findKey: TrackOptions["findKey"];
}

/** The members beyond those that are looked into are part of what is signed too. */
const render = (value: unknown): string | null => {
  try {
    return renderRecord(value as RecordBody);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

function checkSignature({ payload, payload_canonical: text, signature, findKey }: Signed): TrackStep {
  const name = "signature";
  if (render(payload) !== text) return refused(name, "payload_canonical is not the payload's canonical text");
  const public_key = findKey(payload.key_id);
  if (public_key === null) return refused(name, `the node lists no key ${payload.key_id.slice(0, 60)}`);
  if (!isSignedText({ kind: KINDS[payload.kind].statement, text, signature, public_key })) {
    return refused(name, "the signature is not of this text and key");
  }
  if (nodeIdOf(Buffer.from(public_key, "base64url")) !== payload.node_id) {
    return refused(name, "node_id does not follow from the key");
  }
  return proven(name, `signed by ${payload.node_id} with ${payload.key_id}`);
}

function checkHashes(records: readonly EvidenceData[]): TrackStep {
  const name = "hashes";
  const hash = (value: unknown): string | null => {
    try {
      return hashRecord(value as RecordBody);
    } catch (error) {
      if (error instanceof TypeError) return null;
      throw error;
    }
  };
  for (const { record, record_hash, outcome, outcome_hash } of records) {
    if (hash(record) !== record_hash) return refused(name, `record ${record.seq} does not have its hash`);
    if (hash(outcome) !== outcome_hash) return refused(name, `the outcome of ${record.seq} does not have its hash`);
    if (outcome.seq !== record.seq || outcome.record_hash !== record_hash) {
      return refused(name, `the outcome beside record ${record.seq} is of another one`);
    }
  }
  return proven(name, `${records.length} records and outcomes hash as they say`);
}

function checkLinks(records: readonly EvidenceData[], { kind, chain_length, chain_head }: PayloadData): TrackStep {
  const name = "links";
  let linked = 0;
  for (const [index, { record, record_hash }] of records.entries()) {
    const before = records[index - 1];
    if (record.seq > chain_length) return refused(name, `record ${record.seq} is beyond the end of the chain`);
    if (before?.record.seq === record.seq) return refused(name, `record ${record.seq} is shown twice`);
    if (record.seq === 1 && record.prev_hash !== getGenesis(KINDS[kind].chain)) {
      return refused(name, "the first record does not begin the chain");
    }
    if (before?.record.seq === record.seq - 1) {
      if (record.prev_hash !== before.record_hash) return refused(name, `record ${record.seq} is not linked`);
      linked += 1;
    }
    if (record.seq === chain_length && record_hash !== chain_head) {
      return refused(name, "the newest record is not the chain's head");
    }
  }
  return proven(name, `${linked} links between shown records hold`);
}

const HOUR_MS = 3_600_000;

/** One decimal, half away from zero on the exact binary value, without "-0.0". */
const renderBps = (value: number): string => value.toFixed(1).replace(/^-(0\.0)$/, "$1");

function checkResults(records: readonly EvidenceData[]): TrackStep {
  const name = "results";
  for (const { record, outcome } of records) {
    const { seq, side, horizon_h, cost_bps } = record;
    const change = Number(outcome.exit_price) / Number(outcome.entry_price) - 1;
    const gross = renderBps((side === "long" ? 1 : -1) * change * 10_000);
    const net = renderBps(Number(gross) - Number(cost_bps));
    if (gross !== outcome.gross_bps || net !== outcome.net_bps || Number(net) > 0 !== outcome.hit) {
      return refused(name, `the result of ${seq} is ${net} bps, not ${outcome.net_bps}`);
    }
    const entry_ms = (Math.floor(Date.parse(record.emitted_at) / HOUR_MS) + 1) * HOUR_MS;
    const is_timed =
      Date.parse(outcome.entry_at) === entry_ms && Date.parse(outcome.exit_at) === entry_ms + horizon_h * HOUR_MS;
    if (!is_timed) return refused(name, `entry or exit of ${seq} is not at its hour`);
  }
  return proven(name, "every result follows from its prices, hours and cost");
}

function checkTotals(records: readonly EvidenceData[], payload: PayloadData): TrackStep {
  const name = "totals";
  const own = records.filter(({ record }) => record.model_id === payload.model_id);
  if (own.length > payload.n_scored) return refused(name, `${own.length} graded records, ${payload.n_scored} stated`);
  if (own.length < payload.n_scored || own.length < records.length) {
    return partial(
      name,
      `${own.length} of ${payload.n_scored} graded signals are shown: sums and root cannot be rebuilt`,
    );
  }
  const wins = own.filter(({ outcome }) => outcome.hit).length;
  if (wins !== payload.wins) return refused(name, `${wins} hits, ${payload.wins} stated`);
  const sum = renderBps(own.reduce((total, { outcome }) => total + Number(outcome.net_bps), 0));
  if (sum !== payload.sum_net_bps) return refused(name, `the results add up to ${sum}, not ${payload.sum_net_bps}`);
  const tree = createMerkleRoot();
  for (const { record_hash, outcome_hash } of own) tree.append(hashOutcomeLeaf(record_hash, outcome_hash));
  if (tree.root() !== payload.outcomes_root) return refused(name, "the Merkle root is another one");
  return proven(name, `${wins} hits of ${own.length}, sum ${sum} bps and the Merkle root agree`);
}

function checkKept(kept: KeptHead, records: readonly EvidenceData[], payload: PayloadData): TrackStep {
  const name = "kept head";
  if (kept.length > payload.chain_length) return refused(name, "the chain was longer when the head was kept");
  const now =
    kept.length === payload.chain_length
      ? payload.chain_head
      : (records.find(({ record }) => record.seq === kept.length)?.record_hash ??
        records.find(({ record }) => record.seq === kept.length + 1)?.record.prev_hash);
  if (now === undefined) return partial(name, `record ${kept.length} is not among those shown`);
  return now === kept.head
    ? proven(name, `record ${kept.length} is still the one it was`)
    : refused(name, `record ${kept.length} was rewritten`);
}
