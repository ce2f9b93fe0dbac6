import type { CountedCheck, CountedPurchase } from "./stand-in-book.ts";

/** What this node's own purchases say of a peer, the older the less. */
export interface PeerScore {
  readonly node_id: string;
  /** Decayed counts: of what was paid for, what was answered so that it could be sold, and what was not. */
  readonly bought: number;
  readonly answered: number;
  readonly unusable: number;
  /** Of answers held against this node's own: the same, and not. */
  readonly equal: number;
  readonly differing: number;
  /** Mean of those that were answered, the newest counting most; null before the first. */
  readonly latency_ms: number | null;
  /** Nothing is bought from it any more until the evidence is so old. ISO 8601; null: it may be asked. */
  readonly dropped_until_ms: number | null;
}

/** After so long a purchase counts half. */
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

/** How likely it is to answer: one it knows nothing of stands between the good and the bad. */
const rankPeer = ({ answered, bought }: PeerScore): number => (answered + 1) / (bought + 2);

/** The best first; of two that answer alike, the faster. */
export const sortPeers = <T extends { readonly score: PeerScore }>(peers: readonly T[]): readonly T[] =>
  peers.toSorted(
    ({ score: one }, { score: other }) =>
      rankPeer(other) - rankPeer(one) || (one.latency_ms ?? 1_000) - (other.latency_ms ?? 1_000),
  );
