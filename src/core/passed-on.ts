import { isNodeError, NodeError } from "./errors.ts";

/** The buyer's own payment to another seller, which this node forwarded. */
export interface PassedOn {
  /** Where it was sent. */
  readonly origin: string;
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly pay_to: string;
  /** In the asset's smallest unit; null when neither the payment nor the price says it. */
  readonly amount_atomic: string | null;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** An answer for a buyer whose money went to another seller: it is the buyer's, even if this call stays unpaid. */
export interface OwedAnswer {
  readonly body: string;
  readonly passed_on?: PassedOn | undefined;
}

/** Members that tell a buyer what is owed, for any answer that says the call failed. */
export const tellOwed = ({ body, passed_on }: OwedAnswer) => ({ passed_on, answer: JSON.parse(body) as unknown });

/** Wraps an error that comes after the answer was made: if the buyer's money has left, the error carries the answer. */
export function withOwed(error: unknown, made: OwedAnswer): unknown {
  const { passed_on } = made;
  if (passed_on === undefined || !isNodeError(error) || error.options.charge_unknown === true) return error;
  const { options, code, message } = error;
  const details = { ...options.details, ...tellOwed(made) };
  return new NodeError(code, message, { ...options, details, passed_on });
}
