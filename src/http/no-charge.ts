import { hashApiKey, isApiKeyForm } from "../core/api-key.ts";
import type { Clock } from "../core/clock.ts";
import { isNodeError, type NodeError } from "../core/errors.ts";
import { createTokenBucket } from "../core/token-bucket.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { hasPayment, readPayment } from "../payments/gate/read-payment.ts";
import { findCredential } from "../payments/mpp/credential.ts";
import type { UnchargedCall, UnchargedPayment } from "../trust/no-charge.ts";

/** Headers that bring something to pay with. */
const MEANS = ["payment-signature", "x-payment", "x-api-key", "x-coupon"] as const;

/** A request that brings something to pay with. */
export function isPaying(headers: Headers): boolean {
  for (const name of MEANS) if (headers.has(name)) return true;
  return findCredential(headers) !== null;
}

/** A call that failed. */
export interface FailedCall {
  readonly request: Pick<Request, "headers" | "method">;
  readonly request_id: string;
  /** As the log has it: without a query, and without what only the caller may know. */
  readonly path: string;
  readonly error: NodeError;
}

export interface NoChargeOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly sign: (call: UnchargedCall) => string;
}

/** Who is over the limit is answered for as good as nothing; so are statements, beyond these, for the whole node. */
const LIMITED_PER_S = 100;
const LIMITED_BURST = 300;
const PATH_CHARS_MAX = 200;

/**
 * States that a failed call cost nothing, signed, for a caller that sent a payment, a key or a coupon.
 * @returns the statement, or null where there is nothing to state: nothing was sent to pay with, or nobody knows yet
 * what became of it.
 */
export function createNoCharge({ ledger, clock, sign }: NoChargeOptions): (call: FailedCall) => Promise<string | null> {
  const limited = createTokenBucket({ rate_per_s: LIMITED_PER_S, burst: LIMITED_BURST, clock });

  const readSent = (headers: Headers): UnchargedPayment | null => {
    if (!hasPayment(headers)) return null;
    try {
      const { signed, network } = readPayment(headers, clock.now());
      return { replay_key: signed.replay_key, network: network.id, payer: signed.payer };
    } catch (error) {
      // What cannot be read is no payment: there is nothing to name.
      if (isNodeError(error)) return null;
      throw error;
    }
  };

  const findKeyId = async (headers: Headers): Promise<string | undefined> => {
    const given = headers.get("x-api-key") ?? "";
    return isApiKeyForm(given) ? (await ledger.keys.find(hashApiKey(given)))?.public_id : undefined;
  };

  return async ({ request, request_id, path, error }) => {
    const { headers, method } = request;
    const { code } = error;
    if (error.options.charge_unknown || code === "settlement_unknown") return null;
    if (method === "HEAD" || !isPaying(headers)) return null;
    const call = { request_id, at_ms: clock.now(), code, path: path.slice(0, PATH_CHARS_MAX) };
    if (code === "rate_limited") return limited.take() ? sign(call) : null;
    const sent = readSent(headers);
    const may_be_charged = sent !== null && (await ledger.receipts.mayBeCharged(sent.replay_key));
    // Where something broke, only the books know whether it was before or after money moved.
    if (may_be_charged && code === "internal_error") return null;
    const payment = may_be_charged || sent === null ? undefined : sent;
    return sign({ ...call, payment, passed_on: error.options.passed_on, key_id: await findKeyId(headers) });
  };
}
