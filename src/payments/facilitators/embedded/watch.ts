import { messageOf } from "../../../core/errors.ts";
import type { GasBudget, GasPart } from "./gas-budget.ts";
import { GasRefused, type GasSpending, type SendWatch } from "./types.ts";

/** A watch and what it saw. */
export interface GasWatch extends SendWatch {
  /** The payment came in and is worth more than its gas: what it cost is no loss, and counts against no cap. */
  earn(): void;
  /** Nothing may leave any more. */
  close(): void;
  /** The payment's own transaction, if it may have left. */
  readonly transaction: string | null;
  readonly fault: string | null;
  /** Why the gas account did not pay; then nothing left. */
  readonly gas_refused: string | null;
}

/** A payer may use up a tenth of what is spent in an hour, the creation of contract wallets a quarter in all. */
export const partOfPayer = (payer: string): GasPart => ({ name: `payer ${payer}`, divisor: 10n });
const CREATING: GasPart = { name: "creating wallets", divisor: 4n };

export function createWatch(budget: GasBudget, payer: string | null = null): GasWatch {
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
  const sent: GasSpending[] = [];
  return {
    async beforeSend({ cost_max, transaction }) {
      const part = transaction === undefined ? CREATING : payer === null ? null : partOfPayer(payer);
      if (part && budget.isUsedUp(part)) throw refuse(`the hourly part of the gas for ${part.name} is used up`);
      const spending = await budget.reserve(cost_max, part).catch(() => {
        throw refuse("what is spent could not be written down");
      });
      if (!spending) throw refuse("the hourly cap of the gas account is reached");
      // No wait from here to the send.
      if (closed) {
        spending.correct(0n);
        throw refuse("given up before it was sent");
      }
      if (transaction !== undefined) {
        seen.transaction = transaction;
        sent.push(spending);
      }
      return spending;
    },
    takeBack: () => {
      seen.transaction = null;
    },
    noteFault: (error) => {
      seen.fault ??= messageOf(error).slice(0, 200);
    },
    earn: () => {
      for (const spending of sent) spending.correct(0n);
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
