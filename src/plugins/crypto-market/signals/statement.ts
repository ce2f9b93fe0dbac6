import type { HistoryMoment, RecordBody } from "intel-node";
import type { SignalPerformance } from "./performance.ts";
import { renderDecimal } from "./signal-records.ts";

/** Kind of the signed statement: the first line of what is signed. */
export const STATEMENT_KIND = "win-rate";

export interface StatementInputs {
  readonly node_id: string;
  readonly key_id: string;
  readonly model_id: string;
  readonly generated_at: string;
  readonly window_from: string | null;
  readonly window_to: string;
  readonly moment: Pick<HistoryMoment, "chain" | "records_root" | "outcome_log_size" | "outcome_log_root">;
  readonly outcomes_root: string;
  readonly counts: { readonly n_emitted: number; readonly n_open: number; readonly n_unscorable: number };
  readonly performance: SignalPerformance;
}

const decimal = (value: number | null, decimals: number): string | null =>
  value === null ? null : renderDecimal(value, decimals);

/**
 * The signed part of the node's record: only texts, small integers and nulls, so that its hash is the same everywhere.
 */
export function createStatement(inputs: StatementInputs): RecordBody {
  const { node_id, key_id, model_id, generated_at, window_from, window_to, moment, performance } = inputs;
  return {
    v: 2,
    kind: "win-rate-verified",
    node_id,
    key_id,
    model_id,
    generated_at,
    window_from,
    window_to,
    chain_head: moment.chain.head,
    chain_length: moment.chain.length,
    records_root: moment.records_root,
    outcome_log_size: moment.outcome_log_size,
    outcome_log_root: moment.outcome_log_root,
    outcomes_root: inputs.outcomes_root,
    ...inputs.counts,
    n_scored: performance.n_scored,
    wins: performance.wins,
    win_rate: decimal(performance.win_rate, 4),
    win_rate_lo95: decimal(performance.win_rate_lo95, 4),
    win_rate_hi95: decimal(performance.win_rate_hi95, 4),
    avg_net_bps: decimal(performance.avg_net_bps, 1),
    median_net_bps: decimal(performance.median_net_bps, 1),
    sum_net_bps: decimal(performance.sum_net_bps, 1),
    profit_factor: decimal(performance.profit_factor, 2),
    always_long_hits: String(performance.always_long_hits),
    p_value_vs_half: decimal(performance.p_value_vs_half, 4),
  };
}
