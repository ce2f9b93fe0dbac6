import { Type } from "@sinclair/typebox";
import { compileSchema, type FetchContext, type WritableHistory } from "intel-node";
import { VERDICTS } from "./tally.ts";
import { SIGNED_VOTES, VOTE_COINS } from "./vote-records.ts";

const SERIES = "crypto-market/peer-votes";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Peers show their votes a day later; older ones are history. */
const VOTES_AGE_MAX_MS = 3 * DAY_MS;
/** They are asked every hour. */
const ROUND_AGE_MAX_MS = 3 * HOUR_MS;
const KEPT_MS = DAY_MS;
const PEERS_MAX = 20;

const VoteVerdict = Type.Union(VERDICTS.map((verdict) => Type.Literal(verdict)));
const Coin = Type.Union(VOTE_COINS.map((symbol) => Type.Literal(symbol)));
const Time = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$" });

/** The part of a peer's statement that is counted; what else it holds is its own. */
const Statement = compileSchema(
  Type.Object({
    v: Type.Literal(1),
    kind: Type.Literal(SIGNED_VOTES),
    node_id: Type.String({ maxLength: 60 }),
    bar_close_at: Time,
    rows: Type.Array(Type.Object({ symbol: Type.String({ maxLength: 20 }), verdict: VoteVerdict }), { maxItems: 50 }),
  }),
);

const Peer = Type.Object({
  url: Type.String({ maxLength: 500 }),
  node_id: Type.String({ maxLength: 60 }),
  bar_close_at: Time,
  rows: Type.Array(Type.Object({ symbol: Coin, verdict: VoteVerdict }), { maxItems: VOTE_COINS.length }),
});
const Round = compileSchema(
  Type.Object({
    asked: Type.Integer({ minimum: 0 }),
    counted: Type.Array(Peer, { maxItems: PEERS_MAX }),
    refused: Type.Array(Type.Object({ url: Type.String(), why: Type.String() }), { maxItems: PEERS_MAX }),
  }),
);

/** A peer whose votes count. */
export interface PeerVotes {
  readonly url: string;
  readonly node_id: string;
  readonly bar_close_at: string;
  readonly rows: readonly {
    readonly symbol: (typeof VOTE_COINS)[number];
    readonly verdict: (typeof VERDICTS)[number];
  }[];
}

/** One round of asking all peers. */
export interface PeerRound {
  readonly asked: number;
  readonly counted: readonly PeerVotes[];
  readonly refused: readonly { readonly url: string; readonly why: string }[];
}

/** The votes in a text whose signature was checked, or why they do not count. */
export function readStatement(
  { url, node_id, text }: { readonly url: string; readonly node_id: string; readonly text: string },
  now_ms: number,
): PeerVotes | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return "what it signed is not JSON";
    throw error;
  }
  if (!Statement.Check(parsed)) return "what it signed are not votes";
  if (parsed.node_id !== node_id) return "it signed in another node's name";
  const age_ms = now_ms - Date.parse(parsed.bar_close_at);
  if (!(age_ms >= 0 && age_ms <= VOTES_AGE_MAX_MS)) return "its votes are not of the last three days";
  const rows = VOTE_COINS.flatMap((symbol) => {
    const row = parsed.rows.find((one) => one.symbol === symbol);
    return row ? [{ symbol, verdict: row.verdict }] : [];
  });
  return { url, node_id, bar_close_at: parsed.bar_close_at, rows };
}

export async function writeRound(history: WritableHistory, round: PeerRound, now_ms: number): Promise<void> {
  await history.write(SERIES, [{ at_ms: now_ms, value: round }]);
  await history.prune(SERIES, now_ms - KEPT_MS);
}

/** The newest round; null when it is older than three hours. Votes that are too old by now are left out. */
export async function readRound({
  history,
  now_ms,
}: Pick<FetchContext, "history" | "now_ms">): Promise<PeerRound | null> {
  const [newest] = await history.read(SERIES, { since_ms: now_ms - ROUND_AGE_MAX_MS, until_ms: now_ms, limit: 1 });
  if (!newest || !Round.Check(newest.value)) return null;
  const { asked, counted, refused } = newest.value;
  const recent = counted.filter(({ bar_close_at }) => now_ms - Date.parse(bar_close_at) <= VOTES_AGE_MAX_MS);
  return { asked, counted: recent, refused };
}
