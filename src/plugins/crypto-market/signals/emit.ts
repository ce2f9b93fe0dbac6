import { type FetchContext, hashRecord, type JobContext, outcomeOf, type RecordDraft, renderTime } from "intel-node";
import type { Bar } from "intel-node/providers/bars";
import { fetchCoinFunding } from "intel-node/providers/funding-venues";
import { loadManyBars } from "intel-node/series/load-bars";
import { computeRegime } from "../regimes/compute.ts";
import { loadRegimeInputs } from "../regimes/load.ts";
import { UNIVERSE_10 } from "../universe/universe.ts";
import {
  BARS_MIN,
  BARS_WANTED,
  COST_BPS,
  computeAlpha,
  HORIZON_H,
  MODEL_HASH,
  MODEL_ID,
  type ModelInputs,
  type Side,
  type SignalEvaluation,
} from "./model.ts";
import {
  EVALUATIONS,
  type EvaluationRecordData,
  type FactorTableData,
  readRecentEvaluations,
  readRecentSignals,
  renderDecimal,
  renderFactors,
  renderPrice,
  SIGNALS,
  type StoredSignal,
} from "./signal-records.ts";

const HOUR_MS = 3_600_000;
export const EVALUATION_MS = 4 * HOUR_MS;
/** A later evaluation would be made with hindsight: it is missed instead. */
export const BAR_AGE_MAX_MS = 1_800_000;
/** A signal that says the same as this one did is given again only after this long. */
const REPEAT_AFTER_MS = (HORIZON_H / 2) * HOUR_MS;
const HOURS_PER_YEAR = 24 * 365;
/** No older signal keeps a new one back. */
const LOOK_BACK_MS = REPEAT_AFTER_MS + HOUR_MS;
const SIGNALS_LOOKED_AT = 500;

/** Close of the newest four-hour bar. */
export const getLastClose = (now_ms: number): number => Math.floor(now_ms / EVALUATION_MS) * EVALUATION_MS;

export interface CoinInputs extends ModelInputs {
  readonly symbol: string;
}

/** Yearly funding of each coin as a fraction; a coin whose funding is unavailable is left out. */
async function fetchFundingRates(context: FetchContext): Promise<ReadonlyMap<string, number>> {
  const outcomes = await Promise.all(UNIVERSE_10.map((symbol) => outcomeOf(fetchCoinFunding(context, symbol))));
  const known = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  return new Map(known.map(({ symbol, rate_1h_frac }) => [symbol, rate_1h_frac * HOURS_PER_YEAR]));
}

async function fetchRegimeScore(context: FetchContext): Promise<number | null> {
  const inputs = await outcomeOf(loadRegimeInputs(context));
  return inputs.ok ? (computeRegime(inputs.value)?.score ?? null) : null;
}

/** What the model takes, for every coin that has all the bars up to the newest close. */
async function fetchModelInputs(context: FetchContext): Promise<readonly CoinInputs[]> {
  const [series, rates, regime] = await Promise.all([
    loadManyBars(
      context,
      UNIVERSE_10.map((symbol) => ({ symbol, interval: "4h" as const, count: BARS_WANTED, count_min: BARS_MIN })),
    ),
    fetchFundingRates(context),
    fetchRegimeScore(context),
  ]);
  return series.flatMap((one) => {
    if (!one.ok) return [];
    const { symbol, bars } = one.value;
    return [{ symbol, bars, funding_apr: rates.get(symbol) ?? null, regime }];
  });
}

/** Whether a signal says something that the last one of its coin does not say already. */
function isNews(
  { side, bar_close_at_ms }: { readonly side: Side; readonly bar_close_at_ms: number },
  previous: StoredSignal | undefined,
): boolean {
  if (!previous || previous.record.model_id !== MODEL_ID || previous.record.side !== side) return true;
  return bar_close_at_ms - Date.parse(previous.record.bar_close_at) >= REPEAT_AFTER_MS;
}

interface CoinEvaluation {
  readonly symbol: string;
  readonly evaluation: SignalEvaluation;
  readonly table: FactorTableData;
  readonly features_hash: string;
  readonly ref_price: string;
}

function evaluate({ symbol, bars, ...rest }: CoinInputs, bar_close_at: string): CoinEvaluation {
  const evaluation = computeAlpha({ bars, ...rest });
  const table = renderFactors(evaluation, { model_id: MODEL_ID, symbol, bar_close_at });
  const close: Bar["close"] = bars.at(-1)?.close ?? Number.NaN;
  return { symbol, evaluation, table, features_hash: hashRecord(table), ref_price: renderPrice(close) };
}

export interface EmissionInputs {
  readonly coins: readonly CoinInputs[];
  readonly bar_close_at_ms: number;
  readonly now_ms: number;
  /** Recent signals of every coin, oldest first. */
  readonly recent: readonly StoredSignal[];
}

/** The records of one close: signals that say something new, and then the evaluation they come from. */
function createDrafts({ coins, bar_close_at_ms, now_ms, recent }: EmissionInputs): readonly RecordDraft[] {
  const [bar_close_at, emitted_at] = [renderTime(bar_close_at_ms), renderTime(Math.floor(now_ms / 1000) * 1000)];
  const evaluated = coins.map((coin) => evaluate(coin, bar_close_at));
  const seq_by_symbol = new Map<string, number>();
  const signals = evaluated.flatMap(({ symbol, evaluation, table, features_hash, ref_price }): RecordDraft[] => {
    const { side, alpha, confidence } = evaluation;
    const previous = recent.findLast(({ record }) => record.symbol === symbol);
    if (side === null || !isNews({ side, bar_close_at_ms }, previous)) return [];
    const fixed = { v: 1, model_id: MODEL_ID, model_hash: MODEL_HASH, symbol, side, confidence, features_hash };
    const terms = { bar_close_at, emitted_at, ref_price, horizon_h: HORIZON_H, cost_bps: COST_BPS };
    return [
      {
        chain: SIGNALS,
        beside: table,
        build: (link) => {
          seq_by_symbol.set(symbol, link.seq);
          return { ...fixed, ...terms, alpha: renderDecimal(alpha, 1), ...link };
        },
      },
    ];
  });
  const known = new Set(evaluated.map(({ symbol }) => symbol));
  const evaluation: RecordDraft = {
    chain: EVALUATIONS,
    beside: evaluated.map(({ table }) => table),
    build: (link): EvaluationRecordData => ({
      v: 1,
      model_id: MODEL_ID,
      model_hash: MODEL_HASH,
      bar_close_at,
      evaluated_at: emitted_at,
      coins: evaluated.map(({ symbol, evaluation: { alpha, confidence }, ref_price, features_hash }) => ({
        symbol,
        alpha: renderDecimal(alpha, 1),
        confidence,
        ref_price,
        features_hash,
        signal_seq: seq_by_symbol.get(symbol) ?? null,
      })),
      missing: UNIVERSE_10.filter((symbol) => !known.has(symbol)),
      ...link,
    }),
  };
  return [...signals, evaluation];
}

/**
 * Evaluates every coin at the newest close, and writes what it finds before anybody is shown it: all of it or nothing.
 * Does nothing when that close was evaluated before, or when it is too long ago.
 * @throws NodeError or Error when no coin has its bars.
 */
export async function emitSignals(context: JobContext): Promise<void> {
  const { now_ms } = context;
  const bar_close_at_ms = getLastClose(now_ms);
  const [latest] = await readRecentEvaluations(context, 1);
  if (now_ms - bar_close_at_ms > BAR_AGE_MAX_MS || (latest?.bar_close_at_ms ?? 0) >= bar_close_at_ms) return;
  const coins = await fetchModelInputs(context);
  if (coins.length === 0) throw new Error(`no four-hour bars up to ${renderTime(bar_close_at_ms)}`);
  const recent = await readRecentSignals(context, { since_ms: now_ms - LOOK_BACK_MS, limit: SIGNALS_LOOKED_AT });
  await context.records.appendAll(createDrafts({ coins, bar_close_at_ms, now_ms, recent }));
}
