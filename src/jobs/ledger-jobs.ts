import type { Clock } from "../core/clock.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { LandingCheck } from "../payments/landing/check-landings.ts";
import type { IncomeWatch } from "../payments/landing/watch-income.ts";
import type { Reconciler } from "../payments/reconcile.ts";
import type { ScheduledJob } from "./scheduler.ts";

export interface LedgerJobOptions {
  readonly ledger: Ledger;
  readonly reconciler: Reconciler;
  readonly landing: LandingCheck;
  /** Null where there is no chain to compare with. */
  readonly income: IncomeWatch | null;
  readonly clock: Clock;
  readonly replay_window_ms: number;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

const RECONCILE_EVERY_MS = 15_000;
/** A look at what is due costs nothing while nothing is. */
const LANDINGS_EVERY_MS = 5_000;
const HOUR_MS = 3_600_000;
/** How long the buyer of a key may ask for it again. */
const RECOVERY_MS = 24 * HOUR_MS;
/** How long a payment that was rejected or abandoned is kept after it died. */
const ENDED_MS = 24 * HOUR_MS;

const ENDED_AT_ONCE = 200;

/** Books what has ended of balances as income; what was booked is not found again, whenever the node ends. */
async function bookEnded({ keys }: Ledger, now_ms: number, log: LedgerJobOptions["log"]): Promise<void> {
  let amount = 0n;
  let count = 0;
  for (let some = ENDED_AT_ONCE; some === ENDED_AT_ONCE; ) {
    const ended = await keys.ended(now_ms, ENDED_AT_ONCE);
    for (const public_id of ended) amount += await keys.expire(public_id);
    some = ended.length;
    count += some;
  }
  if (count > 0) log({ event: "balances_ended", keys: count, amount_atomic: amount.toString() });
}

/**
 * What keeps the books true: open and reported settlements are asked of the chain, the log file is cut, old answers are
 * dropped, ended credit is booked.
 */
export function createLedgerJobs(options: LedgerJobOptions): readonly ScheduledJob[] {
  const { ledger, reconciler, landing, income, clock, log } = options;
  return [
    {
      id: "ledger-reconcile",
      schedule: { every_ms: RECONCILE_EVERY_MS },
      at_start: false,
      skipping: { runs_kept: 1 },
      one_runner: true,
      run: async () => {
        const open = await reconciler.resolveAll();
        if (open > 0) log({ event: "settlements_unknown", open });
      },
    },
    {
      id: "ledger-landings",
      schedule: { every_ms: LANDINGS_EVERY_MS },
      at_start: false,
      skipping: { runs_kept: 1 },
      one_runner: true,
      run: async () => void (await landing.pass()),
      cancel: landing.cancel,
    },
    // At the start too: the books may be those of a backup.
    ...(income === null
      ? []
      : [
          {
            id: "ledger-income",
            schedule: { every_ms: 24 * HOUR_MS },
            at_start: true,
            skipping: { runs_kept: 1 },
            one_runner: true,
            run: income.pass,
          },
        ]),
    {
      id: "ledger-checkpoint",
      schedule: { every_ms: HOUR_MS / 12 },
      at_start: false,
      skipping: { runs_kept: 1 },
      run: async () => {
        if (!(await ledger.checkpoint())) log({ event: "ledger_log_kept" });
      },
    },
    {
      id: "ledger-ended",
      schedule: { every_ms: HOUR_MS / 12 },
      at_start: true,
      one_runner: true,
      skipping: { runs_kept: 1 },
      run: async () => {
        const pruned = await ledger.payments.pruneEnded(clock.now() - ENDED_MS);
        if (pruned > 0) log({ event: "ended_payments_pruned", pruned });
      },
    },
    {
      id: "ledger-lots",
      schedule: { every_ms: HOUR_MS / 12 },
      at_start: true,
      one_runner: true,
      skipping: { runs_kept: 1 },
      run: () => bookEnded(ledger, clock.now(), log),
    },
    {
      id: "ledger-retention",
      schedule: { every_ms: HOUR_MS },
      at_start: false,
      skipping: { runs_kept: 1 },
      one_runner: true,
      run: async () => {
        const before_ms = clock.now() - options.replay_window_ms;
        const pruned = (await ledger.payments.pruneAnswers(before_ms)) + (await ledger.charges.pruneAnswers(before_ms));
        if (pruned > 0) log({ event: "answers_pruned", pruned });
        // A bought key whose answer was lost can be made again until then, and never after.
        await ledger.keys.dropSalts(clock.now() - RECOVERY_MS);
        await ledger.cluster?.pruneBudgets();
      },
    },
  ];
}
