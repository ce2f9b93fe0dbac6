import { type Computed, type Draft, missing, missingIn, NodeError, renderTime } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { correlateDirections, getDirection, getOLSBeta } from "intel-node/quant/correlation";
import {
  analyseCorrelations,
  type CorrelationAnalysis,
  type NullableMatrix,
  type SeriesPair,
} from "intel-node/quant/correlation-analysis";
import { getObservedAt } from "intel-node/series/daily-series";
import { describeMissingBars } from "intel-node/series/missing-bars";
import {
  type AlignedReturns,
  alignReturns,
  getLastCommonDay,
  sliceReturns,
  withoutLastDay,
} from "../returns/aligned-returns.ts";
import { COINS_MIN, type CorrelationInputs, OWN_MIN } from "./fetch.ts";
import { correlateMacro } from "./macro-cells.ts";
import type { OwnList } from "./own-list.ts";
import { computePortfolio } from "./portfolio.ts";
import type { CorrelationData, CorrelationWindow } from "./schema.ts";

const SHORT_DAYS = 30;
const LONG_DAYS = 90;
/** The last 30 days, the 90 before them, and what is needed to judge whether a coin is complete. */
const DAYS = 180;
/** A window with a smaller share of its days says too little to be sold. */
const DAYS_RATIO_MIN = 2 / 3;
const SIGNIFICANCE = 0.05;
const EXTREMES = 3;
/** Significant pairs of a window that a summary shows; all moved together, they are 45. */
const PAIRS_SHOWN = 5;

const dayOf = (at_ms: number): string => renderTime(at_ms).slice(0, 10);

interface Window {
  readonly days: number;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly aligned: AlignedReturns;
}

/** @throws NodeError when too many of the days are missing. */
function cutWindow(all: AlignedReturns, days: number, to_ms: number): Window {
  const from_ms = to_ms - (days - 1) * DAY_MS;
  const aligned = sliceReturns(all, from_ms, to_ms);
  if (aligned.days_ms.length < days * DAYS_RATIO_MIN) {
    const message = `Only ${aligned.days_ms.length} of ${days} days are there for all coins. Nothing was charged.`;
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 600 });
  }
  return { days, from_ms, to_ms, aligned };
}

function describePair({ i, j, pearson }: SeriesPair, symbols: readonly string[]) {
  return { a: symbols[i] ?? "", b: symbols[j] ?? "", pearson };
}

const listSignificant = ({ pairs }: CorrelationAnalysis): SeriesPair[] =>
  pairs.filter(({ p_holm }) => p_holm <= SIGNIFICANCE);

/** What a summary leaves out. */
const WITHOUT_MATRICES = {
  pearson_p: null,
  ci_lo: null,
  ci_hi: null,
  spearman: null,
  spearman_p: null,
  shrunk: null,
} as const;
const WITH_FULL = "it comes with detail=full";

/** A window as it is sold; a summary has `pearson` alone of its matrices, and the strongest pairs. */
function describeWindow(window: Window, analysis: CorrelationAnalysis, whole: boolean): Draft<CorrelationWindow> {
  const { symbols } = window.aligned;
  const { pearson, shrinkage, mean_corr, pc1_share } = analysis;
  const strongest = listSignificant(analysis).sort((a, b) => Math.abs(b.pearson) - Math.abs(a.pearson));
  const still = symbols.map((symbol, i) => (pearson[i]?.[i] === null ? symbol : null));
  // A coin that did not move has no correlation, in its row and its column.
  const explain = (matrix: NullableMatrix): Draft<(number | null)[][]> =>
    matrix.map((row, i) =>
      row.map((value, j) => {
        const symbol = still[i] ?? still[j] ?? null;
        return value === null && symbol !== null ? missing(`${symbol} did not move`) : value;
      }),
    );
  return {
    days: window.days,
    from: dayOf(window.from_ms),
    to: dayOf(window.to_ms),
    n: analysis.n,
    pearson: explain(pearson),
    ...(whole
      ? {
          pearson_p: explain(analysis.pearson_p),
          ci_lo: explain(analysis.ci_lo),
          ci_hi: explain(analysis.ci_hi),
          spearman: explain(analysis.spearman),
          spearman_p: explain(analysis.spearman_p),
          shrunk: explain(analysis.shrunk),
        }
      : missingIn(WITHOUT_MATRICES, WITH_FULL)),
    ...missingIn({ shrinkage, mean_corr, pc1_share }, "fewer than two coins moved"),
    significant_pairs: (whole ? strongest : strongest.slice(0, PAIRS_SHOWN)).map((pair) => ({
      ...describePair(pair, symbols),
      p_holm: pair.p_holm,
    })),
  };
}

/** pearson of one window less that of an earlier one. */
function getChange(now: CorrelationAnalysis, before: AlignedReturns): Draft<(number | null)[][]> {
  const directions = before.returns.map(getDirection);
  return now.pearson.map((row, i) =>
    row.map((value, j) => {
      const [x, y] = [directions[i], directions[j]];
      const earlier = x && y ? correlateDirections(x, y) : null;
      if (value === null || earlier === null)
        return missing("a coin of the pair did not move in one of the two periods");
      return i === j ? 0 : value - earlier;
    }),
  );
}

function getBetas({ symbols, returns }: AlignedReturns): Draft<Record<string, number | null> | null> {
  const bitcoin = returns[symbols.indexOf("BTC")];
  if (!bitcoin) return missing("needs complete daily bars of Bitcoin");
  return Object.fromEntries(
    symbols.map((symbol, index) => {
      const beta = getOLSBeta(bitcoin, returns[index] ?? []);
      return [symbol, beta ?? missing("Bitcoin did not move")];
    }),
  );
}

/**
 * Correlations of daily log returns over 30 and 90 days, with tests that separate pattern from chance.
 * @throws NodeError upstream_unavailable when fewer than four coins or too few days are complete.
 */
export function computeCorrelations(
  inputs: CorrelationInputs,
  { detail = "full" }: { readonly detail?: "summary" | "full" } = {},
): Computed<Draft<CorrelationData>> {
  const { series, own } = inputs;
  const warnings = describeMissingBars("symbols", "daily bars", inputs.missing);
  if (own && series.length < OWN_MIN) return computeMarkets(inputs, own, warnings);
  const last_ms = getLastCommonDay(series);
  const aligned = alignReturns(series, DAYS, last_ms ?? 0);
  for (const symbol of aligned.dropped)
    warnings.push(`symbols: ${symbol} is left out, it lacks more than 5 % of the days`);
  const coins_min = own ? OWN_MIN : COINS_MIN;
  if (last_ms === null || aligned.symbols.length < coins_min) {
    const message = `Fewer than ${coins_min} coins have complete daily bars. Nothing was charged.`;
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 600 });
  }
  const { symbols } = aligned;
  const short = cutWindow(aligned, SHORT_DAYS, last_ms);
  const long = cutWindow(aligned, LONG_DAYS, last_ms);
  const before = cutWindow(aligned, LONG_DAYS, last_ms - SHORT_DAYS * DAY_MS);
  for (const {
    days,
    aligned: { days_ms },
  } of [short, long]) {
    const lacking = days - days_ms.length;
    if (lacking > 0) warnings.push(`windows: ${lacking} of ${days} days are left out, a coin lacks them`);
  }
  const analysis = analyseCorrelations(short.aligned.returns);
  const ordered = [...analysis.pairs].sort((a, b) => b.pearson - a.pearson);
  const whole = detail === "full";
  const analyses = [
    [short, analysis],
    [long, analyseCorrelations(long.aligned.returns)],
  ] as const;
  if (!whole && analyses.some(([, one]) => listSignificant(one).length > PAIRS_SHOWN)) {
    warnings.push(`windows: significant_pairs beyond the strongest ${PAIRS_SHOWN} come with detail=full`);
  }
  return {
    as_of_ms: last_ms + DAY_MS,
    data: {
      symbols: [...symbols],
      windows: analyses.map(([window, one]) => describeWindow(window, one, whole)),
      change: whole ? getChange(analysis, before.aligned) : missing(WITH_FULL),
      beta_to_btc: getBetas(long.aligned),
      macro: correlateMacro(inputs, { whole, warnings }),
      portfolio: own ? computePortfolio(inputs, own, warnings) : null,
      extremes: {
        highest: ordered.slice(0, EXTREMES).map((pair) => describePair(pair, symbols)),
        lowest: ordered
          .slice(-EXTREMES)
          .reverse()
          .map((pair) => describePair(pair, symbols)),
      },
    },
    warnings,
  };
}

/** Of an own list with fewer than two coins: pairs with other markets alone. */
function computeMarkets(inputs: CorrelationInputs, own: OwnList, warnings: string[]): Computed<Draft<CorrelationData>> {
  const days_ms = inputs.macro.flatMap(({ series }) => {
    const last = series?.points.at(-1);
    return series && last ? [getObservedAt(series.instrument, last[0])] : [];
  });
  const coins_ms = inputs.series.flatMap(({ bars }) => (bars.at(-1)?.t_ms ?? 0) + DAY_MS);
  const few = "fewer than two coins are named";
  warnings.push(`windows: ${few}`);
  return {
    as_of_ms: Math.max(...days_ms, ...coins_ms),
    data: {
      symbols: inputs.series.map(({ symbol }) => symbol),
      windows: [],
      ...missingIn({ change: null, beta_to_btc: null, extremes: null }, few),
      macro: correlateMacro(inputs, { whole: true, warnings }),
      portfolio: computePortfolio(inputs, own, warnings),
    },
    warnings,
  };
}

/** The same as of one day earlier. */
export const rewindCorrelations = ({ series, missing }: CorrelationInputs): CorrelationInputs => ({
  series: withoutLastDay(series),
  missing,
  // The preview shows coins alone.
  macro: [],
});

const SHOWN = ["BTC", "ETH", "SOL"];

/** The 30-day correlations of three coins; the rest is withheld. */
export function redactCorrelations(data: CorrelationData): CorrelationData {
  const [window] = data.windows;
  const places = SHOWN.flatMap((symbol) => (data.symbols.includes(symbol) ? [data.symbols.indexOf(symbol)] : []));
  const kept = places.length >= SHOWN.length ? places : [0, 1, 2];
  const nothing = {
    ...WITHOUT_MATRICES,
    shrinkage: null,
    mean_corr: null,
    pc1_share: null,
    significant_pairs: null,
  };
  const pearson = window?.pearson ? kept.map((i) => kept.map((j) => window.pearson?.[i]?.[j] ?? null)) : null;
  return {
    symbols: kept.map((index) => data.symbols[index] ?? ""),
    windows: window ? [{ ...window, ...nothing, pearson }] : [],
    change: null,
    beta_to_btc: null,
    macro: null,
    portfolio: null,
    extremes: null,
  };
}
