import { type Static, Type } from "@sinclair/typebox";
import { canonicalJSON, closed, compileSchema, type FetchContext, renderTime, type StoredRecord } from "intel-node";
import { yieldToEventLoop } from "intel-node/series/load-bars";
import type { TrackRecord } from "./tally.ts";
import { MODEL_ID, VOTERS, type VoterId } from "./voters.ts";

/** Chain of the daily votes: one record per coin and day. */
export const VOTES = "votes";
export const SIGNED_VOTES = "swarm-votes";
export const VOTE_COINS = ["BTC", "ETH", "SOL"] as const;
export type VoteCoin = (typeof VOTE_COINS)[number];

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Time = Type.String({ maxLength: 30 });
const Ballot = Type.Record(Type.String(), Type.Integer({ minimum: -1, maximum: 1 }));
const VoteRecord = Type.Object(
  {
    v: Type.Literal(1),
    seq: Type.Integer({ minimum: 1 }),
    prev_hash: Hash,
    model_id: Type.String(),
    model_hash: Hash,
    symbol: Type.String(),
    bar_close_at: Time,
    emitted_at: Time,
    ref_price: Type.String(),
    horizon_d: Type.Integer({ minimum: 1 }),
    cost_bps: Type.String(),
    votes: Ballot,
    verdict: Type.String(),
    features_hash: Hash,
  },
  closed,
);
export type VoteRecordData = Static<typeof VoteRecord>;

const Scored = Type.Object({
  status: Type.Literal("scored"),
  wins: Type.Array(Type.String(), { maxItems: 100 }),
  losses: Type.Array(Type.String(), { maxItems: 100 }),
});
const checkRecord = compileSchema(VoteRecord);
const checkScored = compileSchema(Scored);

export interface StoredVotes {
  readonly record: VoteRecordData;
  readonly record_hash: string;
  readonly outcome: { readonly wins: readonly string[]; readonly losses: readonly string[] } | null;
}

/** @throws TypeError when the ledger holds what this version does not understand. */
export function readVotes({ record, record_hash, outcome }: StoredRecord): StoredVotes {
  if (!checkRecord.Check(record)) throw new TypeError("a record of the chain of votes does not match its schema");
  const scored = outcome?.outcome;
  return { record, record_hash, outcome: checkScored.Check(scored) ? scored : null };
}

type Reads = Pick<FetchContext, "records">;

/** About eleven months of three coins. */
const RECORDS_MAX = 1_000;
const PAGE = 200;
/** The newest records, at most 1,000, oldest first; read in pages, so that no other call has to wait for it. */
export async function readRecentVotes({ records }: Reads): Promise<readonly StoredVotes[]> {
  const { length } = await records.head(VOTES);
  const found: StoredVotes[] = [];
  for (let after_seq = Math.max(0, length - RECORDS_MAX); after_seq < length; after_seq += PAGE) {
    if (found.length > 0) await yieldToEventLoop();
    found.push(...(await records.read(VOTES, { after_seq, limit: PAGE })).map(readVotes));
  }
  return found;
}

export const getTrackKey = (symbol: string, id: VoterId): string => `${symbol} ${id}`;

/** Scored votes of each voter on each coin, of this model only. Coins are apart: they move together. */
export function getTrackRecords(votes: readonly StoredVotes[]): ReadonlyMap<string, TrackRecord> {
  const tracks = new Map<string, TrackRecord>();
  for (const { record, outcome } of votes) {
    if (record.model_id !== MODEL_ID || outcome === null) continue;
    for (const id of VOTERS) {
      const won = outcome.wins.includes(id);
      if (!won && !outcome.losses.includes(id)) continue;
      const { scored_n, wins } = tracks.get(getTrackKey(record.symbol, id)) ?? { scored_n: 0, wins: 0 };
      tracks.set(getTrackKey(record.symbol, id), { scored_n: scored_n + 1, wins: wins + (won ? 1 : 0) });
    }
  }
  return tracks;
}

/** What a node says of one day, so that others can check that it was this node. */
export interface SignedVotes {
  readonly text: string;
  readonly signature: string;
  readonly algorithm: "ed25519";
  readonly public_key: string;
  readonly key_id: string;
}

/** The votes of the day that closed at that time, signed; null when that day was not recorded. */
export function signVotes(
  { signer }: Pick<FetchContext, "signer">,
  votes: readonly StoredVotes[],
  bar_close_at_ms: number,
): SignedVotes | null {
  const bar_close_at = renderTime(bar_close_at_ms);
  const day = votes.filter(({ record }) => record.bar_close_at === bar_close_at);
  const last = day.at(-1);
  if (!last) return null;
  const { node_id, key_id, public_key } = signer;
  const rows = day.map(({ record: { symbol, votes: ballot, verdict }, record_hash }) => ({
    symbol,
    verdict,
    votes: ballot,
    record_hash,
  }));
  const chain = { length: last.record.seq, head: last.record_hash };
  const { model_id, emitted_at } = last.record;
  const text = canonicalJSON({ v: 1, kind: SIGNED_VOTES, node_id, model_id, bar_close_at, emitted_at, rows, chain });
  return { text, signature: signer.sign(SIGNED_VOTES, text), algorithm: "ed25519", public_key, key_id };
}
