import { isNodeError, NodeError } from "./errors.ts";

/** A payment of the buyer's own to somebody else, which left through this node for him. */
export interface PassedOn {
  /** Who was sent it. */
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

/** What was made for a buyer whose money left for somebody else: it is his, whether or not he pays for this call. */
export interface OwedAnswer {
  readonly body: string;
  readonly passed_on?: PassedOn | undefined;
}

/** Members that tell a buyer of what he is owed, in whatever says that his call failed. */
export const tellOwed = ({ body, passed_on }: OwedAnswer) => ({ passed_on, answer: JSON.parse(body) as unknown });

/** An error that comes after the answer was made: where the buyer's money has left, it brings him the answer. */
export function withOwed(error: unknown, made: OwedAnswer): unknown {
  const { passed_on } = made;
  if (passed_on === undefined || !isNodeError(error) || error.options.charge_unknown === true) return error;
  const { options, code, message } = error;
  const details = { ...options.details, ...tellOwed(made) };
  return new NodeError(code, message, { ...options, details, passed_on });
}
