import type { Static } from "@sinclair/typebox";
import { type Computed, NodeError, renderTime } from "intel-node";
import { type Bar, DAY_MS } from "intel-node/providers/bars";
import type { BarSeries } from "intel-node/series/bar-series";
import { LRUCache } from "lru-cache";
import { type BacktestRun, COSTS, runEngine, type Trade, WARMUP_BARS } from "./engine.ts";
import type { BacktestInputs } from "./fetch.ts";
import { computeMetrics, type Metrics } from "./metrics.ts";
import {
  type BacktestData,
  type BacktestParams,
  type ClosedTrade,
  CURVE_POINTS,
  DAYS,
  type EquityCurvePoint,
  type MetricsData,
  TRADES,
} from "./schema.ts";
import { DEFAULT_SYMBOL, getStrategy, STRATEGIES, type Strategy } from "./strategies.ts";

type Params = Static<typeof BacktestParams>;

const NOTE =
  `${STRATEGIES.length} rules are offered: the best of them looks better than it is (selection bias), and the ` +
  "deflated Sharpe ratio is not computed. Past prices say little about later ones.";

const dateOf = (t_ms: number): string => renderTime(t_ms).slice(0, 10);
const toPercent = (ratio: number): number => ratio * 100;
/** The same days of every series, oldest first: they end with the day all of them have, and start likewise. */
function alignSeries(series: readonly BarSeries[]): readonly (readonly Bar[])[] {
  const from_ms = Math.max(...series.map(({ bars }) => bars[0]?.t_ms ?? Number.NaN));
  const to_ms = Math.min(...series.map(({ bars }) => bars.at(-1)?.t_ms ?? Number.NaN));
  return series.map(({ bars }) => bars.filter(({ t_ms }) => t_ms >= from_ms && t_ms <= to_ms));
}

const isPrice = (value: number): boolean => value > 0 && Number.isFinite(value);

/** Rules count bars, so that a missing day would make them rules over other days. */
const isWhole = (bars: readonly Bar[], first_ms: number): boolean =>
  bars.every(
    ({ t_ms, open, high, low, close }, index) =>
      t_ms === first_ms + index * DAY_MS && isPrice(open) && isPrice(high) && isPrice(low) && isPrice(close),
  );

interface Window {
  readonly series: readonly (readonly Bar[])[];
  /** Opening times of the days that count. */
  readonly days_ms: readonly number[];
}

/**
 * The newest days and the warm-up before them.
 * @throws NodeError as computeBacktest.
 */
function cutWindow(series: readonly BarSeries[], days: number): Window {
  const cut = alignSeries(series).map((bars) => bars.slice(-(days + WARMUP_BARS)));
  const days_ms = (cut[0] ?? []).slice(WARMUP_BARS).map(({ t_ms }) => t_ms);
  if (days_ms.length < DAYS.min) {
    const message = `Only ${days_ms.length} of at least ${DAYS.min} days could be read. Nothing was charged.`;
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 60 });
  }
  const first_ms = cut[0]?.[0]?.t_ms ?? Number.NaN;
  if (!cut.every((bars) => isWhole(bars, first_ms))) {
    const message = "The daily bars have a gap or a price that is not above 0. Nothing was charged.";
    throw new NodeError("upstream_bad_response", message, { retry_after_s: 60 });
  }
  return { series: cut, days_ms };
}

function describeMetrics(metrics: Metrics, days_ms: readonly number[]): MetricsData {
  const { peak, trough, ratio } = metrics.max_drawdown;
  const dayOf = (index: number | null) => (index === null || index < 0 ? null : dateOf(days_ms[index] ?? Number.NaN));
  return {
    final_equity_usd: metrics.final_equity_usd,
    total_return_pct: toPercent(metrics.total_return),
    cagr_pct: toPercent(metrics.cagr),
    volatility_pct: toPercent(metrics.volatility),
    sharpe: metrics.sharpe,
    sortino: metrics.sortino,
    max_drawdown_pct: toPercent(ratio),
    max_drawdown_from: dayOf(peak),
    max_drawdown_to: dayOf(trough),
    calmar: metrics.calmar,
    exposure_frac: metrics.exposure,
    trades: metrics.trades,
    win_rate_frac: metrics.win_rate,
    profit_factor: metrics.profit_factor,
    turnover: metrics.turnover,
    fees_paid_usd: metrics.fees_usd,
    psr: metrics.psr,
  };
}

/** The first and the last index, and others evenly between them. */
export function thin(length: number, points_max: number): number[] {
  if (length <= points_max) return Array.from({ length }, (_, index) => index);
  return Array.from({ length: points_max }, (_, point) => Math.round((point * (length - 1)) / (points_max - 1)));
}

function describeCurve(run: BacktestRun, benchmark: BacktestRun, days_ms: readonly number[]): EquityCurvePoint[] {
  return days_ms.map((day_ms, index) => ({
    date: dateOf(day_ms),
    equity: run.equity[index] ?? Number.NaN,
    benchmark: benchmark.equity[index] ?? Number.NaN,
    weight: Math.min(1, run.weights[index] ?? Number.NaN),
  }));
}

/** Engine indices count the warm-up too. */
const openingOf = (days_ms: readonly number[], index: number): string =>
  renderTime(days_ms[index - WARMUP_BARS] ?? Number.NaN);

const describeHeld = (trade: Trade, strategy: Strategy, days_ms: readonly number[]) => ({
  symbol: strategy.symbols[trade.asset] ?? "",
  entry_at: openingOf(days_ms, trade.entry),
  entry_price: trade.entry_price,
  return_pct: toPercent(trade.return_ratio),
});

function describeTrades(run: BacktestRun, strategy: Strategy, days_ms: readonly number[]) {
  const trades_list = run.trades.flatMap((trade) => {
    const { exit, exit_price } = trade;
    if (exit === null || exit_price === null) return [];
    const held = describeHeld(trade, strategy, days_ms);
    const ended = { exit_at: openingOf(days_ms, exit), exit_price };
    return [{ ...held, ...ended, bars: exit - trade.entry }];
  });
  const { open_trade } = run;
  if (!open_trade) return { trades_list, open_trade: null };
  const bars = WARMUP_BARS + days_ms.length - open_trade.entry;
  return { trades_list, open_trade: { ...describeHeld(open_trade, strategy, days_ms), bars } };
}

function computeAnew(window: Window, strategy: Strategy, price_source: string): Whole {
  const { series, days_ms } = window;
  const runOf = (one: Strategy): BacktestRun => {
    const used = series.slice(0, one.symbols.length);
    const targets = one.decide(used);
    return runEngine({ series: used, targets, drift_max: one.drift_max, first: WARMUP_BARS });
  };
  const [symbol = DEFAULT_SYMBOL] = strategy.symbols;
  const [run, held] = [runOf(strategy), runOf(getStrategy("buy_hold", symbol))];
  const [metrics, benchmark] = [computeMetrics(run), computeMetrics(held)];
  return {
    strategy: strategy.id,
    symbol,
    rule: strategy.rule,
    days: days_ms.length,
    from: dateOf(days_ms[0] ?? Number.NaN),
    to: dateOf(days_ms.at(-1) ?? Number.NaN),
    metrics: describeMetrics(metrics, days_ms),
    benchmark: describeMetrics(benchmark, days_ms),
    excess_return_pct: toPercent(metrics.total_return - benchmark.total_return),
    equity_curve: describeCurve(run, held, days_ms),
    ...describeTrades(run, strategy, days_ms),
    costs: { ...COSTS },
    price_source,
    rules_tried: STRATEGIES.length,
    note: NOTE,
    no_lookahead: true,
  };
}

/** With every day of the curve and every trade; what is sold is cut from it. */
type Whole = BacktestData & { readonly equity_curve: EquityCurvePoint[]; readonly trades_list: ClosedTrade[] };

const KEPT_MAX = 64;
const kept = new LRUCache<string, Whole>({ max: KEPT_MAX });

/** Equal for equal prices: a provider that corrects its past gets a new computation. */
function fingerprint({ series }: Window): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const bars of series) {
    hash.update(new Float64Array(bars.flatMap(({ t_ms, open, high, low, close }) => [t_ms, open, high, low, close])));
  }
  return hash.digest("hex");
}

/**
 * A rule's backtest and that of buying and holding. The same rule over the same bars is computed once.
 * @throws NodeError upstream_unavailable when there are too few days, upstream_bad_response when one is missing.
 */
export function computeBacktest(
  { series }: BacktestInputs,
  { params }: { readonly params: Params },
): Computed<BacktestData> {
  const window = cutWindow(series, params.days);
  const price_source = [...new Set(series.map(({ provider }) => provider))].join(", ");
  const strategy = getStrategy(params.strategy, params.symbol);
  const key = `${strategy.id} ${strategy.symbols.join(" ")} ${price_source} ${fingerprint(window)}`;
  const whole = kept.get(key) ?? computeAnew(window, strategy, price_source);
  kept.set(key, whole);
  const { equity_curve: curve, trades_list } = whole;
  const { points = CURVE_POINTS.default, trades = TRADES.default } = params;
  const equity_curve = thin(curve.length, points).flatMap((index) => curve[index] ?? []);
  const data = { ...whole, equity_curve, trades_list: trades_list.slice(Math.max(0, trades_list.length - trades)) };
  const warnings =
    data.days < params.days ? [`days: history is short, so that ${data.days} of ${params.days} days count`] : [];
  return { as_of_ms: (window.days_ms.at(-1) ?? Number.NaN) + DAY_MS, data, warnings };
}

/** Yesterday's view: without the newest bar of any series. */
export const rewindBacktest = ({ series }: BacktestInputs): BacktestInputs => ({
  series: series.map((one) => ({ ...one, bars: one.bars.slice(0, -1) })),
});

/** Metrics only. */
export const redactBacktest = (data: BacktestData): BacktestData => ({
  ...data,
  equity_curve: null,
  trades_list: null,
  open_trade: null,
});
