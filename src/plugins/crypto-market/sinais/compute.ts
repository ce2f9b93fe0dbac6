import { type Computed, type Draft, renderTime } from "intel-node";
import { MODEL_HASH, MODEL_ID } from "../signals/model.ts";
import { computeRecordStats, warnOfRecord } from "../signals/record-stats.ts";
import { getAsOf, getNextEvaluation, listActive, renderSignal, type SignalView, warnOfView } from "../signals/view.ts";
import type { SinaisInputs } from "./fetch.ts";
import type { SinaisData } from "./schema.ts";

/** An answer costs a model 4,000 tokens at most. */
const SCORED_SHOWN = 18;

const listScored = ({ signals }: SignalView): SinaisData["recent_scored"] =>
  signals
    .flatMap(({ record: { seq, symbol, side, confidence }, outcome }) =>
      outcome?.status === "scored"
        ? [{ seq, symbol, side, confidence, net_bps: Number(outcome.net_bps), hit: outcome.hit }]
        : [],
    )
    .slice(-SCORED_SHOWN)
    .reverse();

const isBetween = (alpha: number): boolean => alpha > 40 && alpha < 60;

/** The signals of one moment, exactly as the ledger has them. Pure. */
export function computeSinais({ now: view, graded }: SinaisInputs): Computed<Draft<SinaisData>> {
  const active = listActive(view).map((signal) => renderSignal(signal, view));
  const warnings = warnOfView(view);
  warnings.push(...warnOfRecord("active", active, graded));
  return {
    as_of_ms: getAsOf(view),
    warnings,
    data: {
      model_id: MODEL_ID,
      model_hash: MODEL_HASH,
      chain: view.chain,
      active,
      recent_scored: listScored(view),
      no_signal: (view.evaluation?.record.coins ?? [])
        .map(({ symbol, alpha }) => ({ symbol, alpha: Number(alpha) }))
        .filter(({ alpha }) => isBetween(alpha)),
      next_evaluation_at: renderTime(getNextEvaluation(view.at_ms)),
      record_stats: computeRecordStats(graded),
    },
  };
}
