import type { Clock } from "../../core/clock.ts";
import { createLRU } from "../../core/lru.ts";
import type { Requirement, SignedPayment } from "../types.ts";

/** A payment, and what it was held to. */
interface VerifyQuery {
  readonly signed: Pick<SignedPayment, "replay_key" | "payload_hash">;
  readonly requirement: Requirement;
}

/**
 * What facilitators took and was not settled, because there was no answer to pay for: the same payment sent again makes
 * nobody check it anew for a short while. Settling asks the facilitator in any case.
 */
export interface VerifiedPayments {
  /** Who took this very payment just now; null when it has to be checked. */
  find(asked: VerifyQuery): string | null;
  note(asked: VerifyQuery, facilitator: string): void;
  /** It is being settled, or was refused: from now on only a new word counts. */
  forget(asked: VerifyQuery): void;
}

/** A wallet may be emptied meanwhile: what was worked for in vain is counted against it either way. */
const KEPT_MS = 30_000;
const PAYMENTS_MAX = 10_000;

interface Word {
  readonly facilitator: string;
  readonly at_ms: number;
}

export function createVerifiedPayments({ clock }: { readonly clock: Clock }): VerifiedPayments {
  const words = createLRU<Word>(PAYMENTS_MAX);
  const nameOf = ({ signed, requirement: { network, asset, payTo, amount } }: VerifyQuery): string =>
    `${signed.replay_key} ${signed.payload_hash} ${network} ${asset} ${payTo} ${amount}`;
  return {
    find(asked) {
      const word = words.get(nameOf(asked));
      // A clock that was set back makes it look younger than it is: both ways it ends.
      return word !== undefined && Math.abs(clock.now() - word.at_ms) < KEPT_MS ? word.facilitator : null;
    },
    note: (asked, facilitator) => void words.set(nameOf(asked), { facilitator, at_ms: clock.now() }),
    forget: (asked) => void words.delete(nameOf(asked)),
  };
}
