import type { Bar } from "intel-node/providers/bars";

/** Bars on each side that a pivot stands out from. */
const SIDE = 5;
const PIVOT_DAYS = 180;
const LEVELS_MAX = 3;

export interface Level {
  readonly price: number;
  readonly touches: number;
}

/** Prices of the bars whose `read` is strictly beyond that of the five bars on each side, within the last 180 days. */
function findPivots(bars: readonly Bar[], read: (bar: Bar) => number, sign: 1 | -1): number[] {
  const window = bars.slice(-PIVOT_DAYS).map((bar) => sign * read(bar));
  return window.flatMap((value, index) => {
    if (index < SIDE || index >= window.length - SIDE) return [];
    const around = [...window.slice(index - SIDE, index), ...window.slice(index + 1, index + SIDE + 1)];
    return around.every((other) => value > other) ? [sign * value] : [];
  });
}

/** Prices in groups that are no wider than `width`, from the lowest up; a group's price is its mean. */
export function clusterPrices(prices: readonly number[], width: number): Level[] {
  const groups: number[][] = [];
  for (const price of [...prices].sort((a, b) => a - b)) {
    const group = groups.at(-1);
    if (group && price - (group[0] ?? price) <= width) group.push(price);
    else groups.push([price]);
  }
  return groups.map((group) => ({
    price: group.reduce((sum, price) => sum + price, 0) / group.length,
    touches: group.length,
  }));
}

export interface SwingLevels {
  readonly supports: readonly Level[];
  readonly resistances: readonly Level[];
}

/**
 * Swing lows below the price and swing highs above it, clustered within one average true range: the most touched first,
 * among equals the nearer one, three at most each.
 */
export function findLevels(bars: readonly Bar[], { price, atr }: { price: number; atr: number }): SwingLevels {
  const rank = (levels: Level[]) =>
    levels
      .sort((a, b) => b.touches - a.touches || Math.abs(a.price - price) - Math.abs(b.price - price))
      .slice(0, LEVELS_MAX);
  const lows = clusterPrices(
    findPivots(bars, ({ low }) => low, -1),
    atr,
  );
  const highs = clusterPrices(
    findPivots(bars, ({ high }) => high, 1),
    atr,
  );
  return {
    supports: rank(lows.filter((level) => level.price < price)),
    resistances: rank(highs.filter((level) => level.price > price)),
  };
}
