import { sleep, systemTimers, type Timers } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { FacilitatorPool } from "../facilitators/pool.ts";
import type { PaymentToSettle } from "../facilitators/types.ts";
import { networkById } from "../networks/table.ts";
import type { ChainReader } from "./chain-reader.ts";

/** Why a reported settlement is `unknown` for now. The reconciler counts those that turn out never to have been. */
export const NOT_CONFIRMED = "reported as settled, not seen on the chain";

export interface ConfirmationOptions {
  readonly chain: ChainReader;
  readonly mustConfirm: (facilitator: string, network: string) => Promise<boolean>;
  readonly now_ms: () => number;
  /** What ends the pauses between looks; the system's timers unless given. */
  readonly timers?: Timers | undefined;
  /** What a settle may take in all, the facilitator's own time included. */
  readonly settle_timeout_ms: number;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

const PAUSE_MS = 500;
const PAUSE_MS_MAX = 2_000;

/**
 * A pool whose "settled" is believed only when the chain shows it, for facilitators whose word alone is not enough.
 * What the chain does not show in time is `unknown`, with the transaction that was named.
 */
export function withConfirmation(pool: FacilitatorPool, options: ConfirmationOptions): FacilitatorPool {
  const { chain, mustConfirm, now_ms, timers = systemTimers, settle_timeout_ms, log } = options;

  /** The transaction by which the payment landed, or null when it is not seen in time. */
  async function findLanded(payment: PaymentToSettle, hint: string, end: number): Promise<string | null> {
    const { requirement, payload } = payment;
    const network = networkById(requirement.network);
    if (!network || !chain.canRead(network)) return null;
    const question = {
      network,
      payload,
      amount: BigInt(requirement.amount),
      pay_to: requirement.payTo,
      since_ms: now_ms(),
      hint_transaction: hint,
    };
    for (let pause_ms = PAUSE_MS; ; pause_ms = Math.min(2 * pause_ms, PAUSE_MS_MAX)) {
      try {
        const verdict = await chain.ask(question);
        if (verdict.paid) return verdict.transaction;
        if (verdict.final) return null;
      } catch (error) {
        log({ event: "landing_not_read", network: network.id, error: messageOf(error).slice(0, 200) });
      }
      if (timers.elapsed_ms() + pause_ms >= end) return null;
      await sleep(timers, pause_ms);
    }
  }

  return {
    get offers() {
      return pool.offers;
    },
    unavailable: pool.unavailable,
    listedInstead: pool.listedInstead,
    onChange: pool.onChange,
    verify: pool.verify,
    async settle(first, payment) {
      const end = timers.elapsed_ms() + settle_timeout_ms;
      const result = await pool.settle(first, payment);
      const { outcome, facilitator } = result;
      if (outcome.kind !== "settled") return result;
      if (!(await mustConfirm(facilitator, payment.requirement.network))) return result;
      const { transaction } = outcome;
      const landed = await findLanded(payment, transaction, end);
      if (landed !== null) return { facilitator, outcome: { kind: "settled", transaction: landed } };
      return { facilitator, outcome: { kind: "unknown", cause: NOT_CONFIRMED, transaction } };
    },
    claimsMax: pool.claimsMax,
    status: pool.status,
    refresh: pool.refresh,
    stop: pool.stop,
  };
}
