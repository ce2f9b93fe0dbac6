import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, text } from "intel-node";
import { SignalOutcome, SignalRecord } from "../signals/signal-records.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const share = (description: string, when?: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 1, decimals: 4 }), description, when);
const number = (description: string, when?: string) => nullable(Type.Number({ decimals: 2 }), description, when);
const decimal = (description: string, when?: string) => nullable(Type.String(), description, when);

const counts = {
  n_emitted: count("Signals given."),
  n_scored: count("Graded ones among them."),
  n_open: count("Those whose horizon has not ended."),
  n_unscorable: count("Those without prices from any source."),
  wins: count("Graded signals with a result above 0 after costs."),
};

/** The signed payload: decimals are texts, so that its hash is the same in every language. */
export const Payload = Type.Object(
  {
    v: Type.Literal(2, { description: "Version of the payload's form; 1 had no roots but outcomes_root." }),
    kind: Type.Literal("win-rate-verified", { description: "What is signed." }),
    node_id: text("The node that signs."),
    key_id: text("Which of its keys."),
    model_id: text("Model the figures are of."),
    generated_at: text("When it was made."),
    window_from: nullable(Type.String(), "Close of the first signal's bar; null without signals."),
    window_to: text("The last full hour."),
    chain_head: text("record_hash of the newest signal."),
    chain_length: count("Signals so far."),
    records_root: text("RFC 9162 root over record_hash of all signals, in the order of the chain."),
    outcome_log_size: count("Outcomes stated so far."),
    outcome_log_root: text("RFC 9162 root over all of them, in the order they were stated."),
    outcomes_root: text("The same over the graded ones alone, in the order of the chain."),
    ...counts,
    win_rate: decimal("Share of hits, 4 decimals", "without a signal"),
    win_rate_lo95: decimal("Wilson 95 % interval, low end", "without a signal"),
    win_rate_hi95: decimal("High end", "without a signal"),
    avg_net_bps: decimal("Mean result, basis points after costs", "without a signal"),
    median_net_bps: decimal("Median result", "without a signal"),
    sum_net_bps: Type.String({ description: "Sum of results." }),
    profit_factor: decimal("Sum of gains over sum of losses", "without a loss"),
    always_long_hits: Type.String({ description: "Hits of being long over the same hours at the same cost." }),
    p_value_vs_half: decimal("Chance that a coin does as well: exact one-sided binomial test", "without a signal"),
  },
  closed,
);

const figures = {
  n_scored: counts.n_scored,
  wins: counts.wins,
  win_rate: share("Share of hits", "without a signal"),
  win_rate_lo95: share("Wilson 95 % interval, low end", "without a signal"),
  win_rate_hi95: share("High end", "without a signal"),
  avg_net_bps: number("Mean result after costs, basis points", "without a signal"),
  median_net_bps: number("Median result", "without a signal"),
  sum_net_bps: Type.Number({ description: "Sum of results.", decimals: 2 }),
  profit_factor: number("Sum of gains over sum of losses", "without a loss"),
  always_long_hits: count("Hits of being long over the same hours at the same cost."),
  p_value_vs_half: share("Exact one-sided binomial test against a coin", "without a signal"),
  brier: share("Mean squared error of 0.5 + confidence / 200 as a chance of a hit", "without a signal"),
  sharpe: number("Of the days' even portfolio, times sqrt(365)", "with fewer than two days"),
  max_drawdown_pct: number("Largest fall of that portfolio from a peak, percent; 0 or below."),
  days: count("UTC days with an exit."),
};

const Group = Type.Object(
  {
    key: text("Coin, side or class of confidence."),
    n: count("Graded signals."),
    wins: count("Hits."),
    win_rate: share("Share of hits", "without a signal"),
    lo95: share("Wilson 95 % interval, low end", "without a signal"),
    hi95: share("High end", "without a signal"),
    mean_net_bps: number("Mean result after costs, basis points", "without a signal"),
  },
  closed,
);

const Window = Type.Object(
  {
    window: Type.Union([Type.Literal("30d"), Type.Literal("90d"), Type.Literal("all")], {
      description: "Signals by the time of their exit.",
    }),
    n_emitted: counts.n_emitted,
    n_open: counts.n_open,
    n_unscorable: counts.n_unscorable,
    ...figures,
    non_overlapping: Type.Object(figures, {
      ...closed,
      description: "The same of signals that do not overlap: the first of a coin, then the first after its horizon.",
    }),
    calibration: Type.Array(Group, { description: "By class of confidence." }),
  },
  closed,
);

const Evidence = Type.Object(
  {
    record: Type.Object(SignalRecord.properties, { ...closed, description: "The signal as it was written." }),
    record_hash: text("SHA-256 of the record's canonical text."),
    outcome: SignalOutcome,
    outcome_hash: text("SHA-256 of the outcome's canonical text."),
    outcome_seq: Type.Integer({ minimum: 1, description: "Its place in the log of outcomes." }),
  },
  closed,
);

export const RECORDS = { max: 200, default: 0 } as const;

export const WinRateSchema = Type.Object(
  {
    payload: Type.Object(Payload.properties, { ...closed, description: "The figures that are signed." }),
    payload_canonical: text("The payload as it is signed (RFC 8785)."),
    signature: text('Ed25519 signature of "intel-node:win-rate:v1\\n" and payload_canonical, base64url.'),
    algorithm: Type.Literal("ed25519", { description: "RFC 8032." }),
    public_key: text("Raw key, base64url; take it from verify_url."),
    key_id: text("Name of the key."),
    verify_url: text("Where the node lists its keys."),
    missed_evaluations: nullable(
      Type.Integer({ minimum: 0 }),
      "Closes since the first evaluation that were not evaluated",
      "before the first",
    ),
    windows: Type.Array(Window, { minItems: 3, maxItems: 3, description: "30 and 90 days and everything." }),
    by_symbol: Type.Array(Group, { description: "Everything, by coin." }),
    by_side: Type.Array(Group, { description: "Everything, by side." }),
    by_bucket: Type.Array(Group, { description: "Everything, by class of confidence." }),
    records: nullable(
      Type.Array(Evidence, { maxItems: RECORDS.max }),
      "The newest graded signals whole, as many as `records` asks for, newest first; withheld in previews.",
    ),
    proof: nullable(
      Type.Object(
        {
          records: Type.Array(Type.String(), { description: "For records_root." }),
          outcomes: Type.Array(Type.String(), { description: "For outcome_log_root." }),
        },
        closed,
      ),
      "Hashes that lead from records to the signed roots",
      "without records",
    ),
    merkle_proof_note: text("How the roots are rebuilt."),
    how_to_verify: Type.Array(Type.String(), { description: "Step by step." }),
    limits: Type.Array(Type.String(), { description: "What this does not prove." }),
  },
  closed,
);

export type WinRateData = Static<typeof WinRateSchema>;
export type GroupData = Static<typeof Group>;
export type WindowData = Static<typeof Window>;
export type EvidenceData = Static<typeof Evidence>;
export type PayloadData = Static<typeof Payload>;
