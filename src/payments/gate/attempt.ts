import type { AccessCall } from "../../sell/access.ts";
import type { PaymentToSettle } from "../facilitators/types.ts";
import type { Flight } from "./flights.ts";
import type { ReadPayment } from "./read-payment.ts";

/** One attempt to pay for a call with a payment that was taken in. */
export interface Attempt {
  /** Of the payment's row. */
  readonly id: string;
  readonly call: AccessCall;
  readonly flight: Flight;
  readonly read: ReadPayment;
  readonly payment: PaymentToSettle;
  /** Payments of the same payer for the same request that other nodes worked on when this one was taken in. */
  readonly older: readonly string[];
  /** Whether an earlier payment for the same request may matter, as far as the ledger knows. */
  readonly mayHaveEarlier: () => boolean;
  /**
   * Called when a facilitator took the payment.
   * @throws NodeError rate_limited
   */
  readonly onVerified: () => void;
  /** Told of an earlier payment of unknown outcome that can land no more, and holds this one up no longer. */
  readonly onPassedOver: (payment_id: string) => void;
}
