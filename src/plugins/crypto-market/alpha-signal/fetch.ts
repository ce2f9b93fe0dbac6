import type { FetchContext } from "intel-node";
import { INTERVALS_MS } from "intel-node/providers/bars";
import { computeATR } from "intel-node/quant/indicators";
import type { BarSeries } from "intel-node/series/bar-series";
import { loadManyBars } from "intel-node/series/load-bars";
import { readHistory } from "../signals/history.ts";
import { BARS_MIN, BARS_WANTED, MODEL_ID } from "../signals/model.ts";
import { assertOpen, findFirstEvaluation } from "../signals/opening.ts";
import type { Graded } from "../signals/performance.ts";
import { listActive, readSignalInputs, rewindSignals, type SignalInputs } from "../signals/view.ts";

export interface AlphaInputs extends SignalInputs {
  /** Graded signals of the present model. */
  readonly graded: readonly Graded[];
  /** Average true range of 14 four-hour bars when a bar closed, US dollars, by "<symbol> <close>". */
  readonly ranges: ReadonlyMap<string, number>;
}

export const keyOfRange = (symbol: string, bar_close_at_ms: number): string => `${symbol} ${bar_close_at_ms}`;

function* listRanges({ symbol, bars, interval }: BarSeries): Iterable<[string, number]> {
  for (const [index, range] of computeATR(bars).entries()) {
    const bar = bars[index];
    if (bar && range !== null) yield [keyOfRange(symbol, bar.t_ms + INTERVALS_MS[interval]), range];
  }
}

/**
 * The ledger as it is, and the bars of the coins it has active signals of.
 * @throws NodeError no_history before the first evaluation.
 */
export async function fetchAlpha(context: FetchContext): Promise<AlphaInputs> {
  assertOpen(await findFirstEvaluation(context), { what: "The first evaluation is made", now_ms: context.now_ms });
  const inputs = await readSignalInputs(context);
  const { entries } = await readHistory(context);
  const graded = entries.flatMap((one) => (one.graded && one.model_id === MODEL_ID ? [one.graded] : []));
  const symbols = [...new Set(listActive(inputs.now).map(({ record }) => record.symbol))];
  const series = await loadManyBars(
    context,
    symbols.map((symbol) => ({
      symbol,
      interval: "4h" as const,
      count: BARS_WANTED,
      count_min: BARS_MIN,
      grace: true,
    })),
  );
  const ranges = new Map(series.flatMap((one) => (one.ok ? [...listRanges(one.value)] : [])));
  return { ...inputs, graded, ranges };
}

export function rewindAlpha(inputs: AlphaInputs): AlphaInputs | null {
  const earlier = rewindSignals(inputs);
  return earlier && { ...inputs, ...earlier };
}
