import type { EchoedChallenge, IncomingPayment, Requirement } from "../types.ts";

/** A challenge as one is sent, with its request as an object: doors without headers send it so. */
export interface SentChallenge extends EchoedChallenge {
  readonly request_object: Readonly<Record<string, unknown>>;
}

/** What a method makes of a credential: the payment as the gate knows it, before anything of it was checked. */
export type MethodPayment = Pick<IncomingPayment, "scheme" | "network" | "payload">;

/** One method of MPP with one intent. A further one is a folder beside `methods/evm` and a line of the table. */
export interface MppMethod {
  /** As the registry of payment methods spells it. */
  readonly method: string;
  readonly intent: string;
  /** The `request` object for one of the product's requirements; null for those it cannot pay. */
  readonly request: (requirement: Requirement) => Readonly<Record<string, unknown>> | null;
  /**
   * Reads what a buyer signed into the payload of the x402 scheme that moves the same money: it is one payment,
   * whichever of the two it came by.
   * @throws PaymentRefusal
   */
  readonly read: (request: unknown, payload: unknown) => MethodPayment;
  /**
   * Whether what was signed was signed for this challenge and no other.
   * @throws PaymentRefusal
   */
  readonly assertBound: (challenge: EchoedChallenge, payload: Readonly<Record<string, unknown>>) => void;
  /** What a receipt says besides what all say. */
  readonly receipt: (network: string) => Readonly<Record<string, unknown>>;
}
