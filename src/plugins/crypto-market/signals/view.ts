import { type Static, Type } from "@sinclair/typebox";
import { type ChainHead, closed, type Draft, type FetchContext, missing, nullable, renderTime, text } from "intel-node";
import { HOUR_MS } from "intel-node/providers/bars";
import { citeBars, readBars } from "intel-node/series/bar-series";
import { EVALUATION_MS, getLastClose } from "./emit.ts";
import { HORIZON_H } from "./model.ts";
import {
  readRecentEvaluations,
  readRecentSignals,
  type StoredEvaluation,
  type StoredSignal,
} from "./signal-records.ts";

export const ChainSchema = Type.Object(
  {
    length: Type.Integer({ minimum: 0, description: "Records so far." }),
    head: text("record_hash of the newest one; keep it: record number `length` must have it for ever."),
  },
  { description: "How far the chain of signals has come.", ...closed },
);

export const SIGNAL_ROW = {
  seq: Type.Integer({ minimum: 1, description: "Place in the chain." }),
  record_hash: text("SHA-256 of the record."),
  symbol: text("Coin."),
  side: Type.Union([Type.Literal("long"), Type.Literal("short")], { description: "long or short." }),
  alpha: Type.Number({ minimum: 0, maximum: 100, description: "Score of the model; 50 is neutral." }),
  confidence: Type.Integer({ minimum: 0, maximum: 100, description: "2 x |alpha - 50|." }),
  bar_close_at: text("Close of the bar the signal is made of."),
  emitted_at: text("When it was written."),
  ref_price: Type.Number({ description: "Close of that bar, US dollars. Grading enters at the next hourly open." }),
  horizon_h: Type.Integer({ minimum: 1, description: "Hours from entry to exit." }),
  expires_at: text("emitted_at plus the horizon."),
  mark_price: nullable(
    Type.Number({ digits: 8 }),
    "Newest stored hourly close, US dollars; null when no close is stored.",
  ),
  unrealised_bps: nullable(
    Type.Number({ decimals: 2 }),
    "mark_price against ref_price on the signal's side, before costs.",
  ),
} as const;

const RowSchema = Type.Object(SIGNAL_ROW);
export type SignalRow = Static<typeof RowSchema>;

/** A newest stored price of a coin. */
export interface Mark {
  readonly price: number;
  readonly at_ms: number;
}

/** What the ledger and the stored bars say at one moment. */
export interface SignalView {
  readonly at_ms: number;
  readonly chain: ChainHead;
  /** Those written within the horizon of the oldest that may still be active, and some before; oldest first. */
  readonly signals: readonly StoredSignal[];
  readonly evaluation: StoredEvaluation | null;
  /** By symbol. */
  readonly marks: ReadonlyMap<string, Mark>;
}

const SIGNALS_READ = 500;
/** Three days of closes: what a view a day earlier needs. */
const EVALUATIONS_READ = 18;

export interface SignalInputs {
  readonly now: SignalView;
  /** Evaluations from which an earlier view is made, oldest first. */
  readonly evaluations: readonly StoredEvaluation[];
}

const isActive = ({ record, emitted_at_ms }: StoredSignal, at_ms: number): boolean =>
  emitted_at_ms <= at_ms && at_ms < emitted_at_ms + record.horizon_h * HOUR_MS;

async function readMarks(context: FetchContext, symbols: readonly string[]): Promise<ReadonlyMap<string, Mark>> {
  const found = await Promise.all(
    symbols.map((symbol) => readBars(context, { symbol, interval: "1h", count: 1, grace: true })),
  );
  const series = found.flatMap((one) => one ?? []);
  citeBars(context, series);
  return new Map(
    series.flatMap(({ symbol, bars }) => {
      const bar = bars.at(-1);
      return bar ? [[symbol, { price: bar.close, at_ms: bar.t_ms + HOUR_MS }]] : [];
    }),
  );
}

/** Reads the ledger as it is now; makes no calls. */
export async function readSignalInputs(context: FetchContext): Promise<SignalInputs> {
  const { now_ms } = context;
  const signals = await readRecentSignals(context, { limit: SIGNALS_READ });
  const evaluations = await readRecentEvaluations(context, EVALUATIONS_READ);
  const symbols = [...new Set(signals.filter((one) => isActive(one, now_ms)).map(({ record }) => record.symbol))];
  const now = {
    at_ms: now_ms,
    signals,
    chain: await context.records.head("signals"),
    marks: await readMarks(context, symbols),
  };
  return { now: { ...now, evaluation: evaluations.at(-1) ?? null }, evaluations };
}

/**
 * The signals as shown one horizon ago, with their outcomes since: every signal that was active then has ended.
 * Null when the signals read do not reach back that far, and before the first evaluation.
 */
export function rewindSignals({ now, evaluations }: SignalInputs): SignalInputs | null {
  const at_ms = now.at_ms - HORIZON_H * HOUR_MS;
  const [first] = now.signals;
  const signals = now.signals.filter(({ emitted_at_ms }) => emitted_at_ms <= at_ms);
  const reaches_back =
    first === undefined || first.record.seq === 1 || first.emitted_at_ms < at_ms - HORIZON_H * HOUR_MS;
  const evaluation = evaluations.findLast(({ bar_close_at_ms }) => bar_close_at_ms <= at_ms) ?? null;
  if (!reaches_back || (evaluation === null && signals.length === 0)) return null;
  const last = signals.at(-1);
  const head = last?.record_hash ?? (first?.record.seq === 1 ? first.record.prev_hash : now.chain.head);
  const chain = { length: last?.record.seq ?? 0, head };
  return { evaluations, now: { at_ms, chain, signals, evaluation, marks: new Map() } };
}

const UNMARKED = "no fresh stored price of the coin";

/** A signal as answers show it. */
export function renderSignal({ record, record_hash, emitted_at_ms }: StoredSignal, view: SignalView): Draft<SignalRow> {
  const { seq, symbol, side, alpha, confidence, bar_close_at, emitted_at, ref_price, horizon_h } = record;
  const mark = view.marks.get(symbol);
  const sign = side === "long" ? 1 : -1;
  return {
    seq,
    record_hash,
    symbol,
    side,
    alpha: Number(alpha),
    confidence,
    bar_close_at,
    emitted_at,
    ref_price: Number(ref_price),
    horizon_h,
    expires_at: renderTime(emitted_at_ms + horizon_h * HOUR_MS),
    mark_price: mark ? mark.price : missing(UNMARKED),
    unrealised_bps: mark ? sign * (mark.price / Number(ref_price) - 1) * 10_000 : missing(UNMARKED),
  };
}

/** Newest first. */
export const listActive = ({ signals, at_ms }: SignalView): readonly StoredSignal[] =>
  signals.filter((one) => isActive(one, at_ms)).reverse();

/** Minutes after a close at which it is evaluated. */
const EVALUATED_AFTER_MS = 120_000;

export const getNextEvaluation = (at_ms: number): number => {
  const due_ms = getLastClose(at_ms) + EVALUATED_AFTER_MS;
  return due_ms > at_ms ? due_ms : due_ms + EVALUATION_MS;
};

/** What is wrong with a view, in words. */
export function warnOfView({ chain, evaluation, at_ms }: SignalView): string[] {
  if (evaluation === null) return ["no_signal: the model had not been evaluated yet"];
  const warnings = chain.length === 0 ? ["active: no signal was ever given"] : [];
  const missed =
    Math.floor((at_ms - evaluation.bar_close_at_ms - EVALUATED_AFTER_MS - EVALUATION_MS) / EVALUATION_MS) + 1;
  if (missed > 0) warnings.push(`no_signal: the last evaluation is of ${evaluation.record.bar_close_at}`);
  const { missing } = evaluation.record;
  if (missing.length > 0)
    warnings.push(`no_signal: ${missing.join(", ")} not evaluated, without bars up to that close`);
  return warnings;
}

/** Time of the newest thing a view shows; its own time while there is nothing. */
export function getAsOf({ at_ms, evaluation, signals, marks }: SignalView): number {
  const times = [
    ...(evaluation ? [Date.parse(evaluation.record.evaluated_at)] : []),
    ...signals.slice(-1).map(({ emitted_at_ms }) => emitted_at_ms),
    ...[...marks.values()].map((mark) => mark.at_ms),
  ].filter((time) => time <= at_ms);
  return times.length > 0 ? Math.max(...times) : at_ms;
}
