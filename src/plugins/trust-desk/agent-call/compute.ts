import { createHash } from "node:crypto";
import { type Computed, findMPPChallenge, parseJSON, readChallenge, readMPPTerms, termsOf, valueAt } from "intel-node";
import type { AgentCallInputs } from "./fetch.ts";
import { takesTooMuch } from "./peer-price.ts";
import type { AgentCallData } from "./schema.ts";

const isText = (type: string | null): boolean => type !== null && /^text\/|json|xml|javascript/.test(type);

function decodeReceipt(headers: Headers): string | null {
  const sent = headers.get("payment-response") ?? headers.get("x-payment-response") ?? headers.get("payment-receipt");
  if (sent === null || sent.length > 16_000) return null;
  const text = Buffer.from(sent, "base64").toString();
  return parseJSON(text) === undefined ? null : text;
}

/** Whether a receipt says so (SettlementResponse of x402, receipt of MPP). */
function isSettled(receipt: string): boolean {
  const stated = parseJSON(receipt);
  return valueAt(stated, "success") === true || valueAt(stated, "status") === "success";
}

const ACCEPTS_MAX = 5;

/** What a peer that wants to be paid asks for. */
const listAccepts = (answer: AgentCallInputs["answer"]): AgentCallData["peer_payment"]["accepts"] => {
  const by_x402 = termsOf(readChallenge(answer).stated)?.accepts ?? [];
  // A peer that asks by both protocols asks for the same: the terms of MPP are shown if it has no others.
  return (by_x402.length > 0 ? by_x402 : readMPPTerms(answer.headers))
    .slice(0, ACCEPTS_MAX)
    .map(({ network, scheme, amount_atomic, asset, pay_to }) => ({ network, scheme, amount_atomic, asset, pay_to }));
};

const tellPriced = (has_paid: boolean): string =>
  has_paid ? "the peer refused the payment you passed on" : "the peer wants to be paid first: accepts says how";

/** The peer's answer as it came, marked as his, beside how it came. */
export function computeAgentCall(inputs: AgentCallInputs): Computed<AgentCallData> {
  const { answer, target, took_ms, is_unwanted, peer_identity, passed_on, read_at_ms } = inputs;
  const has_paid = passed_on !== null;
  const is_priced = answer.status === 402;
  const content_type = answer.headers.get("content-type")?.slice(0, 200) ?? null;
  const text = isText(content_type) ? new TextDecoder().decode(answer.body) : null;
  const receipt = decodeReceipt(answer.headers);
  const warnings = [
    ...(text === null ? ["body: the peer's answer is not text"] : []),
    ...(content_type === null ? ["peer.content_type: the peer does not say"] : []),
    ...(peer_identity?.node_id === null ? ["peer_identity.node_id: no key vouches for the peer's manifest"] : []),
    ...(answer.tls === null ? ["peer.tls_protocol: the connection was not encrypted"] : []),
    ...(receipt === null ? ["peer_payment.receipt: the peer sent none"] : []),
    ...(is_priced ? [`peer_payment: ${tellPriced(has_paid)}`] : []),
    ...(answer.status >= 500 ? [`peer.status: the peer failed with ${answer.status}`] : []),
    ...(is_unwanted ? ["peer_payment: the peer answered without one; yours was not passed on"] : []),
    ...(peer_identity === null ? ["peer_identity: no payment was passed on, so no identity was asked for"] : []),
    ...(peer_identity !== null && peer_identity.proven_by === "nothing"
      ? ["peer_identity.proven_by: the peer was paid on the name of its certificate alone"]
      : []),
    ...(has_paid && receipt !== null && !isSettled(receipt)
      ? ["peer_payment.receipt: the peer's own receipt does not say that your payment was settled"]
      : []),
    ...(takesTooMuch({ passed_on, receipt })
      ? ["peer_payment.receipt: the peer's own receipt names a charge above what you signed for"]
      : []),
  ];
  return {
    as_of_ms: read_at_ms,
    data: {
      target,
      peer: {
        status: answer.status,
        content_type,
        bytes: answer.body.length,
        latency_ms: took_ms,
        tls_protocol: answer.tls?.protocol ?? null,
        hops: answer.hops.length,
      },
      body: text,
      body_is_json: text !== null && parseJSON(text) !== undefined,
      untrusted: true,
      body_sha256: createHash("sha256").update(answer.body).digest("hex"),
      peer_payment: {
        required: has_paid || is_priced,
        accepts: is_priced ? listAccepts(answer) : [],
        challenge: is_priced ? findMPPChallenge(answer.headers) : null,
        receipt,
        paid_by: has_paid ? "caller" : "none",
        passed_on,
      },
      peer_identity,
      relayed_at: new Date(read_at_ms).toISOString(),
    },
    warnings,
  };
}
