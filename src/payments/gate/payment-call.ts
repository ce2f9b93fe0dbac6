import type { AccessCall } from "../../calls/access.ts";
import type { Requirement } from "../types.ts";
import type { Flight } from "./flights.ts";
import type { ReadPayment } from "./read-payment.ts";

/** A call and the payment it brought, which was read and not checked. */
export interface PaymentCall {
  readonly call: AccessCall;
  readonly read: ReadPayment;
}

/** One that is worked on: every copy of its payment waits for this call's answer. */
export interface FlightCall extends PaymentCall {
  readonly flight: Flight;
}

/** One whose payment is checked as far as that goes without a facilitator. */
export interface CheckedCall extends FlightCall {
  readonly requirement: Requirement;
  /** Whether this node knows that the payer signed. */
  readonly known: boolean;
}
