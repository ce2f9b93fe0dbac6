import { type Computed, type Draft, missing, NodeError, renderTime } from "intel-node";
import { findDoubt } from "intel-node/quant/graded-record";
import { type Ballot, castBallots } from "../votes/ballots.ts";
import type { PeerRound } from "../votes/peer-votes.ts";
import { getVoterWeight, type TrackRecord, tallyVotes } from "../votes/tally.ts";
import { getTrackKey, VOTE_COINS } from "../votes/vote-records.ts";
import { MODEL_HASH, MODEL_ID } from "../votes/voters.ts";
import type { SwarmVoteInputs } from "./fetch.ts";
import type { SwarmVoteData } from "./schema.ts";

/** Fewer rules with data, of every coin, do not make a swarm. */
const VOTERS_MIN = 4;
const NO_TRACK: TrackRecord = { scored_n: 0, wins: 0 };

type VoteRow = Draft<SwarmVoteData["rows"][number]>;

function describeBallot({ symbol, voters }: Ballot, tracks: SwarmVoteInputs["tracks"]): VoteRow {
  const known = voters.map((voter) => {
    const track = tracks.get(getTrackKey(symbol, voter.id)) ?? NO_TRACK;
    return { ...voter, ...track, weight: getVoterWeight(track) };
  });
  const { result, agreement_frac, ...counts } = tallyVotes(known);
  return {
    symbol,
    result,
    agreement_frac,
    ...counts,
    voters: known.map(({ id, vote, weight, value, scored_n, wins }) => ({
      id,
      vote,
      weight,
      value: value ?? missing(`no data of ${symbol} for the rule, which abstains`),
      scored_n,
      wins,
    })),
  };
}

function describePeers(round: PeerRound | null, warnings: string[]): SwarmVoteData["peers"] {
  const { asked, counted, refused } = round ?? { asked: 0, counted: [], refused: [] };
  if (asked === 0) warnings.push("peers: no other node was asked; these are this node's votes alone");
  else if (counted.length === 0) warnings.push("peers: no other node's votes count; these are this node's votes alone");
  const verdictsOf = (symbol: string) =>
    counted.flatMap(({ rows }) => rows.filter((row) => row.symbol === symbol).map(({ verdict }) => verdict));
  const tally = VOTE_COINS.map((symbol) => {
    const verdicts = verdictsOf(symbol);
    const n_long = verdicts.filter((verdict) => verdict === "long").length;
    const n_short = verdicts.filter((verdict) => verdict === "short").length;
    return { symbol, n_long, n_short, n_undecided: verdicts.length - n_long - n_short };
  });
  return {
    asked,
    verified: counted.length,
    nodes: counted.map((node) => ({ ...node, rows: [...node.rows] })),
    tally: counted.length === 0 ? [] : tally,
    refused: [...refused],
  };
}

/** What a verdict that takes a side rests on: how many of its rules beat a coin so far. */
const warnOfVerdicts = (rows: readonly VoteRow[]): readonly string[] =>
  rows.flatMap(({ symbol, verdict, voters }) => {
    if (verdict !== "long" && verdict !== "short") return [];
    const proven = voters.filter(
      ({ scored_n, wins }) => findDoubt({ n: scored_n, wins, mean_net_bps: null }) === null,
    ).length;
    const told = `the verdict itself is not graded; of ${voters.length} rules ${proven} beat a coin so far`;
    return [`rows.${symbol}.verdict: ${told}`];
  });

/**
 * The ten rules' votes, each weighted by how its own came out here.
 * @throws NodeError upstream_unavailable when fewer than four rules have data, of every coin.
 */
export function computeSwarmVote({
  day,
  tracks,
  chain,
  signed,
  peers,
}: SwarmVoteInputs): Computed<Draft<SwarmVoteData>> {
  const ballots = castBallots(day);
  const withData = ({ voters }: Ballot) => voters.filter(({ value }) => value !== null).length;
  const closes = ballots.flatMap(({ bar_close_at_ms }) => bar_close_at_ms ?? []);
  if (closes.length === 0 || ballots.every((ballot) => withData(ballot) < VOTERS_MIN)) {
    const message = "Fewer than 4 of the 10 rules have data. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 60 });
  }
  const as_of_ms = Math.max(...closes);
  const rows = ballots.map((ballot) => describeBallot(ballot, tracks));
  const warnings = [...warnOfVerdicts(rows)];
  const data: Draft<SwarmVoteData> = {
    model_id: MODEL_ID,
    model_hash: MODEL_HASH,
    bar_close_at: renderTime(as_of_ms),
    rows,
    chain: { length: chain.length, head: chain.head },
    signed: signed ? { ...signed } : missing("the votes of this day were not recorded"),
    peers: describePeers(peers, warnings),
  };
  return { as_of_ms, data, warnings };
}

/** The same a day earlier, as it could be seen then; today's record of each rule stays. */
export const rewindSwarmVote = (inputs: SwarmVoteInputs): SwarmVoteInputs | null =>
  inputs.before?.day.coins.some(({ bars }) => bars.length > 0)
    ? { ...inputs, day: inputs.before.day, signed: inputs.before.signed, before: null }
    : null;
