import type { AccessCall } from "../../calls/access.ts";
import type { MeteredCharge } from "../../core/metering.ts";
import type { PaymentToSettle, SettleOutcome } from "../facilitators/types.ts";
import type { Flight } from "./flights.ts";
import type { ReadPayment } from "./read-payment.ts";
import type { PaidAnswer, ProducedAnswer } from "./types.ts";

/** One attempt to pay for a call with a payment that was taken in. */
export interface PaymentAttempt {
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

/** What came of asking a facilitator: who took the payment, or what its buyer had paid for before. */
export type FacilitatorWord = { readonly facilitator: string } | { readonly answer: PaidAnswer };

/** One that holds a produce slot. */
export interface SlotAttempt extends PaymentAttempt {
  /** What a facilitator said before there was a slot; null where none was asked yet. */
  readonly word: FacilitatorWord | null;
}

/** One whose answer only waits to be paid for. */
export interface PayableAttempt extends PaymentAttempt {
  readonly facilitator: string;
  readonly produced: ProducedAnswer;
}

/** One of which is known what it costs. */
export interface ChargedAttempt extends PayableAttempt {
  /** Null where the payer signed for the price. */
  readonly metered: MeteredCharge | null;
  /** The payment over what is to be taken, which may be less than what was signed. */
  readonly taking: PaymentToSettle;
}

/** One whose money a facilitator was asked to take. */
export interface SettledAttempt extends ChargedAttempt {
  readonly outcome: SettleOutcome;
}
