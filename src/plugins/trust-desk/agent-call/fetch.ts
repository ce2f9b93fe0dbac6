import { type FetchContext, type GuardedAnswer, type GuardedResult, NodeError } from "intel-node";
import { readStatedTerms } from "../shared/x402/payment-terms.ts";
import type { AgentCallParams } from "./schema.ts";

export interface AgentCallInputs {
  readonly read_at_ms: number;
  readonly target: string;
  readonly answer: GuardedAnswer;
  readonly took_ms: number;
  readonly has_paid: boolean;
}

const REFUSED: readonly string[] = ["url", "port", "host", "address"];

/**
 * Where a call goes: a bare host is asked for its manifest. Another relay is refused, so that calls cannot run in
 * circles; this node's own names and addresses are refused by the guarded fetch.
 * @throws NodeError invalid_parameter
 */
export function parseTarget(text: string): string {
  const refuse = (why: string) => new NodeError("invalid_parameter", `target: ${why}`, { param: "target" });
  if (!URL.canParse(text)) throw refuse("it is no address");
  const url = new URL(text);
  if (url.protocol !== "https:") throw refuse("only https is relayed");
  if (url.username !== "" || url.password !== "") throw refuse("it holds credentials");
  url.hash = "";
  if (/\/agent-call\/*$/.test(decodePath(url.pathname))) throw refuse("it is a relay itself");
  if (url.pathname === "/" && url.search === "") url.pathname = "/.well-known/x402.json";
  return url.href;
}

/** A path without its escapes; what is escaped wrongly names nothing else, and stays. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What of this node may be relayed to: what is free and calls nobody. */
const OWN_PATHS: readonly string[] = ["/live", "/.well-known/x402.json"];

/** Asks the peer, or, for one of two free paths, this node at its own public address. @throws NodeError */
async function askPeer(
  context: FetchContext,
  { target, payment, payment_v1 }: AgentCallParams,
): Promise<GuardedResult> {
  const { origin, pathname, search } = new URL(target);
  const { node, signal } = context;
  if (node.public_url !== null && new URL(node.public_url).origin === origin) {
    const has_paid = payment !== undefined || payment_v1 !== undefined;
    if (has_paid || search !== "" || !OWN_PATHS.includes(pathname)) {
      throw new NodeError("invalid_parameter", "target: it is this node itself; ask it directly", { param: "target" });
    }
    return node.askSelf(pathname === "/live" ? "/live" : "/.well-known/x402.json", signal);
  }
  return context.askStranger({
    url: target,
    headers: {
      accept: "application/json, text/*;q=0.5",
      ...(payment === undefined ? {} : { "payment-signature": payment }),
      ...(payment_v1 === undefined ? {} : { "x-payment": payment_v1 }),
    },
    // A payment is for the host it was signed for.
    redirects_same_origin: payment !== undefined || payment_v1 !== undefined,
  });
}

/**
 * Asks the peer once. Nothing of the buyer's request goes along but the payment he named for this peer.
 * @throws NodeError uncharged when the peer is silent, fails, or wants to be paid and was not.
 */
export async function fetchAgentCall(context: FetchContext, params: AgentCallParams): Promise<AgentCallInputs> {
  const { target, payment, payment_v1 } = params;
  const has_paid = payment !== undefined || payment_v1 !== undefined;
  const started = performance.now();
  const answer = await askPeer(context, params);
  if (!answer.ok) {
    if (REFUSED.includes(answer.rule)) {
      throw new NodeError("invalid_parameter", `target: ${answer.reason}`, { param: "target" });
    }
    throw new NodeError("upstream_unavailable", `The peer gave no answer: ${answer.reason}`);
  }
  const took_ms = Math.round(performance.now() - started);
  if (answer.status >= 500)
    throw new NodeError("upstream_unavailable", `The peer failed with status ${answer.status}.`);
  if (answer.status === 402) throw refusePayment(answer, has_paid);
  context.cite({
    ...{ provider: "peer", url: new URL(answer.url).origin, ok: true },
    fetched_at: new Date(context.now_ms).toISOString(),
  });
  return { read_at_ms: context.now_ms, target, answer, took_ms, has_paid };
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
