import { LRUCache } from "lru-cache";
import { nodeIdOf } from "../../core/identity.ts";
import { networkById } from "../../payments/networks/table.ts";
import { isSignedByWallet } from "../../payments/wallet-proof.ts";
import { readDIDDocument } from "../../trust/peer-documents.ts";
import type { AskPeer, CheckedPeerAnswer } from "../../trust/peer-types.ts";
import { provePayee } from "../../trust/prove-payee.ts";
import { fetchPeer } from "../../upstream/fetch-peer.ts";

/** A peer that showed who it is, and that the address it is paid at is its own. */
export interface ProvenPeer {
  readonly node_id: string;
  /** Raw Ed25519 key, base64url. */
  readonly node_key: string;
  readonly sandbox: boolean;
}

export type PeerProof = ProvenPeer | { readonly refused: string };

/** Proofs are made of three documents; a payment waits meanwhile. */
const PROVEN_FOR_MS = 600_000;
const PROVEN_MAX = 100;

const networkOf = (id: string): string | null => networkById(id)?.id ?? null;

/** Proves who is paid at a peer's, as the command `verify` and `/agent-call` do; keeps what was proven for a while. */
export function createPayeeDesk(now_ms: () => number, askAs: AskPeer = fetchPeer) {
  const proven = new LRUCache<string, { readonly peer: ProvenPeer; readonly until_ms: number }>({ max: PROVEN_MAX });

  async function prove(origin: string, payee: { network: string; pay_to: string }): Promise<PeerProof> {
    let did: CheckedPeerAnswer | null = null;
    const ask: AskPeer = async (url) => {
      const answer = await askAs(url);
      if (url === `${origin}/.well-known/did.json` && !("failed" in answer)) did = answer;
      return answer;
    };
    const proof = await provePayee(origin, payee, { ask, isSignedByWallet, networkOf, now_ms: now_ms() });
    const { proven_by, node_id, sandbox, steps } = proof;
    const why = steps.find(({ state }) => state === "failed") ?? steps.find(({ state }) => state === "unproven");
    const refuse = (what: string): PeerProof => ({ refused: why ? `${what}: ${why.name}: ${why.detail}` : what });
    if (proven_by === "refused") return refuse("its documents contradict themselves");
    if (node_id === null || proven_by === "nothing") return refuse(`nobody vouches for ${payee.pay_to}`);
    const document = did === null ? null : readDIDDocument((did as CheckedPeerAnswer).text);
    const keys = document?.verificationMethod.map(({ publicKeyJwk }) => publicKeyJwk.x) ?? [];
    const node_key = keys.find((key) => nodeIdOf(Buffer.from(key, "base64url")) === node_id);
    return node_key === undefined ? refuse("its DID document lacks its key") : { node_id, node_key, sandbox };
  }

  return async (origin: string, payee: { network: string; pay_to: string }): Promise<PeerProof> => {
    const key = `${origin} ${payee.network} ${payee.pay_to}`;
    const known = proven.get(key);
    if (known && now_ms() < known.until_ms) return known.peer;
    const proof = await prove(origin, payee);
    if (!("refused" in proof)) proven.set(key, { peer: proof, until_ms: now_ms() + PROVEN_FOR_MS });
    return proof;
  };
}

export type PayeeDesk = ReturnType<typeof createPayeeDesk>;
