import { cleanForeign, type FetchContext, NodeError, type PayeeProof, type PaymentTerm } from "intel-node";
import type { AgentCallData, AgentCallParams } from "./schema.ts";

export type CalledPeerIdentity = NonNullable<AgentCallData["peer_identity"]>;

const STEPS_MAX = 30;
const clean = (text: string): string => cleanForeign(text, 280);
/** How much is shown, and how much a buyer may ask for. */
const VOUCHED = { wallet: 2, manifest: 1, nothing: 0, certificate: 0 } as const;

/** A proof as the answer shows it: some of its words are the peer's. */
const describeProof = ({ proven_by, network, pay_to, node_id, steps }: PayeeProof): CalledPeerIdentity => ({
  proven_by: proven_by === "refused" ? "nothing" : proven_by,
  network,
  pay_to,
  node_id,
  checks: steps.slice(0, STEPS_MAX).map((step) => ({
    name: clean(step.name),
    state: step.state,
    detail: clean(step.detail),
  })),
});

/** Why a payment stays here: the first thing that speaks against the peer. */
const findDoubt = ({ steps }: PayeeProof, state: "failed" | "unproven"): string => {
  const doubt = steps.find((step) => step.state === state) ?? steps.find((step) => step.state !== "ok");
  return clean(doubt ? `${doubt.name}: ${doubt.detail}` : "nothing was shown");
};

/**
 * Checks the payee against the peer's own signed documents, before a payment leaves this node. Documents that
 * contradict themselves or the price are refused whatever the buyer asked for.
 * @throws NodeError invalid_parameter, uncharged.
 */
export async function provePeer(
  context: FetchContext,
  term: PaymentTerm,
  { target, identity }: Pick<AgentCallParams, "target" | "identity">,
): Promise<CalledPeerIdentity> {
  const { origin } = new URL(target);
  const payee = { network: term.network, pay_to: term.pay_to };
  const proof = await context.node.provePayee(origin, payee, context.askStranger);
  const details = { peer_identity: describeProof(proof) };
  if (proof.proven_by === "refused") {
    const why = `identity: the peer's own documents speak against it (${findDoubt(proof, "failed")})`;
    throw new NodeError("invalid_parameter", `${why}. Your payment was not passed on.`, { param: "identity", details });
  }
  if (VOUCHED[proof.proven_by] < VOUCHED[identity]) {
    const who = identity === "wallet" ? "no owner" : "no key";
    const why = `identity: ${who} vouches for ${term.pay_to} at ${origin} (${findDoubt(proof, "unproven")})`;
    const way = "Your payment was not passed on. If the name on its certificate is enough, send identity=certificate.";
    throw new NodeError("invalid_parameter", `${why}. ${way}`, { param: "identity", details });
  }
  return describeProof(proof);
}
