import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, oneOf } from "intel-node";
import { VERDICTS } from "../votes/tally.ts";
import { VOTE_COINS } from "../votes/vote-records.ts";
import { VOTERS } from "../votes/voters.ts";

const Voter = Type.Object(
  {
    id: oneOf(VOTERS, "The rule; /docs says what each looks at."),
    vote: Type.Integer({ description: "1 up, -1 down, 0 no opinion.", minimum: -1, maximum: 1 }),
    weight: nullable(Type.Number({ minimum: 0, decimals: 4 }), "What the vote counts", "in the preview"),
    value: nullable(Type.Number({ decimals: 4 }), "The figure the rule looks at; null without data: it then abstains."),
    scored_n: count("Its scored votes on this coin."),
    wins: count("Those that came out above costs."),
  },
  closed,
);

const Row = Type.Object(
  {
    symbol: oneOf(VOTE_COINS, "BTC, ETH or SOL."),
    result: nullable(
      Type.Number({ minimum: -1, maximum: 1, decimals: 4 }),
      "Weighted mean vote, -1 to 1",
      "when all abstain",
    ),
    verdict: oneOf(VERDICTS, "long from 0.3, short from -0.3, else split; no_quorum below 4 votes."),
    agreement_frac: nullable(
      Type.Number({ minimum: 0, maximum: 1, decimals: 4 }),
      "Share of all ten voters that is on the larger side: abstentions agree with neither side.",
      "when all abstain",
    ),
    n_long: count("Votes up."),
    n_short: count("Votes down."),
    n_abstain: count("Voters without an opinion or without data."),
    voters: Type.Array(Voter, { description: "The ten rules.", minItems: VOTERS.length, maxItems: VOTERS.length }),
  },
  closed,
);

const Peer = Type.Object(
  {
    url: Type.String({ description: "Where it was asked." }),
    node_id: Type.String({ description: "Whose key signed the votes." }),
    bar_close_at: Type.String({ description: "Day of the votes, ISO 8601 UTC." }),
    rows: Type.Array(
      Type.Object(
        { symbol: oneOf(VOTE_COINS, "The coin: BTC, ETH or SOL."), verdict: oneOf(VERDICTS, "Its verdict.") },
        closed,
      ),
      { description: "Its verdicts.", maxItems: VOTE_COINS.length },
    ),
  },
  closed,
);

const Peers = Type.Object(
  {
    asked: count("Nodes the operator named."),
    verified: count("Those whose votes are signed by the key their address shows; only these count."),
    nodes: Type.Array(Peer, { description: "The verified ones.", maxItems: 20 }),
    tally: Type.Array(
      Type.Object(
        {
          symbol: oneOf(VOTE_COINS, "The coin: BTC, ETH or SOL."),
          n_long: count("Verified nodes whose verdict is long."),
          n_short: count("Those whose verdict is short."),
          n_undecided: count("Split, or without a quorum."),
        },
        closed,
      ),
      { description: "Verdicts of the verified nodes, this one left out; empty when it is alone.", maxItems: 3 },
    ),
    refused: Type.Array(
      Type.Object(
        { url: Type.String({ description: "Where it was asked." }), why: Type.String({ description: "Why not." }) },
        closed,
      ),
      { description: "Nodes whose votes do not count.", maxItems: 20 },
    ),
  },
  { ...closed, description: "Other nodes' votes. They are shown a day later, so they are of an earlier day." },
);

const Signed = Type.Object(
  {
    text: Type.String({ description: "Canonical JSON (RFC 8785) of the recorded votes." }),
    signature: Type.String({ description: 'Ed25519 over "intel-node:swarm-votes:v1\\n" + text, base64url.' }),
    algorithm: Type.Literal("ed25519", { description: "RFC 8032." }),
    public_key: Type.String({ description: "Raw key, base64url; /.well-known/did.json lists it." }),
    key_id: Type.String({ description: "Name of the key." }),
  },
  closed,
);

export const SwarmVoteSchema = Type.Object(
  {
    model_id: Type.String({ description: "The rules and how they are scored." }),
    model_hash: Type.String({ description: "SHA-256 of every number in the rules." }),
    bar_close_at: Type.String({ description: "Close of the newest daily bar, ISO 8601 UTC." }),
    rows: Type.Array(Row, { description: "One row per coin.", minItems: 3, maxItems: 3 }),
    chain: Type.Object(
      {
        length: count("Recorded votes so far, one record per coin and day."),
        head: Type.String({ description: "Hash of the last one. Keep it: nothing before it can change unnoticed." }),
      },
      { ...closed, description: "The append-only chain of votes." },
    ),
    signed: nullable(Signed, "The votes recorded for this day, signed; null when they were not recorded."),
    peers: Peers,
  },
  closed,
);

export type SwarmVoteData = Static<typeof SwarmVoteSchema>;
