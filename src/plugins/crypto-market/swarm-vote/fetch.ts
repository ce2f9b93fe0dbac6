import type { ChainHead, FetchContext } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { type BallotInputs, type DayInputs, fetchBallotInputs } from "../votes/ballots.ts";
import { type PeerRound, readRound } from "../votes/peer-votes.ts";
import type { TrackRecord } from "../votes/tally.ts";
import { getTrackRecords, readRecentVotes, type SignedVotes, signVotes, VOTES } from "../votes/vote-records.ts";

export interface SwarmVoteInputs {
  readonly day: DayInputs;
  /** The day before, for the preview; null in an earlier view. */
  readonly before: { readonly day: DayInputs; readonly signed: SignedVotes | null } | null;
  readonly tracks: ReadonlyMap<string, TrackRecord>;
  readonly chain: ChainHead;
  readonly signed: SignedVotes | null;
  readonly peers: PeerRound | null;
}

const closeOf = ({ coins }: DayInputs): number =>
  Math.max(0, ...coins.map(({ bars }) => (bars.at(-1)?.t_ms ?? -DAY_MS) + DAY_MS));

/** What the rules look at, how they did so far, and what other nodes said. */
export async function fetchSwarmVote(context: FetchContext): Promise<SwarmVoteInputs> {
  const [inputs, votes]: [BallotInputs, Awaited<ReturnType<typeof readRecentVotes>>] = await Promise.all([
    fetchBallotInputs(context, { grace: true }),
    readRecentVotes(context),
  ]);
  const { today, yesterday } = inputs;
  return {
    day: today,
    before: { day: yesterday, signed: signVotes(context, votes, closeOf(yesterday)) },
    tracks: getTrackRecords(votes),
    chain: await context.records.head(VOTES),
    signed: signVotes(context, votes, closeOf(today)),
    peers: await readRound(context),
  };
}
