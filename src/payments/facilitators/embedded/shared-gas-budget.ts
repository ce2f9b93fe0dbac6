import type { Clock } from "../../../core/clock.ts";
import type { SpendTogether } from "../../../core/shared-budget.ts";
import type { GasBudget } from "./gas-budget.ts";

const HOUR_MS = 3_600_000;

export interface SharedGasOptions {
  /** Whose gas it is: the network's id. */
  readonly network: string;
  /** Most that all nodes together may spend in an hour of the clock, in the smallest unit of the chain's coin. */
  readonly cap: bigint;
  readonly clock: Clock;
  readonly spendTogether: SpendTogether;
}

/**
 * A gas budget that other nodes spend from, too: what a node's own budget allows is taken from the common one before
 * anything leaves. Parts of the cap, such as a payer's, are still counted by each node. `reserve` rejects when the
 * common budget cannot be asked.
 */
export function shareGasBudget(own: GasBudget, { network, cap, clock, spendTogether }: SharedGasOptions): GasBudget {
  const hour = () => Math.floor(clock.now() / HOUR_MS);
  /** What the last answer said. */
  let known = { hour: hour(), left: cap };
  const left = (): bigint => {
    const rest = own.left();
    return known.hour === hour() && known.left < rest ? known.left : rest;
  };
  return {
    left,
    isUsedUp: own.isUsedUp,
    async reserve(amount, part = null) {
      if (amount > left()) return null;
      const spending = await own.reserve(amount, part);
      if (spending === null) return null;
      const at = hour();
      const name = `gas ${network} ${at}`;
      const take = (units: bigint) =>
        spendTogether([{ name, amount: Number(units), limit: Number(cap), until_ms: (at + 2) * HOUR_MS }]);
      const { over, spent } = await take(amount).catch((error: unknown) => {
        spending.correct(0n);
        throw error;
      });
      const rest = cap - BigInt(Math.round(spent[0]?.spent ?? 0)) - (over === null ? amount : 0n);
      known = { hour: at, left: rest > 0n ? rest : 0n };
      if (over !== null) {
        spending.correct(0n);
        return null;
      }
      let booked = amount;
      return {
        correct(actual) {
          spending.correct(actual);
          if (actual >= booked) return;
          // What cannot be given back now stays spent: too much is counted, never too little.
          void take(actual - booked).catch(() => undefined);
          booked = actual;
        },
      };
    },
  };
}
