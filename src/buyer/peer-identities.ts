import type { NodeFacts, PeerIdentity } from "../catalog/node-facts.ts";
import type { Clock } from "../core/clock.ts";
import { keepFor } from "../core/keep-for.ts";
import { networkById } from "../payments/networks/table.ts";
import { isSignedByWallet } from "../payments/wallet-proof.ts";
import type { AskPeer } from "../trust/peer-types.ts";
import { provePayee } from "../trust/prove-payee.ts";
import { verifyPeer } from "../trust/verify-peer.ts";
import { PEER_DOCUMENT, readPeerAnswer } from "../upstream/fetch-peer.ts";

const KEPT_MS = 3_600_000;
const PEERS_MAX = 20;

export interface PeerIdentityParts {
  /** Addresses of nodes, as the operator wrote them. */
  readonly urls: readonly string[];
  readonly ask: AskPeer;
  readonly clock: Clock;
}

const networkOf = (id: string): string | null => networkById(id)?.id ?? null;
/** A payment waits meanwhile, and does not live long. */
const DOCUMENT_TIMEOUT_MS = 3_000;

/** Proves, as the command `verify` does, who would be paid at a stranger's. */
export const createPayeeProver =
  (clock: Clock): NodeFacts["provePayee"] =>
  (origin, payee, askStranger) => {
    const ask: AskPeer = async (url) =>
      readPeerAnswer(url, await askStranger({ ...PEER_DOCUMENT, url, timeout_ms: DOCUMENT_TIMEOUT_MS }));
    return provePayee(origin, payee, { ask, isSignedByWallet, networkOf, now_ms: clock.now() });
  };

/** Checks, as the command `verify` does, who the operator's peers are: behind the answers, which never wait for it. */
export function createPeerIdentities({ urls, ask, clock }: PeerIdentityParts): NodeFacts["listPeers"] {
  const origins = [...new Set(urls.map((url) => new URL(url).origin))].slice(0, PEERS_MAX);
  const known = new Map<string, PeerIdentity>();
  const checkAll = keepFor(KEPT_MS, clock.now, () => Promise.all(origins.map(check)));

  async function check(origin: string): Promise<void> {
    const checked_at_ms = clock.now();
    const { verdict, node_id } = await verifyPeer(origin, { ask, isSignedByWallet, networkOf, now_ms: checked_at_ms });
    known.set(origin, { origin, verdict, node_id, checked_at_ms });
  }
  return () => {
    // What fails here is tried again with the next answer; until then nobody is called verified.
    checkAll().catch(() => undefined);
    return origins.map((origin) => known.get(origin) ?? { origin, verdict: null, node_id: null, checked_at_ms: null });
  };
}
