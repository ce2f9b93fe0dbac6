import { checkPeerDocuments } from "./check-documents.ts";
import { checkPeerLogs } from "./check-peer-logs.ts";
import { checkPayees, type Payee } from "./peer-payees.ts";
import { createSteps, type PeerParts, type PeerStep, type ProvenanceOutcome } from "./peer-types.ts";
import type { WitnessPolicy } from "./witness-policy.ts";

/**
 * "verified": the node signed its manifest, and every receiving address signed for the node. "partial": nothing is
 * wrong, but not every address is proven. "refused": something is wrong.
 */
export type PeerVerdict = "verified" | "partial" | "refused";

export interface PeerReport {
  readonly verdict: PeerVerdict;
  /** "no_claim" and "unverifiable" of a refused one: it has no such documents, or does not answer. */
  readonly outcome: ProvenanceOutcome;
  readonly origin: string;
  /** Null if it is not proven. */
  readonly node_id: string | null;
  /** Raw Ed25519 key, base64url; null if it is not proven. */
  readonly node_key: string | null;
  readonly sandbox: boolean;
  /** Receiving addresses, and whether each is proven. */
  readonly payees: readonly Payee[];
  readonly steps: readonly PeerStep[];
}

/**
 * Checks the identity of a node from its own documents and their signatures: its key vouches for its manifest, and each
 * receiving address for the node. It trusts only what it computed, and never throws because of the node's answers.
 * @param origin without a slash at its end.
 * @param policy whose cosignatures its histories need; none need have any where there is no policy.
 */
export async function verifyPeer(origin: string, parts: PeerParts, policy?: WitnessPolicy): Promise<PeerReport> {
  const steps = createSteps();
  const checked = await checkPeerDocuments(origin, parts, steps);
  const { manifest = null, signed = null, sandbox = false } = checked.missing === undefined ? checked : {};
  const { node_id = null, node_key = null, wallets = [] } = signed ?? {};
  const payees = manifest && signed ? await checkPayees(manifest, wallets, { origin, ...parts, steps }) : [];
  if (policy !== undefined && manifest !== null) {
    await checkPeerLogs(origin, { signed, ask: parts.ask, steps, policy });
  }
  const verdict = verdictOf(steps.list);
  const outcome = checked.missing ?? OUTCOMES[verdict];
  return { verdict, outcome, origin, node_id, node_key, sandbox, payees, steps: steps.list };
}

const OUTCOMES: Readonly<Record<PeerVerdict, ProvenanceOutcome>> = {
  verified: "verified",
  partial: "unverifiable",
  refused: "contradicted",
};

const verdictOf = (steps: readonly PeerStep[]): PeerVerdict => {
  if (steps.some(({ state }) => state === "failed")) return "refused";
  return steps.some(({ state }) => state === "unproven") ? "partial" : "verified";
};
