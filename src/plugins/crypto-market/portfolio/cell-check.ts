import { type FetchContext, getOwn, type History } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { type BarSeries, readStoredWindow } from "intel-node/series/bar-series";
import { HISTORICAL_SCENARIOS } from "./historical-scenarios.ts";

/** Venues differ by less than this many percentage points even on the wildest days. */
const POINTS_MAX = 1.5;
const CHECKED = ["BTC", "ETH"];

/** Scenarios whose figure of this coin is not what the series' own closes say, in words. */
export function findCellFaults({ symbol, provider, bars }: Pick<BarSeries, "symbol" | "provider" | "bars">): string[] {
  const closes = new Map(bars.map(({ t_ms, close }) => [t_ms, close]));
  return HISTORICAL_SCENARIOS.flatMap(({ id, from, to, shocks_pct }) => {
    const [cell, before, after] = [
      getOwn(shocks_pct, symbol),
      closes.get(Date.parse(from)),
      closes.get(Date.parse(to)),
    ];
    if (cell === undefined || before === undefined || after === undefined || from === to) return [];
    const own = 100 * (after / before - 1);
    if (Math.abs(own - cell) <= POINTS_MAX) return [];
    return [`scenarios.${id}: ${symbol} ${cell} % in the table, ${own.toFixed(1)} % by the closes of ${provider}`];
  });
}

interface Checked {
  readonly day: number;
  readonly faults: readonly string[];
}

const checked_by_history = new WeakMap<History, Checked>();

/**
 * Compares the table's figures of Bitcoin and Ether with the node's own years of daily bars, once a day. Empty while
 * none are stored, and in the sandbox, whose past is invented.
 */
export async function readCellFaults(
  context: Pick<FetchContext, "history" | "now_ms" | "usable" | "simulated">,
): Promise<readonly string[]> {
  if (context.simulated === true) return [];
  const day = Math.floor(context.now_ms / DAY_MS);
  const known = checked_by_history.get(context.history);
  if (known?.day === day) return known.faults;
  const stored = await Promise.all(
    CHECKED.map((symbol) => readStoredWindow(context, { symbol, interval: "1d", reach: "long" })),
  );
  const windows = stored.flatMap((window) => window ?? []);
  const faults = windows.flatMap(findCellFaults);
  if (windows.length === CHECKED.length) checked_by_history.set(context.history, { day, faults });
  return faults;
}
