import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { closed, compileSchema, type FetchContext, type StoredRecord } from "intel-node";
import { yieldToEventLoop } from "intel-node/series/load-bars";
import type { SignalEvaluation, SignalFactor } from "./model.ts";

/** Chain of the signals: docs/signals.md says what its records hold. */
export const SIGNALS = "signals";
/** Chain of what the model said of every coin at every close, signal or not: a gap in it is a missed evaluation. */
export const EVALUATIONS = "alpha-evaluations";

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Time = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$" });
const Decimal = Type.String({ pattern: "^-?\\d{1,15}(\\.\\d{1,18})?$" });
const Count = Type.Integer({ minimum: 0 });

export const SignalRecord = Type.Object(
  {
    v: Type.Literal(1, { description: "Version of the record's form." }),
    seq: Type.Integer({ minimum: 1, description: "Place in the chain, from 1." }),
    model_id: Type.String({ description: "Model that gave it." }),
    model_hash: Type.String({ ...Hash, description: "SHA-256 of the model's parameter table." }),
    symbol: Type.String({ description: "Coin." }),
    side: Type.Union([Type.Literal("long"), Type.Literal("short")], { description: "long or short." }),
    alpha: Type.String({ ...Decimal, description: "0 to 100; 50 is neutral." }),
    confidence: Type.Integer({ minimum: 0, maximum: 100, description: "2 x |alpha - 50|, rounded." }),
    bar_close_at: Type.String({ ...Time, description: "Close of the bar it is made of." }),
    emitted_at: Type.String({ ...Time, description: "When it was written." }),
    ref_price: Type.String({ ...Decimal, description: "Close of that bar, US dollars." }),
    features_hash: Type.String({ ...Hash, description: "SHA-256 of the factor table." }),
    horizon_h: Type.Integer({ minimum: 1, description: "Hours from entry to exit." }),
    cost_bps: Type.String({ ...Decimal, description: "Cost of both sides taken off, basis points." }),
    prev_hash: Type.String({ ...Hash, description: "record_hash of the record before it." }),
  },
  closed,
);

const FactorRow = Type.Object({
  name: Type.String(),
  value: Type.Union([Decimal, Type.Null()]),
  weight: Decimal,
  contribution: Type.Union([Decimal, Type.Null()]),
});
const FactorTable = Type.Object({
  model_id: Type.String(),
  symbol: Type.String(),
  bar_close_at: Time,
  factors: Type.Array(FactorRow, { maxItems: 20 }),
});

const scored = {
  v: Type.Literal(1, { description: "Version of the outcome's form." }),
  seq: Type.Integer({ minimum: 1, description: "Place of the signal in the chain." }),
  record_hash: Type.String({ ...Hash, description: "Of the signal." }),
};
export const ScoredOutcome = Type.Object(
  {
    ...scored,
    status: Type.Literal("scored", { description: "It was graded." }),
    entry_at: Type.String({ ...Time, description: "Open of the first hour after it was written." }),
    entry_price: Type.String({ ...Decimal, description: "That open, US dollars." }),
    exit_at: Type.String({ ...Time, description: "Entry plus the horizon." }),
    exit_price: Type.String({ ...Decimal, description: "Open at the exit, US dollars." }),
    price_source: Type.String({ maxLength: 60, description: "Provider, coin and interval of both prices." }),
    gross_bps: Type.String({ ...Decimal, description: "Result before costs, basis points." }),
    net_bps: Type.String({ ...Decimal, description: "Result after costs, basis points." }),
    hit: Type.Boolean({ description: "net_bps above 0." }),
  },
  closed,
);
const UnscorableOutcome = Type.Object(
  {
    ...scored,
    status: Type.Literal("unscorable", { description: "It could not be graded." }),
    reason: Type.String({ maxLength: 200, description: "Why not." }),
  },
  closed,
);
export const SignalOutcome = Type.Union([ScoredOutcome, UnscorableOutcome], { description: "How it came out." });

const EvaluationRecord = Type.Object(
  {
    v: Type.Literal(1),
    seq: Type.Integer({ minimum: 1 }),
    model_id: Type.String(),
    model_hash: Hash,
    bar_close_at: Time,
    evaluated_at: Time,
    coins: Type.Array(
      Type.Object(
        {
          symbol: Type.String(),
          alpha: Decimal,
          confidence: Count,
          ref_price: Decimal,
          features_hash: Hash,
          signal_seq: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
        },
        closed,
      ),
      { maxItems: 100 },
    ),
    missing: Type.Array(Type.String(), { maxItems: 100 }),
    prev_hash: Hash,
  },
  closed,
);

export type SignalRecordData = Static<typeof SignalRecord>;
export type ScoredOutcomeData = Static<typeof ScoredOutcome>;
export type SignalOutcomeData = Static<typeof SignalOutcome>;
export type FactorTableData = Static<typeof FactorTable>;
export type EvaluationRecordData = Static<typeof EvaluationRecord>;

/** A signal as recorded in the ledger. */
export interface StoredSignal {
  readonly record: SignalRecordData;
  readonly record_hash: string;
  readonly factors: FactorTableData;
  readonly emitted_at_ms: number;
  readonly outcome: SignalOutcomeData | null;
  readonly outcome_hash: string | null;
  readonly scored_at_ms: number | null;
}

export interface StoredEvaluation {
  readonly record: EvaluationRecordData;
  readonly record_hash: string;
  readonly bar_close_at_ms: number;
  /** By symbol. */
  readonly tables: ReadonlyMap<string, FactorTableData>;
}

const createReader = <S extends TSchema>(schema: S, what: string) => {
  const check = compileSchema(schema);
  return (value: unknown): Static<S> => {
    if (check.Check(value)) return value;
    const fault = check.Errors(value).First();
    throw new TypeError(`${what} does not match its schema at "${fault?.path}": ${fault?.message}`);
  };
};
const readSignalRecord = createReader(SignalRecord, "a signal");
const readOutcomeRecord = createReader(SignalOutcome, "an outcome");
const readTable = createReader(FactorTable, "a factor table");
const readTables = createReader(Type.Array(FactorTable, { maxItems: 100 }), "a list of factor tables");
const readEvaluationRecord = createReader(EvaluationRecord, "an evaluation");

/** Decimal text without an exponent and without "-0". */
export function renderDecimal(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** A price as its venue stated it: the shortest decimal of the number. */
export function renderPrice(price: number): string {
  const text = String(price);
  return text.includes("e") ? price.toFixed(18).replace(/\.?0+$/, "") : text;
}

const FACTOR_DECIMALS = 6;

/** The factor table that `features_hash` hashes. */
export const renderFactors = (
  { factors }: SignalEvaluation,
  { model_id, symbol, bar_close_at }: Omit<FactorTableData, "factors">,
): FactorTableData => ({
  model_id,
  symbol,
  bar_close_at,
  factors: factors.map(({ name, value, weight, contribution }: SignalFactor) => ({
    name,
    value: value === null ? null : renderDecimal(value, FACTOR_DECIMALS),
    weight: renderDecimal(weight, 2),
    contribution: contribution === null ? null : renderDecimal(contribution, FACTOR_DECIMALS),
  })),
});

/** @throws TypeError when the ledger holds what this version does not understand. */
export function readSignal({ record, record_hash, beside, outcome }: StoredRecord): StoredSignal {
  const signal = readSignalRecord(record);
  return {
    record: signal,
    record_hash,
    factors: readTable(beside),
    emitted_at_ms: Date.parse(signal.emitted_at),
    outcome: outcome === null ? null : readOutcomeRecord(outcome.outcome),
    outcome_hash: outcome?.outcome_hash ?? null,
    scored_at_ms: outcome?.scored_at_ms ?? null,
  };
}

const toEvaluation = ({ record, record_hash, beside }: StoredRecord): StoredEvaluation => {
  const evaluation = readEvaluationRecord(record);
  return {
    record: evaluation,
    record_hash,
    bar_close_at_ms: Date.parse(evaluation.bar_close_at),
    tables: new Map(readTables(beside).map((table) => [table.symbol, table])),
  };
};

type RecordsContext = Pick<FetchContext, "records">;

/** The newest signals that were written at `since_ms` or later, oldest first. */
export const readRecentSignals = async (
  { records }: RecordsContext,
  query: { readonly since_ms?: number; readonly limit: number; readonly open?: boolean },
): Promise<readonly StoredSignal[]> => (await records.read(SIGNALS, { ...query, newest: true })).map(readSignal);

/** The newest evaluations, oldest first. */
export const readRecentEvaluations = async (
  { records }: RecordsContext,
  limit: number,
): Promise<readonly StoredEvaluation[]> => (await records.read(EVALUATIONS, { newest: true, limit })).map(toEvaluation);

const PAGE = 200;
/** Twenty years of ten coins; beyond it the node would have to keep sums. */
const SIGNALS_MAX = 400_000;

/** Every signal of the chain after one, page by page, so that no other call has to wait for it. */
export async function visitSignals(
  { records }: RecordsContext,
  after: number,
  visit: (signal: StoredSignal) => void,
): Promise<void> {
  for (let after_seq = after; after_seq < SIGNALS_MAX; ) {
    const page = await records.read(SIGNALS, { after_seq, limit: PAGE });
    for (const stored of page) visit(readSignal(stored));
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after_seq = last.seq;
    await yieldToEventLoop();
  }
}
