import type { VoterId, VoterVote } from "./voters.ts";

export const VERDICTS = ["long", "short", "split", "no_quorum"] as const;
export type VoteVerdict = (typeof VERDICTS)[number];

/** How often a voter's scored votes came out above costs. */
export interface TrackRecord {
  readonly scored_n: number;
  readonly wins: number;
}

const PRIOR_WINS = 20;
const PRIOR_N = 40;
/** Nobody is silenced. */
const WEIGHT_MIN = 0.1;
const QUORUM = 4;
const LEANING = 0.3;

/**
 * max(0, 2p - 1) + 0.1, p the mean of a Beta distribution: 20 wins of 40 are believed of everybody beforehand (Bayes),
 * so that a few lucky votes weigh little.
 */
export function getVoterWeight({ scored_n, wins }: TrackRecord): number {
  const p = (PRIOR_WINS + wins) / (PRIOR_N + scored_n);
  return Math.max(0, 2 * p - 1) + WEIGHT_MIN;
}

export interface WeightedVote {
  readonly id: VoterId;
  readonly vote: VoterVote;
  readonly weight: number;
}

export interface VoteTally {
  /** -1 to 1; null when all abstain. */
  readonly result: number | null;
  readonly verdict: VoteVerdict;
  /** Share of all voters, those who abstain among them, that is on the larger side; null when all abstain. */
  readonly agreement_frac: number | null;
  readonly n_long: number;
  readonly n_short: number;
  readonly n_abstain: number;
}

/** Weighted mean of the votes of those who have an opinion. */
export function tallyVotes(votes: readonly WeightedVote[]): VoteTally {
  const n_long = votes.filter(({ vote }) => vote > 0).length;
  const n_short = votes.filter(({ vote }) => vote < 0).length;
  const cast = n_long + n_short;
  const counts = { n_long, n_short, n_abstain: votes.length - cast };
  if (cast === 0) return { result: null, verdict: "no_quorum", agreement_frac: null, ...counts };
  const total = votes.reduce((sum, { vote, weight }) => sum + (vote === 0 ? 0 : weight), 0);
  const result = votes.reduce((sum, { vote, weight }) => sum + vote * weight, 0) / total;
  const leaning = result >= LEANING ? "long" : result <= -LEANING ? "short" : "split";
  const verdict = cast < QUORUM ? "no_quorum" : leaning;
  return { result, verdict, agreement_frac: Math.max(n_long, n_short) / votes.length, ...counts };
}
