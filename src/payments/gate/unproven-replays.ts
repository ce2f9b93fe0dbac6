import type { Clock } from "../../core/clock.ts";
import { createLRU } from "../../core/lru.ts";
import { refuse } from "../refusal.ts";

/**
 * A settled payment is public: anybody can rebuild it from the chain. So what it paid for is handed out on the payment
 * alone only for a short time and a few times; who proves to be its buyer has the whole replay window.
 */
export interface UnprovenReplays {
  /**
   * Counts one fetch without proof, as a free call of its sender.
   * @throws PaymentRefusal when it is too late or one too many; NodeError rate_limited
   */
  take(fetched: { readonly id: string; readonly settled_at_ms: number; readonly client: string }): void;
}

export interface UnprovenReplayOptions {
  readonly clock: Clock;
  /** @throws NodeError rate_limited */
  readonly countFree: (client: string) => void;
}

const UNPROVEN_MS = 600_000;
const UNPROVEN_MAX = 5;
const PAYMENTS_MAX = 50_000;

const PROOF_NEEDED =
  "This payment is public by now, and its answer was fetched often or long enough without proof. Send it with the " +
  "payment-identifier or the Idempotency-Key of the first time, or ask GET /payments/{id} with a newly signed " +
  "payment of the same wallet and amount, which is not settled.";

export function createUnprovenReplays({ clock, countFree }: UnprovenReplayOptions): UnprovenReplays {
  const fetched = createLRU<number>(PAYMENTS_MAX);
  return {
    take({ id, settled_at_ms, client }) {
      const times = fetched.get(id) ?? 0;
      // A clock that was set back makes it look younger than it is, and opens nothing for longer than that.
      if (clock.now() - settled_at_ms >= UNPROVEN_MS || times >= UNPROVEN_MAX) {
        throw refuse("payment_already_used", "proof_needed", PROOF_NEEDED);
      }
      countFree(client);
      fetched.set(id, times + 1);
    },
  };
}
