import { renderTime } from "../core/clock.ts";
import { canonicalJSON } from "../core/hash.ts";
import { keepFor } from "../core/keep-for.ts";
import type { NodeSigner } from "../records/record-chain.ts";
import type { PeerScore } from "../trust/peer-score.ts";
import type { StandInEvidence } from "../trust/stand-in-book.ts";
import type { FreeRoute } from "./free-route.ts";
import { createJSONAnswer } from "./json-answer.ts";
import type { Responder } from "./respond.ts";

/** Kind of the signed statement over what a node says of its peers. */
const PEER_SCORES = "peer-scores";
/** Made of the books: a flood of free calls must not reach them. */
const KEPT_MS = 10_000;

/** A peer as this node knows it. */
interface ShownPeer {
  readonly url: string;
  readonly node_id: string | null;
  readonly score: PeerScore | null;
  readonly evidence: readonly StandInEvidence[];
}

export interface PeerRouteOptions {
  readonly responder: Responder;
  readonly stamp: () => Record<string, unknown>;
  readonly signer: NodeSigner;
  readonly now_ms: () => number;
  /** Peers by their addresses; none of them is known where nothing was bought. */
  readonly peers: () => Promise<readonly ShownPeer[]>;
}

const round = (count: number): number => Math.round(count * 100) / 100;

const showScore = ({ dropped_until_ms, latency_ms, ...score }: PeerScore) => ({
  bought: round(score.bought),
  answered: round(score.answered),
  unusable: round(score.unusable),
  equal: round(score.equal),
  differing: round(score.differing),
  latency_ms,
  dropped_until: dropped_until_ms === null ? null : renderTime(dropped_until_ms),
});

/** `/peers`: other nodes as this one's own purchases show them, signed. */
export function createPeerRoutes(options: PeerRouteOptions): readonly FreeRoute[] {
  const { signer, now_ms } = options;
  const json = createJSONAnswer(options.responder, "no-cache");
  const read = keepFor(KEPT_MS, now_ms, async () => {
    const peers = (await options.peers()).map(({ score, ...peer }) => ({
      ...peer,
      score: score === null ? null : showScore(score),
    }));
    const text = canonicalJSON({ v: 1, node_id: signer.node_id, at: renderTime(now_ms()), peers });
    const signature = signer.sign(PEER_SCORES, text);
    return { peers, signed: { kind: PEER_SCORES, text, signature, public_key: signer.public_key } };
  });
  return [
    {
      path: "/peers",
      methods: ["GET"],
      handler: async (http_call) => json(http_call, { ...options.stamp(), ...(await read()) }),
    },
  ];
}
