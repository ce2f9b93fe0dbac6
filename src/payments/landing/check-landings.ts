import type { Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Landing, LandingLook, Landings } from "../../ledger/landings.ts";
import { NETWORKS, type Network } from "../networks/table.ts";
import { OTHER_AMOUNT } from "../types.ts";
import type { ChainReader } from "./chain-reader.ts";

/** Looks up on the chain what facilitators reported as settled. */
export interface LandingCheck {
  /** One bounded pass over those whose time has come, oldest first. Returns how many were looked up. */
  pass(): Promise<number>;
  /** Ends a pass after the looks that are under way. */
  cancel(): void;
}

export interface LandingCheckOptions {
  readonly landings: Landings;
  readonly clock: Clock;
  readonly chain: ChainReader;
  /** Called when what was seen is written down. */
  readonly onSeen?: () => void;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
  /** For what the operator has to see. */
  readonly alarm: (event: Readonly<Record<string, unknown>>) => void;
}

/** Of one network in one pass. */
const LOOKS_MAX = 200;
const PARALLEL = 4;
/** So many in a row that nobody answered end the pass for a network. */
const FAILURES_MAX = 3;
const AGAIN_MS = 10_000;
const AGAIN_MS_MAX = 6 * 3_600_000;
const FAILED_AGAIN_MS = 60_000;
const DAY_MS = 86_400_000;
/** What is missing is looked up some more: an endpoint may have been wrong, and a key may wait for it. */
const MISSING_AGAIN_MS = 6 * 3_600_000;
const MISSING_MS_MAX = 30 * DAY_MS;

export function createLandingCheck(options: LandingCheckOptions): LandingCheck {
  const { landings, clock, chain, log, alarm } = options;
  let canceled = false;
  let cancels = 0;
  let running: Promise<unknown> = Promise.resolve();

  async function note(receipt_id: string, seen: LandingLook): Promise<void> {
    await landings.note(receipt_id, seen);
    options.onSeen?.();
  }

  async function look(landing: Landing, network: Network): Promise<void> {
    const { receipt_id, payment_id, facilitator, state, amount, pay_to, chain_transaction } = landing;
    const verdict = await chain.ask({
      network,
      payload: JSON.parse(landing.payload),
      amount,
      pay_to,
      since_ms: landing.created_at_ms,
      hint_transaction: chain_transaction,
    });
    const checked_at_ms = clock.now();
    const event = { receipt: receipt_id, payment: payment_id, network: network.id, facilitator, chain_transaction };
    if (verdict.paid) {
      await note(receipt_id, { state: "confirmed", checked_at_ms, due_at_ms: null });
      const { transaction } = verdict;
      if (transaction !== chain_transaction) alarm({ event: "landed_by_another_transaction", ...event, transaction });
      if (state === "missing") log({ event: "landed_after_all", ...event });
    } else if (verdict.final) {
      const age_ms = checked_at_ms - landing.created_at_ms;
      const later_ms = age_ms < DAY_MS ? MISSING_AGAIN_MS : DAY_MS;
      const again = age_ms < MISSING_MS_MAX ? checked_at_ms + later_ms : null;
      await note(receipt_id, { state: "missing", checked_at_ms, due_at_ms: again, doubted: true });
      if (state === "pending") alarm({ event: "never_landed", ...event, reason: verdict.reason });
    } else {
      // A payment that was used by something else than what was named is known, if not for what; one of which another
      // amount was taken than the books say is not what was sold.
      const unknown = !verdict.reason.startsWith("used") || verdict.reason === OTHER_AMOUNT;
      const doubted = unknown && checked_at_ms - landing.settled_at_ms >= network.doubt_after_ms;
      await note(receipt_id, { state, checked_at_ms, due_at_ms: nextLook(landing, network), doubted });
      if (doubted && !landing.doubted) alarm({ event: "settlement_doubted", ...event, reason: verdict.reason });
    }
  }

  /** Later and later; but once when there is reason for doubt. */
  function nextLook({ looks, settled_at_ms }: Landing, { doubt_after_ms }: Network): number {
    const now_ms = clock.now();
    const due_ms = now_ms + Math.min(AGAIN_MS * 2 ** Math.min(looks, 20), AGAIN_MS_MAX);
    const doubt_ms = settled_at_ms + doubt_after_ms;
    return doubt_ms > now_ms ? Math.min(due_ms, doubt_ms) : due_ms;
  }

  async function passOf(network: Network): Promise<number> {
    const due = [...(await landings.listDue(network.id, clock.now(), LOOKS_MAX))];
    let failures = 0;
    let looked = 0;
    const work = async () => {
      for (let landing = due.shift(); landing && failures < FAILURES_MAX && !canceled; landing = due.shift()) {
        try {
          await look(landing, network);
          looked += 1;
          failures = 0;
        } catch (error) {
          failures += 1;
          const { receipt_id } = landing;
          log({ event: "landing_not_read", receipt: receipt_id, network: network.id, error: messageOf(error) });
          await landings.postpone(receipt_id, clock.now() + FAILED_AGAIN_MS);
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    return looked;
  }

  async function passAll(): Promise<number> {
    canceled = false;
    const counts = await Promise.all(NETWORKS.filter(chain.canRead).map(passOf));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  return {
    pass() {
      // One after the other: a slow look of an earlier pass must not write over what a later one has seen.
      const asked_at = cancels;
      // One that waits when all is canceled does not begin.
      const begin = async (): Promise<number> => (cancels === asked_at ? passAll() : 0);
      const own = running.then(begin, begin);
      running = own;
      return own;
    },
    cancel() {
      canceled = true;
      cancels += 1;
    },
  };
}
