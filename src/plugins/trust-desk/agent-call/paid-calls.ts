import { type FetchContext, type GuardedResult, type NodeSigner, sha256Hex } from "intel-node";
import type { CalledPeerIdentity } from "./identity.ts";
import type { AgentCallData, AgentCallParams } from "./schema.ts";

export type PassedOnData = NonNullable<AgentCallData["peer_payment"]["passed_on"]>;

/** A call that carries a buyer's payment to a peer. It outlives the run that made it. */
export interface PaidCall {
  readonly peer_identity: CalledPeerIdentity;
  readonly passed_on: PassedOnData;
  readonly answer: Promise<GuardedResult>;
}

/** As long as any peer needs to settle; a run waits less, and can be repeated. */
const ANSWER_WITHIN_MS = 60_000;
const KEPT_MS = 600_000;
const KEPT_MAX = 100;

/** Calls whose answer has not been delivered yet, the oldest first. */
const under_way = new Map<string, PaidCall & { readonly at_ms: number }>();

const nameOf = ({ target, payment, payment_v1, payment_mpp }: AgentCallParams, { public_key }: NodeSigner): string =>
  sha256Hex(JSON.stringify([public_key, target, payment, payment_v1, payment_mpp]));

/** The call that passed just this payment on, if its answer was never handed over: no payment leaves twice. */
export function findPaidCall({ signer, now_ms }: FetchContext, params: AgentCallParams): PaidCall | null {
  for (const [name, { at_ms }] of under_way) if (now_ms - at_ms > KEPT_MS) under_way.delete(name);
  return under_way.get(nameOf(params, signer)) ?? null;
}

/** Passes a payment on. Its result is kept for its buyer until `endPaidCall`. */
export function startPaidCall(
  { signer, now_ms }: FetchContext,
  params: AgentCallParams,
  { ask, ...facts }: Omit<PaidCall, "answer"> & { readonly ask: (timeout_ms: number) => Promise<GuardedResult> },
): PaidCall {
  const name = nameOf(params, signer);
  const call = { ...facts, at_ms: now_ms, answer: ask(ANSWER_WITHIN_MS) };
  under_way.set(name, call);
  const [oldest] = under_way.keys();
  if (under_way.size > KEPT_MAX && oldest !== undefined) under_way.delete(oldest);
  return call;
}

/**
 * Its answer is delivered, or there was no answer: the payment can be passed on again, and its network takes it once.
 */
export function endPaidCall({ signer }: FetchContext, params: AgentCallParams): void {
  under_way.delete(nameOf(params, signer));
}
