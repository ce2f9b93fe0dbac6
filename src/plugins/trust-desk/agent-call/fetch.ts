import { type FetchContext, type GuardedAnswer, type GuardedResult, NodeError } from "intel-node";
import { cleanText, decodeBody, readStatedTerms } from "../shared/x402/payment-terms.ts";
import { type PeerIdentity, provePeer } from "./identity.ts";
import { findPaidTerm } from "./payment-fit.ts";
import { checkRelayPath, isRelay, listTargets, normaliseTarget, withRelayPath } from "./relay-path.ts";
import type { AgentCallParams } from "./schema.ts";

export interface AgentCallInputs {
  readonly read_at_ms: number;
  readonly target: string;
  readonly answer: GuardedAnswer;
  readonly took_ms: number;
  readonly has_paid: boolean;
  /** A payment was to be passed on, but the peer answered without one. */
  readonly is_unwanted: boolean;
  /** Null when nothing was passed on. */
  readonly peer_identity: PeerIdentity | null;
}

const REFUSED: readonly string[] = ["url", "port", "host", "address"];

/**
 * Where a call goes: a bare host is asked for its manifest. This node's own names and addresses are refused by the
 * guarded fetch.
 * @throws NodeError invalid_parameter
 */
export function parseTarget(text: string): string {
  const refuse = (why: string) => new NodeError("invalid_parameter", `target: ${why}`, { param: "target" });
  if (!URL.canParse(text)) throw refuse("it is no address");
  const url = new URL(text);
  if (url.protocol !== "https:") throw refuse("only https is relayed");
  if (url.username !== "" || url.password !== "") throw refuse("it holds credentials");
  return normaliseTarget(url);
}

/** What of this node may be relayed to: what is free and calls nobody. */
const OWN_PATHS: readonly string[] = ["/live", "/.well-known/x402.json"];

const refuseSelf = () =>
  new NodeError("invalid_parameter", "target: it is this node itself; ask it directly", { param: "target" });

/** Asks the peer, or, for one of two free paths, this node at its own public address. @throws NodeError */
async function askPeer(context: FetchContext, params: AgentCallParams, is_paid: boolean): Promise<GuardedResult> {
  const { target, payment, payment_v1, relay_path } = params;
  const { origin, pathname, search } = new URL(target);
  const { node, signal } = context;
  if (node.public_url !== null && new URL(node.public_url).origin === origin) {
    if (hasPayment(params) || search !== "" || !OWN_PATHS.includes(pathname)) throw refuseSelf();
    return node.askSelf(pathname === "/live" ? "/live" : "/.well-known/x402.json", signal);
  }
  return context.askStranger({
    url: withRelayPath(target, relay_path, context.signer),
    headers: {
      accept: "application/json, text/*;q=0.5",
      ...(is_paid && payment !== undefined ? { "payment-signature": payment } : {}),
      ...(is_paid && payment_v1 !== undefined ? { "x-payment": payment_v1 } : {}),
    },
    // A payment is for the host it was signed for.
    redirects_same_origin: hasPayment(params),
  });
}

const hasPayment = ({ payment, payment_v1 }: AgentCallParams): boolean =>
  payment !== undefined || payment_v1 !== undefined;

/** @throws NodeError uncharged for what is no answer; of a 402 the caller decides. */
function assertAnswered(answer: GuardedResult, target: string): asserts answer is GuardedAnswer {
  if (!answer.ok) {
    if (REFUSED.includes(answer.rule)) {
      throw new NodeError("invalid_parameter", `target: ${answer.reason}`, { param: "target" });
    }
    throw new NodeError("upstream_unavailable", `The peer gave no answer: ${answer.reason}`);
  }
  const { status } = answer;
  if (status >= 500) throw new NodeError("upstream_unavailable", `The peer failed with status ${status}.`);
  // Another relay that refuses has asked nobody: a circle, too long a way, a target it may not ask.
  if (status >= 400 && status !== 402 && isRelay(new URL(target))) {
    throw new NodeError("upstream_unavailable", `The relay asked next refused with status ${status}.`, {
      details: { peer_status: status, peer_says: cleanText(decodeBody(answer.body)) },
    });
  }
}

/** A paid call is given as long as it takes: later than this into the run, none is begun. */
const PAY_WITHIN_MS = 6_000;

/** What the peer said before it was paid: its whole answer where it wants nothing, else who would be paid. */
type Quote = { readonly free: GuardedAnswer } | { readonly peer_identity: PeerIdentity };

/**
 * A call that carries a payment is preceded by one without: the payment only leaves when the peer, behind its
 * certificate, asks for just this network, asset, payee and amount now, and the payee is shown to be the peer's. A
 * peer that wants nothing gets none.
 */
async function askPrice(context: FetchContext, params: AgentCallParams, payments: readonly string[]): Promise<Quote> {
  const quote = await askPeer(context, params, false);
  assertAnswered(quote, params.target);
  if (quote.status !== 402) return { free: quote };
  const { header, body } = readStatedTerms(quote.headers, quote.body);
  const [term, other] = payments.map((payment) => findPaidTerm(payment, (header ?? body)?.accepts ?? []));
  if (term === undefined) throw new Error("a price is asked for a payment");
  const peer_identity = await provePeer(context, term, params);
  if (other !== undefined && (other.pay_to !== term.pay_to || other.network !== term.network)) {
    await provePeer(context, other, params);
  }
  return { peer_identity };
}

/**
 * Asks the peer. Nothing of the buyer's request goes along but the payment he named for this peer.
 * @throws NodeError uncharged when the peer is silent, fails, or wants to be paid and was not.
 */
export async function fetchAgentCall(context: FetchContext, params: AgentCallParams): Promise<AgentCallInputs> {
  const { target, relay_path } = params;
  const begun = performance.now();
  checkRelayPath(relay_path, target, context.signer.public_key);
  const own = context.node.public_url === null ? null : new URL(context.node.public_url).origin;
  if (listTargets(target).some(({ origin }, index) => index > 0 && origin === own)) throw refuseSelf();
  const payments = [params.payment, params.payment_v1].filter((one) => one !== undefined);
  const quote = payments.length > 0 ? await askPrice(context, params, payments) : null;
  const free = quote !== null && "free" in quote ? quote.free : null;
  const peer_identity = quote !== null && "peer_identity" in quote ? quote.peer_identity : null;
  const started = performance.now();
  if (peer_identity !== null && started - begun > PAY_WITHIN_MS) {
    throw new NodeError("upstream_unavailable", "The peer is too slow to be paid: your payment was not passed on.");
  }
  const answer = free ?? (await askPeer(context, params, true));
  assertAnswered(answer, target);
  const has_paid = peer_identity !== null;
  if (answer.status === 402) throw refusePayment(answer, has_paid);
  context.cite({
    ...{ provider: "peer", url: new URL(answer.url).origin, ok: true },
    fetched_at: new Date(context.now_ms).toISOString(),
  });
  const took_ms = Math.round(performance.now() - started);
  const read = { read_at_ms: context.now_ms, target, answer, took_ms };
  return { ...read, has_paid, is_unwanted: free !== null, peer_identity };
}

/** The peer's price belongs to the buyer: it is told, and the relay costs nothing. */
function refusePayment({ headers, body }: GuardedAnswer, has_paid: boolean): NodeError {
  const { header, body: stated } = readStatedTerms(headers, body);
  const accepts = ((header ?? stated)?.accepts ?? []).slice(0, 5);
  const prices = accepts.map((one) => `${one.amount_atomic ?? "?"} of ${one.asset} on ${one.network} to ${one.pay_to}`);
  const what = has_paid ? "refused the payment you passed on and asks for" : "wants to be paid first:";
  return new NodeError("upstream_unavailable", `The peer ${what} ${prices.join("; ") || "terms it does not state"}.`, {
    details: { peer_status: 402, accepts: accepts.map((one) => ({ ...one })) },
  });
}
