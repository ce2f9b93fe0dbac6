import { type Draft, missing } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { type DailyPoint, getObservedAt } from "intel-node/series/daily-series";
import { type CrossSeries, correlateAll } from "./cross-asset.ts";
import type { CorrelationInputs } from "./fetch.ts";
import type { CorrelationData } from "./schema.ts";

const COINS = ["BTC", "ETH"];
const DAYS = 90;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Bitcoin with other markets, over the last 90 days both have; in full, Ethereum's and those among each other too. Of
 * an own list every pair.
 */
export function correlateMacro(
  { series, macro, own }: CorrelationInputs,
  { whole, warnings }: { readonly whole: boolean; readonly warnings: string[] },
): Draft<CorrelationData["macro"]> {
  const known = macro.flatMap((one) => one.series ?? []);
  if (known.length === 0) {
    // Nothing was looked for where the inputs are those of a preview.
    return macro.length === 0 ? null : missing("no recent history of another market is stored");
  }
  for (const one of macro) if (!one.series) warnings.push(`macro: ${one.id} is left out, no recent history is stored`);
  for (const { instrument, cut_before } of known) {
    if (cut_before === undefined) continue;
    const what = "the price jumped on it as a split makes it";
    warnings.push(`macro: closes of ${instrument.id} before ${cut_before} are left out, ${what}`);
  }
  const markets = known.map(({ instrument, points }): CrossSeries => {
    const observedAt = (date: string): number => getObservedAt(instrument, date);
    return { id: instrument.id, move: instrument.move, points, observedAt };
  });
  const coins = series
    .filter(({ symbol }) => own !== undefined || COINS.includes(symbol))
    .map(({ symbol, bars }): CrossSeries => {
      const points = bars.map(({ t_ms, close }): DailyPoint => [dayOf(t_ms), close]);
      return { id: symbol, move: "log", points, observedAt: (date) => Date.parse(date) + DAY_MS };
    });
  const cells = correlateAll(whole || own ? [...coins, ...markets] : coins.slice(0, 1), [...coins, ...markets], DAYS);
  for (const { a, b, null_reason } of cells) if (null_reason) warnings.push(`macro: ${a} and ${b}, ${null_reason}`);
  return cells.map((cell) => ({ ...cell }));
}
