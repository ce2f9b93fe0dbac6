import type { JobContext } from "intel-node";
import { updateManyBars, type WantedSeries } from "intel-node/series/update-bars";

/**
 * Brings series up to date. Those of `optional` symbols may be missing: not every venue lists them.
 * @throws Error naming the symbols that failed.
 */
export async function runCandles(
  context: JobContext,
  wanted: readonly WantedSeries[],
  optional: readonly string[] = [],
): Promise<void> {
  const outcomes = await updateManyBars(context, wanted);
  const failed = outcomes.flatMap((outcome, index) => {
    const one = wanted[index];
    return outcome.ok || !one || optional.includes(one.symbol) ? [] : [{ ...one, error: outcome.error }];
  });
  const [first] = failed;
  if (!first) return;
  const names = failed.map(({ symbol, reach }) => (reach === "long" ? `${symbol} (long)` : symbol));
  throw new Error(`no ${first.interval} bars of ${names.join(", ")}`, { cause: first.error });
}
