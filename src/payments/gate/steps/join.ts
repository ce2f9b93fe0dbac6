import { NodeError } from "../../../core/errors.ts";
import { isSameBuyer, readBuyerNames } from "../buyer-names.ts";
import type { Flights } from "../flights.ts";
import type { PaymentCall } from "../payment-call.ts";
import { showTo } from "../recall.ts";
import type { AroundStep } from "../step.ts";
import type { PaidAnswer } from "../types.ts";

export const joinStep: AroundStep<PaymentCall, PaymentCall> = {
  id: "join",
  does: "join a copy of the payment that is being worked on here",
  ends: "that copy's answer, or 409 where it is for another request",
  around: ({ flights }, context, next) => joinFlight(flights, context) ?? next(context),
};

/**
 * Another copy of this payment is being worked on here: wait for its answer.
 * @returns null when no copy is in progress.
 * @throws NodeError request_in_progress when that one is for another request
 */
export function joinFlight(
  flights: Pick<Flights, "find">,
  { call, read: { signed, incoming } }: PaymentCall,
): Promise<PaidAnswer> | null {
  const flight = flights.find(signed.replay_key);
  if (!flight) return null;
  if (flight.payload_hash === signed.payload_hash && flight.fingerprint === call.fingerprint) {
    const is_buyer = isSameBuyer(flight.names, readBuyerNames(call.headers, incoming, signed.payer));
    return flight.answer.then((answer) => showTo({ ...answer, from: answer.from ?? "replay" }, is_buyer));
  }
  const message = "This payment is being worked on for another request.";
  throw new NodeError("request_in_progress", message, { retry_after_s: 2 });
}
