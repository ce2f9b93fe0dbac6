import type { CountedCheck, CountedPurchase } from "./stand-in-book.ts";

/** The score of a peer from this node's own purchases; older ones count less. */
export interface PeerScore {
  readonly node_id: string;
  /** Decayed counts of paid purchases, of answers that could be sold, and of the others. */
  readonly bought: number;
  readonly answered: number;
  readonly unusable: number;
  /** Counts of answers equal to, and different from, this node's own. */
  readonly equal: number;
  readonly differing: number;
  /** Weighted mean of answered purchases, newest first; null before the first. */
  readonly latency_ms: number | null;
  /** Time until which nothing is bought from it because of evidence, ISO 8601; null if it may be called. */
  readonly dropped_until_ms: number | null;
}

/** Half-life of a purchase. */
const HALF_LIFE_MS = 7 * 86_400_000;
/** After ten half-lives nothing counts any more. */
export const SCORED_FOR_MS = 10 * HALF_LIFE_MS;
const DROPPED_FOR_MS = 30 * 86_400_000;

const weigh = (at_ms: number, now_ms: number): number => 2 ** (-Math.max(0, now_ms - at_ms) / HALF_LIFE_MS);

interface PeerEvidence {
  readonly purchases: readonly CountedPurchase[];
  readonly checks: readonly CountedCheck[];
}

export function scorePeer(node_id: string, { purchases, checks }: PeerEvidence, now_ms: number): PeerScore {
  const own = purchases.filter((one) => one.node_id === node_id && one.ended !== "open");
  const held = checks.filter((one) => one.node_id === node_id);
  const sum = (list: readonly { readonly at_ms: number }[]): number =>
    list.reduce((total, { at_ms }) => total + weigh(at_ms, now_ms), 0);
  const answered = own.filter(({ ended }) => ended === "answered");
  const lies = held.filter(({ equal }) => !equal);
  const weight = sum(answered);
  const waited = answered.reduce((total, { at_ms, latency_ms }) => total + weigh(at_ms, now_ms) * latency_ms, 0);
  const until_ms = Math.max(0, ...lies.map(({ at_ms }) => at_ms + DROPPED_FOR_MS));
  return {
    node_id,
    bought: sum(own),
    answered: weight,
    unusable: sum(own.filter(({ ended }) => ended === "unusable")),
    equal: sum(held.filter(({ equal }) => equal)),
    differing: sum(lies),
    latency_ms: weight === 0 ? null : Math.round(waited / weight),
    dropped_until_ms: until_ms > now_ms ? until_ms : null,
  };
}

/** Likelihood that a peer answers; an unknown peer ranks between good and bad ones. */
const rankPeer = ({ answered, bought }: PeerScore): number => (answered + 1) / (bought + 2);

/** Sorts the best first; of two equal ones, the faster. */
export const sortPeers = <T extends { readonly score: PeerScore }>(peers: readonly T[]): readonly T[] =>
  peers.toSorted(
    ({ score: one }, { score: other }) =>
      rankPeer(other) - rankPeer(one) || (one.latency_ms ?? 1_000) - (other.latency_ms ?? 1_000),
  );
