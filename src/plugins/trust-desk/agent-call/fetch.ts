import {
  cleanForeign,
  type FetchContext,
  type GuardedAnswer,
  type GuardedRequest,
  type GuardedResult,
  NodeError,
  type NodeErrorOptions,
  type PaymentTerm,
  readChallenge,
  readMPPTerms,
  termsOf,
} from "intel-node";
import { readAmount } from "./ceiling.ts";
import { type CalledPeerIdentity, provePeer } from "./identity.ts";
import { endPaidCall, findPaidCall, type PaidCall, type PassedOnData, startPaidCall } from "./paid-calls.ts";
import { findPaidTerm } from "./payment-fit.ts";
import { checkRelayPath, isRelay, listTargets, normaliseTarget, withRelayPath } from "./relay-path.ts";
import type { AgentCallParams } from "./schema.ts";

export interface AgentCallInputs {
  readonly read_at_ms: number;
  readonly target: string;
  readonly answer: GuardedAnswer;
  readonly took_ms: number;
  /** A payment was to be passed on, but the peer answered without one. */
  readonly is_unwanted: boolean;
  /** Both null when nothing was passed on. */
  readonly peer_identity: CalledPeerIdentity | null;
  readonly passed_on: PassedOnData | null;
}

const REFUSED: readonly string[] = ["url", "port", "host", "address"];

/**
 * Where a call goes: a bare host is asked for its manifest. This node's own names and addresses are refused by the
 * guarded fetch.
 * @throws NodeError invalid_parameter
 */
export function parseTarget(text: string): string {
  const refuse = (why: string) => new NodeError("invalid_parameter", `target: ${why}`, { param: "target" });
  if (!URL.canParse(text)) throw refuse("it is not an address");
  const url = new URL(text);
  if (url.protocol !== "https:") throw refuse("only https is relayed");
  if (url.username !== "" || url.password !== "") throw refuse("it holds credentials");
  return normaliseTarget(url);
}

/** Paths of this node open to relays: free ones that make no calls. */
const OWN_PATHS: readonly string[] = ["/live", "/.well-known/x402.json"];

const refuseSelf = () =>
  new NodeError("invalid_parameter", "target: it is this node itself; ask it directly", { param: "target" });

/** Asks the peer, or, for one of two free paths, this node at its own public address. @throws NodeError */
async function askPeer(context: FetchContext, params: AgentCallParams): Promise<GuardedResult> {
  const { target } = params;
  const { origin, pathname, search } = new URL(target);
  const { node, signal } = context;
  if (node.public_url !== null && new URL(node.public_url).origin === origin) {
    if (hasPayment(params) || search !== "" || !OWN_PATHS.includes(pathname)) throw refuseSelf();
    return node.askSelf(pathname === "/live" ? "/live" : "/.well-known/x402.json", signal);
  }
  return context.askStranger(toRequest(context, params));
}

const ACCEPT = "application/json, text/*;q=0.5";

const toRequest = ({ signer }: FetchContext, params: AgentCallParams): GuardedRequest => ({
  url: withRelayPath(params.target, params.relay_path, signer),
  headers: { accept: ACCEPT },
  // A payment is for the host it was signed for.
  redirects_same_origin: hasPayment(params),
});

/** What the buyer signed for the peer, in whichever form. */
const paymentsOf = ({ payment, payment_v1, payment_mpp }: AgentCallParams): readonly string[] =>
  [payment, payment_v1, payment_mpp].filter((one) => one !== undefined);
const hasPayment = (params: AgentCallParams): boolean => paymentsOf(params).length > 0;

/** The peer is the buyer's choice: that it fails says nothing of this product. */
const OF_REQUEST = { of_request: true } as const;

const PEER_SAYS_CHARS = 280;

/** Sent with a failure: the buyer's money may have moved although the call failed. */
const tellPassedOn = (call: PaidCall | null): Pick<NodeErrorOptions, "details" | "passed_on"> =>
  call === null ? {} : { passed_on: call.passed_on, details: { passed_on: call.passed_on } };

/**
 * Whatever status a peer answers with, it was reached, and its answer is what is sold.
 * @throws NodeError uncharged without an answer.
 */
function assertAnswered(
  answer: GuardedResult,
  target: string,
  call: PaidCall | null = null,
): asserts answer is GuardedAnswer {
  if (!answer.ok) {
    if (call === null && REFUSED.includes(answer.rule)) {
      throw new NodeError("invalid_parameter", `target: ${answer.reason}`, { param: "target" });
    }
    const left = call === null ? "" : ` Your payment was sent to ${call.passed_on.origin} before.`;
    throw new NodeError("upstream_unavailable", `The peer gave no answer: ${answer.reason}.${left}`, {
      ...OF_REQUEST,
      ...tellPassedOn(call),
    });
  }
  const { status } = answer;
  // Another relay that refuses has reached no seller: a circle, too long a way, a target that is silent.
  if (status >= 400 && status !== 402 && isRelay(new URL(target))) {
    const { details, ...told } = tellPassedOn(call);
    throw new NodeError("upstream_unavailable", `The relay asked next refused with status ${status}.`, {
      ...OF_REQUEST,
      ...told,
      details: {
        ...details,
        peer_status: status,
        peer_says: cleanForeign(new TextDecoder().decode(answer.body), PEER_SAYS_CHARS),
      },
    });
  }
}

/** Later than this into the run no payment leaves: the rest is the peer's, to settle it and to answer. */
const PAY_WITHIN_MS = 4_000;
/** The run waits this long for its answer; after that it is kept for a retry with the same payment. */
const ANSWER_WITHIN_MS = 11_500;

/** The peer's answer before payment: whole if it wants nothing, else payee and price. */
type Quote =
  | { readonly free: GuardedAnswer }
  | { readonly term: PaymentTerm; readonly peer_identity: CalledPeerIdentity };

/**
 * A call that carries a payment is preceded by one without: the payment only leaves when the peer, behind its
 * certificate, asks for just this network, asset, payee and amount now, and the payee is shown to be the peer's. A
 * peer that wants nothing gets none.
 */
async function askPrice(context: FetchContext, params: AgentCallParams, payments: readonly string[]): Promise<Quote> {
  const quote = await askPeer(context, params);
  assertAnswered(quote, params.target);
  if (quote.status !== 402) return { free: quote };
  const by_x402 = termsOf(readChallenge(quote).stated)?.accepts ?? [];
  const terms = [...by_x402, ...readMPPTerms(quote.headers)];
  const [term, ...others] = payments.map((payment) => findPaidTerm(payment, terms));
  if (term === undefined) throw new Error("a price is asked for a payment");
  const peer_identity = await provePeer(context, term, params);
  for (const other of others) {
    if (other.pay_to !== term.pay_to || other.network !== term.network) await provePeer(context, other, params);
  }
  return { term, peer_identity };
}

/** Lets the payment go, once all is shown that can be. @throws NodeError when no time is left for the peer. */
function passOn(
  context: FetchContext,
  params: AgentCallParams,
  { term, peer_identity, spent_ms }: Exclude<Quote, { free: GuardedAnswer }> & { readonly spent_ms: number },
): PaidCall {
  if (spent_ms > PAY_WITHIN_MS) {
    const message = "The peer is too slow to be paid: your payment was not passed on.";
    throw new NodeError("upstream_unavailable", message, OF_REQUEST);
  }
  const { payment, payment_v1, payment_mpp, target } = params;
  const request = toRequest(context, params);
  const headers = {
    ...request.headers,
    ...(payment !== undefined ? { "payment-signature": payment } : {}),
    ...(payment_v1 !== undefined ? { "x-payment": payment_v1 } : {}),
    ...(payment_mpp !== undefined ? { authorization: `Payment ${payment_mpp}` } : {}),
  };
  const amount = readAmount(payment ?? payment_v1 ?? payment_mpp ?? "");
  return startPaidCall(context, params, {
    peer_identity,
    passed_on: {
      origin: new URL(target).origin,
      network: term.network,
      asset: term.asset,
      pay_to: term.pay_to,
      scheme: term.scheme,
      amount_atomic: amount === null ? term.amount_atomic : amount.toString(),
      at: new Date(context.now_ms).toISOString(),
    },
    ask: (timeout_ms) => context.askStranger({ ...request, headers, timeout_ms, outlives_run: true }),
  });
}

/** The answer of a paid peer. @throws NodeError that says what left, without an answer in this run's time. */
async function awaitPaid(context: FetchContext, call: PaidCall, wait_ms: number): Promise<GuardedResult> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const ended = AbortSignal.any([context.signal, AbortSignal.timeout(Math.max(0, Math.round(wait_ms)))]);
  const stop = () => resolve(null);
  ended.addEventListener("abort", stop, { once: true });
  const answer = await Promise.race([call.answer, promise]).finally(() => ended.removeEventListener("abort", stop));
  if (answer !== null) return answer;
  const message =
    `Your payment was sent to ${call.passed_on.origin}, which has not answered yet. Ask again with the same ` +
    "`payment`: what it answers is kept for ten minutes, and your payment is not sent twice.";
  throw new NodeError("upstream_unavailable", message, { ...OF_REQUEST, ...tellPassedOn(call), retry_after_s: 10 });
}

/**
 * Asks the peer. Nothing of the buyer's request goes along but the payment he named for this peer.
 * @throws NodeError uncharged when the peer is silent, or must not be called or paid.
 */
export async function fetchAgentCall(context: FetchContext, params: AgentCallParams): Promise<AgentCallInputs> {
  const { target, relay_path } = params;
  const begun = performance.now();
  const spent = () => performance.now() - begun;
  checkRelayPath(relay_path, target, context.signer.public_key);
  const own = context.node.public_url === null ? null : new URL(context.node.public_url).origin;
  if (listTargets(target).some(({ origin }, index) => index > 0 && origin === own)) throw refuseSelf();
  const payments = paymentsOf(params);
  const known = payments.length > 0 ? findPaidCall(context, params) : null;
  const quote = payments.length > 0 && known === null ? await askPrice(context, params, payments) : null;
  const free = quote !== null && "free" in quote ? quote.free : null;
  const started = performance.now();
  const call = quote !== null && "term" in quote ? passOn(context, params, { ...quote, spent_ms: spent() }) : known;
  const answer =
    call === null
      ? (free ?? (await askPeer(context, params)))
      : await awaitPaid(context, call, ANSWER_WITHIN_MS - spent());
  if (call !== null) endPaidCall(context, params);
  assertAnswered(answer, target, call);
  context.cite({
    provider: "peer",
    url: new URL(answer.url).origin,
    ok: true,
    fetched_at: new Date(context.now_ms).toISOString(),
  });
  const took_ms = Math.round(performance.now() - started);
  const { peer_identity = null, passed_on = null } = call ?? {};
  return { read_at_ms: context.now_ms, target, answer, took_ms, is_unwanted: free !== null, peer_identity, passed_on };
}
