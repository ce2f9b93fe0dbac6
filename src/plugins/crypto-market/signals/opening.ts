import { NodeError, type Records, renderTime } from "intel-node";
import { HOUR_MS } from "intel-node/providers/bars";
import { type HistoryEntry, readHistory } from "./history.ts";
import { HORIZON_H, MODEL_ID } from "./model.ts";
import { EVALUATIONS, SIGNALS } from "./signal-records.ts";
import { getNextEvaluation } from "./view.ts";

/** A signal is graded once the bar after its exit has opened and closed, at the job's next mark. */
const GRADED_AFTER_MS = HOUR_MS + 600_000;

interface Moment {
  readonly records: Records;
  readonly now_ms: number;
}

/** When the model's first evaluation is due; null when there was one, which every signal is a sign of. */
export const findFirstEvaluation = async ({ records, now_ms }: Moment): Promise<number | null> =>
  (await records.head(EVALUATIONS)).length > 0 || (await records.head(SIGNALS)).length > 0
    ? null
    : getNextEvaluation(now_ms);

/** When the present model's first signal can be graded at the earliest; null when one is. */
export async function findFirstGrade({ records, now_ms }: Moment): Promise<number | null> {
  const { entries } = await readHistory({ records });
  return getFirstGrade(
    entries.filter(({ model_id }) => model_id === MODEL_ID),
    now_ms,
  );
}

export function getFirstGrade(entries: readonly HistoryEntry[], now_ms: number): number | null {
  if (entries.some(({ graded }) => graded !== null)) return null;
  const exits = entries.flatMap(({ status, exit_at_ms }) => (status === "open" ? [exit_at_ms] : []));
  // Without an open signal the next evaluation may give one: it enters at the full hour after it.
  const next_entry_ms = (Math.floor(getNextEvaluation(now_ms) / HOUR_MS) + 1) * HOUR_MS;
  const exit_ms = exits.length > 0 ? Math.min(...exits) : next_entry_ms + HORIZON_H * HOUR_MS;
  return Math.max(now_ms, exit_ms + GRADED_AFTER_MS);
}

/** @throws NodeError no_history: nothing was recorded yet that could be sold. */
export function assertOpen(opens_ms: number | null, { what, now_ms }: { what: string; now_ms: number }): void {
  if (opens_ms === null) return;
  const message = `${what} not before ${renderTime(opens_ms)}. Nothing was charged.`;
  const retry_after_s = Math.max(60, Math.ceil((opens_ms - now_ms) / 1000));
  throw new NodeError("no_history", message, { retry_after_s });
}
