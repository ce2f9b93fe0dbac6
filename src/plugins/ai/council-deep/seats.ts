import { type Opinion, SEAT_IDS, SEATS, type SeatInputs, voteByRules } from "../seats/seats.ts";
import type { WeighedOpinion } from "../seats/verdict.ts";

/** The seats of /council, one that reads the chain, and one that argues against the others. */
export const DEEP_SEATS = { ...SEATS, onchain: 0.75, contrarian: 0.5 } as const;
export type DeepSeatId = keyof typeof DEEP_SEATS;
export const DEEP_SEAT_IDS = Object.keys(DEEP_SEATS) as DeepSeatId[];
export const WEIGHT_OF_ALL = DEEP_SEAT_IDS.reduce((sum, id) => sum + DEEP_SEATS[id], 0);

export type SeatVotes<V extends Opinion = Opinion> = Readonly<Record<DeepSeatId, V | null>>;

export interface DeepInputs extends SeatInputs {
  /** Fee of the next block over that of an hour; null where it is unknown. */
  readonly fee_urgency: number | null;
}

/** From here on block space is wanted now. */
const URGENT = 2;
const MARKET_SEATS = [...SEAT_IDS, "onchain"] as const;

/** A hurry for block space speaks for demand; without one the chain says nothing. */
const voteOnchain = ({ fee_urgency }: DeepInputs): Opinion | null =>
  fee_urgency === null
    ? null
    : fee_urgency >= URGENT
      ? { vote: "bullish", confidence: 45 }
      : { vote: "neutral", confidence: 30 };

export const weigh = (votes: Partial<SeatVotes>): readonly WeighedOpinion[] =>
  DEEP_SEAT_IDS.flatMap((id) => {
    const vote = votes[id];
    return vote ? [{ vote: vote.vote, confidence: vote.confidence, weight: DEEP_SEATS[id] }] : [];
  });

/** The vote with most weight behind it, without the contrarian's; null before any vote or if two are even. */
export function findMajority(votes: Partial<SeatVotes>): Opinion["vote"] | null {
  const sums = { bullish: 0, neutral: 0, bearish: 0 };
  for (const id of MARKET_SEATS) {
    const vote = votes[id];
    if (vote) sums[vote.vote] += DEEP_SEATS[id];
  }
  const [first, second] = Object.entries(sums).toSorted(([, a], [, b]) => b - a);
  if (!first || !second || first[1] === second[1]) return null;
  return first[0] as Opinion["vote"];
}

/** The votes open to a seat that argues against a majority. */
export const against = (majority: Opinion["vote"] | null): readonly Opinion["vote"][] =>
  (["bullish", "neutral", "bearish"] as const).filter((vote) => vote !== majority);

function voteContrarian(majority: Opinion["vote"] | null): Opinion {
  if (majority === "bullish") return { vote: "bearish", confidence: 50 };
  return majority === "bearish" ? { vote: "bullish", confidence: 50 } : { vote: "neutral", confidence: 30 };
}

/** What each seat says by its rule; null where it abstains because it knows nothing. */
export function voteDeepByRules(read: DeepInputs): SeatVotes {
  const votes = { ...voteByRules(read), onchain: voteOnchain(read), contrarian: null };
  return { ...votes, contrarian: voteContrarian(findMajority(votes)) };
}
