import { sleep, systemTimers } from "../../core/clock.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { PaymentRow, PaymentState } from "../../ledger/payment-row.ts";

const IN_FLIGHT: ReadonlySet<PaymentState> = new Set(["received", "verified", "producing", "settling"]);

export const isInFlight = ({ state }: Pick<PaymentRow, "state">): boolean => IN_FLIGHT.has(state);

/** Payments that another node of the cluster works on. */
export interface Elsewhere {
  /**
   * Waits until a payment that is in flight has ended, for at most a minute. However many wait for one, its row is
   * looked at once at a time.
   * @returns the row as it is then.
   */
  wait(row: PaymentRow): Promise<PaymentRow>;
}

/** As long as any product may take, and its settlement. Who comes back later finds the answer too. */
const WAIT_MS_MAX = 60_000;
const LOOK_MS = 20;
const LOOK_MS_MAX = 500;

export function createElsewhere({ ledger }: { readonly ledger: Ledger }): Elsewhere {
  const waiting = new Map<string, Promise<PaymentRow>>();

  async function look(row: PaymentRow): Promise<PaymentRow> {
    const since_ms = systemTimers.elapsed_ms();
    let current = row;
    for (let pause_ms = LOOK_MS; isInFlight(current); pause_ms = Math.min(LOOK_MS_MAX, pause_ms * 1.5)) {
      if (systemTimers.elapsed_ms() - since_ms > WAIT_MS_MAX) break;
      await sleep(systemTimers, pause_ms);
      // What a node left that died is ended by another one: no row stays in flight for ever.
      current = (await ledger.payments.get(row.id)) ?? current;
    }
    return current;
  }

  return {
    wait(row) {
      if (ledger.cluster === null || !isInFlight(row)) return Promise.resolve(row);
      const known = waiting.get(row.id);
      if (known) return known;
      const own = look(row).finally(() => waiting.delete(row.id));
      waiting.set(row.id, own);
      return own;
    },
  };
}
