import type { AccessCall } from "../../../calls/access.ts";
import { bindPayer } from "../../../calls/bind-payer.ts";
import type { NodeError } from "../../../core/errors.ts";
import { bindKey } from "../../fingerprint.ts";
import { PaymentRefusal } from "../../refusal.ts";
import type { IncomingPayment } from "../../types.ts";
import { explainRefusal } from "../explain.ts";
import type { GateParts } from "../parts.ts";
import type { PaymentCall } from "../payment-call.ts";
import { peekSent, type ReadPayment, readPayment } from "../read-payment.ts";
import type { AroundStep } from "../step.ts";
import type { PaidAnswer } from "../types.ts";

/** An answer, and the payment it is for: the proof of payment is in the words the payment came in. */
export type AnswerToPayment = PaidAnswer & { readonly incoming: IncomingPayment };

/** Reads the payment, and counts every refusal of it, whichever step refuses. */
export const readStep: AroundStep<AccessCall, PaymentCall, AnswerToPayment> = {
  id: "read",
  does: "decode the header, whatever form it came in, into one; name the payment by its signed content",
  ends: "402 `invalid_payment`; 429 for what was refused too often",
  async around(gate, given, next) {
    let call: AccessCall = {
      ...given,
      asked_for: given.fingerprint,
      fingerprint: bindKey(given.fingerprint, given),
    };
    let read: ReadPayment | null = null;
    try {
      read = readPayment(call.headers, gate.clock.now());
      call = bindPayer(call, { address: read.signed.payer, network: read.network.id });
      gate.faults.assertNew(call.client, read.signed.payload_hash);
      const answer = await next({ call, read });
      return { ...answer, incoming: read.incoming };
    } catch (error) {
      throw error instanceof PaymentRefusal ? countRefusal(gate, error, { call, read }) : error;
    }
  },
};

interface RefusedCall {
  readonly call: AccessCall;
  /** Null when the payment could not be read. */
  readonly read: ReadPayment | null;
}

/** A client that meets the same refusal again gets more advice, and in the end nothing. */
function countRefusal(
  { faults, pool, clock, public_url }: GateParts,
  refusal: PaymentRefusal,
  { call, read }: RefusedCall,
): NodeError {
  const { client, product } = call;
  const times = faults.count(client, read?.signed.payload_hash ?? null, refusal);
  if (times < 2) return refusal;
  const docs = `${public_url}/errors`;
  const sent = read === null ? peekSent(call.headers) : null;
  return explainRefusal(refusal, { read, sent, product, offers: pool.offers, now_ms: clock.now(), docs });
}
