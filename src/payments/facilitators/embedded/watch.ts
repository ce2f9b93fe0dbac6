import { messageOf } from "../../../core/errors.ts";
import type { GasBudget } from "./gas-budget.ts";
import { GasRefused, type Watch } from "./types.ts";

/** A watch and what it saw. */
export interface CallWatch extends Watch {
  /** Nothing may leave any more. */
  close(): void;
  /** The payment's own transaction, if it may have left. */
  readonly transaction: string | null;
  readonly fault: string | null;
  /** Why the gas account did not pay; then nothing left. */
  readonly gas_refused: string | null;
}

export function createWatch(budget: GasBudget): CallWatch {
  let closed = false;
  const seen: { transaction: string | null; fault: string | null; gas_refused: string | null } = {
    transaction: null,
    fault: null,
    gas_refused: null,
  };
  const refuse = (why: string): GasRefused => {
    seen.gas_refused = why;
    return new GasRefused(why);
  };
  return {
    async beforeSend({ cost_max, transaction }) {
      const spending = await budget.reserve(cost_max).catch(() => {
        throw refuse("what is spent could not be written down");
      });
      if (!spending) throw refuse("the hourly cap of the gas account is reached");
      // No wait from here to the send.
      if (closed) {
        spending.correct(0n);
        throw refuse("given up before it was sent");
      }
      if (transaction !== undefined) seen.transaction = transaction;
      return spending;
    },
    takeBack: () => {
      seen.transaction = null;
    },
    noteFault: (error) => {
      seen.fault ??= messageOf(error).slice(0, 200);
    },
    close: () => {
      closed = true;
    },
    get transaction() {
      return seen.transaction;
    },
    get fault() {
      return seen.fault;
    },
    get gas_refused() {
      return seen.gas_refused;
    },
  };
}
