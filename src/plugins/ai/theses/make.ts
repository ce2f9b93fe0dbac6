import { type Static, Type } from "@sinclair/typebox";
import { hashRecord, type JobContext, outcomeOf, type RecordDraft, renderTime } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { computeATR } from "intel-node/quant/indicators";
import { getRealisedVolatility } from "intel-node/quant/stats";
import { loadBars } from "intel-node/series/load-bars";
import { COINS } from "../council/schema.ts";
import { type BasisData, COST_BPS, HORIZONS_D, MODEL_ID, readThesis, THESES } from "./records.ts";

/** A signal below this has no edge. */
const STRENGTH_MIN = 20;
const VOLATILITY_DAYS = 30;
const RANGE_DAYS = 14;
const RANGES = 2;
const BARS = 120;
const CATALYST_DAYS = 14;
const CATALYSTS = 6;
const BASE_RATE_MIN = 20;

const Maybe = Type.Union([Type.Number(), Type.Null()]);
const Signals = Type.Object({
  signals: Type.Array(
    Type.Object({
      symbol: Type.String(),
      side: Type.Union([Type.Literal("long"), Type.Literal("short")]),
      confidence: Type.Integer(),
      factors: Type.Array(Type.Object({ name: Type.String(), value: Maybe, contribution: Maybe })),
      bucket: Type.Object({ n: Type.Integer(), win_rate: Maybe, lo95: Maybe, hi95: Maybe }),
    }),
  ),
});
type Signal = Static<typeof Signals>["signals"][number];
const Regime = Type.Object({ regime: Type.String() });
const Calendar = Type.Object({
  events: Type.Array(
    Type.Object({
      title: Type.String(),
      country: Type.String(),
      time_utc: Type.String(),
      importance: Type.String(),
    }),
  ),
});

/** A plain decimal of so many figures that count, as records hold them. */
const decimal = (value: number, digits = 10): string => {
  const [whole = "0", rest = ""] = Number(value.toPrecision(digits)).toFixed(8).split(".");
  const trimmed = rest.replace(/0+$/, "");
  return trimmed === "" ? whole : `${whole}.${trimmed}`;
};

export interface Bands {
  readonly z_pct: number;
  readonly minus2: number;
  readonly minus1: number;
  readonly plus1: number;
  readonly plus2: number;
}

/** S exp(k z) for k = -2, -1, 1, 2 with z = sigma sqrt(h / 365): lognormal, without drift. */
export function computeBands(price: number, sigma_pct: number, horizon_d: number): Bands {
  const z_pct = sigma_pct * Math.sqrt(horizon_d / 365);
  const at = (k: number) => price * Math.exp((k * z_pct) / 100);
  return { z_pct, minus2: at(-2), minus1: at(-1), plus1: at(1), plus2: at(2) };
}

/** The surest signal; of equals that of the larger coin. Null when none is sure enough. */
export function pickSignal(signals: readonly Signal[]): Signal | null {
  const rank = ({ symbol }: Signal) => COINS.indexOf(symbol as (typeof COINS)[number]);
  const [first] = signals
    .filter((one) => one.confidence >= STRENGTH_MIN && rank(one) >= 0)
    .toSorted((a, b) => b.confidence - a.confidence || rank(a) - rank(b));
  return first ?? null;
}

async function gatherBasis(context: JobContext, signal: Signal | null, bar_close_at: string): Promise<BasisData> {
  const [regime, calendar] = await Promise.all([
    outcomeOf(context.ask("/regime", {}, Regime)),
    outcomeOf(context.ask("/macro-calendar", { days: CATALYST_DAYS }, Calendar)),
  ]);
  const { n = 0, win_rate = null, lo95 = null, hi95 = null } = signal?.bucket ?? {};
  const is_enough = n >= BASE_RATE_MIN && win_rate !== null && lo95 !== null && hi95 !== null;
  return {
    bar_close_at,
    regime: regime.ok ? regime.value.data.regime : null,
    factors: (signal?.factors ?? []).flatMap(({ name, value, contribution }) =>
      contribution === null
        ? []
        : [{ name, value: value === null ? null : decimal(value, 6), contribution: decimal(contribution, 6) }],
    ),
    base_rate: is_enough ? { n, hit_rate: decimal(win_rate, 6), low: decimal(lo95, 6), high: decimal(hi95, 6) } : null,
    catalysts: calendar.ok
      ? calendar.value.data.events
          .filter(({ importance, time_utc }) => importance === "high" && Date.parse(time_utc) > context.now_ms)
          .slice(0, CATALYSTS)
          .map(({ title, country, time_utc }) => ({ title, country, time_utc }))
      : null,
  };
}

/**
 * Writes the thesis of the day, three records or none, once in twelve hours.
 * @throws NodeError when signals or bars are unavailable: the next run tries again.
 */
export async function makeThesis(context: JobContext): Promise<void> {
  const { now_ms, records } = context;
  const [last] = await records.read(THESES, { limit: 1, newest: true });
  if (last && Date.parse(readThesis(last).record.emitted_at) > now_ms - DAY_MS / 2) return;
  const asked = await context.ask("/alpha-signal", { limit: 100 }, Signals);
  const signal = pickSignal(asked.data.signals);
  const symbol = signal?.symbol ?? "BTC";
  const { bars } = await loadBars(context, { symbol, interval: "1d", count: BARS, count_min: 40, grace: true });
  const closes = bars.map(({ close }) => close);
  const [bar, range, sigma] = [
    bars.at(-1),
    computeATR(bars, RANGE_DAYS).at(-1),
    getRealisedVolatility(closes, VOLATILITY_DAYS),
  ];
  if (!bar || range === null || range === undefined || sigma === null)
    throw new Error(`too few daily bars of ${symbol}`);
  const basis = await gatherBasis(context, signal, renderTime(bar.t_ms + DAY_MS));
  const sign = signal?.side === "short" ? 1 : -1;
  const fixed = {
    v: 1,
    model_id: MODEL_ID,
    thesis_id: `${renderTime(now_ms).slice(0, 10)}:${symbol}`,
    symbol,
    side: signal?.side ?? "none",
    strength: signal?.confidence ?? 0,
    cost_bps: COST_BPS,
    emitted_at: renderTime(Math.floor(now_ms / 1_000) * 1_000),
    ref_price: decimal(bar.close),
    sigma_pct: decimal(100 * sigma, 8),
    basis_hash: hashRecord(basis),
    invalidation_price: signal === null ? null : decimal(bar.close + sign * RANGES * range),
  };
  const drafts = HORIZONS_D.map((horizon_d): RecordDraft => {
    const { minus2, minus1, plus1, plus2 } = computeBands(bar.close, 100 * sigma, horizon_d);
    const bands = {
      minus2: decimal(minus2),
      minus1: decimal(minus1),
      plus1: decimal(plus1),
      plus2: decimal(plus2),
    };
    return {
      chain: THESES,
      beside: basis,
      build: (link) => ({ ...fixed, ...bands, horizon_h: 24 * horizon_d, ...link }),
    };
  });
  await records.appendAll(drafts);
}
