import type { Opinion, SeatVote } from "./seats.ts";

/** An opinion with what its seat weighs. */
export interface WeighedOpinion extends Opinion {
  readonly weight: number;
}

export interface CouncilVerdict {
  readonly verdict: SeatVote;
  /** -100 to 100: mean of the signed confidences by weight. */
  readonly score: number;
  /** Weight of each vote, percent of what voted. */
  readonly shares_pct: Readonly<Record<SeatVote, number>>;
  /** Standard deviation of the signed confidences by weight, of the whole population. */
  readonly dispersion: number;
}

/** From here on a score is a verdict. */
const DECIDED = 25;
/** Weight that must have voted for a valid verdict, as a share of all seats'. */
const QUORUM = 0.6;

const SIGNS: Readonly<Record<SeatVote, number>> = { bullish: 1, neutral: 0, bearish: -1 };

/** Whether enough of the weight voted. */
export const hasQuorum = (votes: readonly WeighedOpinion[], weight_of_all: number): boolean =>
  votes.reduce((sum, { weight }) => sum + weight, 0) >= QUORUM * weight_of_all;

/** The verdict of some opinions; null without opinions. */
export function reachVerdict(votes: readonly WeighedOpinion[]): CouncilVerdict | null {
  const total = votes.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return null;
  const signed = votes.map(({ vote, confidence, weight }) => ({ value: SIGNS[vote] * confidence, weight }));
  const score = signed.reduce((sum, { value, weight }) => sum + value * weight, 0) / total;
  const variance = signed.reduce((sum, { value, weight }) => sum + weight * (value - score) ** 2, 0) / total;
  const shareOf = (vote: SeatVote) =>
    (100 * votes.filter((one) => one.vote === vote).reduce((sum, { weight }) => sum + weight, 0)) / total;
  return {
    verdict: score >= DECIDED ? "bullish" : score <= -DECIDED ? "bearish" : "neutral",
    score,
    shares_pct: { bullish: shareOf("bullish"), neutral: shareOf("neutral"), bearish: shareOf("bearish") },
    dispersion: Math.sqrt(variance),
  };
}
