import type { Bar } from "intel-node/providers/bars";
import {
  computeBollinger,
  computeEMA,
  computeMACD,
  computePriorExtremes,
  computeRSI,
  computeSMA,
} from "intel-node/quant/indicators";

/** What a rule reads of a bar; volumes are not used. */
export type PriceBar = Pick<Bar, "open" | "high" | "low" | "close">;

/** One target weight per bar, 0 to 1, decided on that bar's close; 0 where there are too few bars to decide. */
export type Targets = readonly number[];

export interface Strategy {
  readonly id: string;
  /** The rule in one line, for answers. */
  readonly rule: string;
  readonly symbols: readonly string[];
  /** Trades only when the weight held is further than this from its target (or the target is 0). */
  readonly drift_max: number;
  /** Targets by symbol. Those up to a bar depend on nothing after it. */
  readonly decide: (series: readonly (readonly PriceBar[])[]) => readonly Targets[];
}

type Reading = number | null | undefined;

const isAbove = (a: Reading, b: Reading): boolean =>
  typeof a === "number" && typeof b === "number" && a - b > Math.abs(b) * EQUAL_RATIO;

/** An average of equal prices is off in its last digits; that is not a signal. */
const EQUAL_RATIO = 1e-12;

const VOLATILITY_TARGET = 0.4;
const VOLATILITY_RETURNS = 30;
const MOMENTUM_DAYS = 90;
const DAYS_PER_YEAR = 365;

const closesOf = (bars: readonly PriceBar[]): number[] => bars.map(({ close }) => close);

/** A rule that looks at one asset. */
const single =
  (decide: (bars: readonly PriceBar[], closes: readonly number[]) => Targets): Strategy["decide"] =>
  ([bars = []]) => [decide(bars, closesOf(bars))];

/** In or out by one condition on each bar. */
const inWhile = (bars: readonly PriceBar[], isIn: (index: number) => boolean): Targets =>
  bars.map((_, index) => (isIn(index) ? 1 : 0));

/** In from one event to another; out at the first bar. */
function between(
  bars: readonly PriceBar[],
  { enters, leaves }: { enters: (index: number) => boolean; leaves: (index: number) => boolean },
): Targets {
  let held = false;
  return bars.map((_, index) => {
    held = held ? !leaves(index) : enters(index);
    return held ? 1 : 0;
  });
}

/** Return over 90 days, a fraction; null before there are as many. */
const getMomentum = (closes: readonly number[], index: number): number | null => {
  const [now, before] = [closes[index], closes[index - MOMENTUM_DAYS]];
  return now === undefined || before === undefined ? null : now / before - 1;
};

/** Realised volatility of the last 30 log returns, a fraction per year; null before there are as many. */
function getVolatility(closes: readonly number[], index: number): number | null {
  if (index < VOLATILITY_RETURNS) return null;
  const returns: number[] = [];
  for (let at = index - VOLATILITY_RETURNS + 1; at <= index; at += 1) {
    returns.push(Math.log((closes[at] ?? Number.NaN) / (closes[at - 1] ?? Number.NaN)));
  }
  const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
  const squares = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return Math.sqrt((squares / (returns.length - 1)) * DAYS_PER_YEAR);
}

function sizeByVolatility(closes: readonly number[], index: number): number {
  if (!isAbove(getMomentum(closes, index), 0)) return 0;
  const volatility = getVolatility(closes, index);
  if (volatility === null) return 0;
  return volatility <= VOLATILITY_TARGET ? 1 : VOLATILITY_TARGET / volatility;
}

/** The asset that rose most over 90 days, when it rose; equal ones: the first. */
function followStrongest(series: readonly (readonly PriceBar[])[]): readonly Targets[] {
  const closes = series.map(closesOf);
  const [first = []] = closes;
  const chosen = first.map((_, index) => {
    const momenta = closes.map((one) => getMomentum(one, index));
    if (momenta.some((one) => one === null)) return -1;
    const most = Math.max(...momenta.map((one) => one ?? Number.NaN));
    return most > 0 ? momenta.indexOf(most) : -1;
  });
  return closes.map((_, asset) => chosen.map((one) => (one === asset ? 1 : 0)));
}

export const DEFAULT_SYMBOL = "BTC";
/** A rule of one coin: which one is the caller's choice. */
const ONE_COIN = { symbols: [DEFAULT_SYMBOL], drift_max: 0 } as const;

const HOLD: Strategy = {
  ...ONE_COIN,
  id: "buy_hold",
  rule: "always in",
  decide: single((bars) => bars.map(() => 1)),
};

/** Rules that are in while a condition holds. */
const FOLLOWING: readonly Strategy[] = [
  {
    ...ONE_COIN,
    id: "price_sma_200",
    rule: "in while close > 200-day average",
    decide: single((bars, closes) => {
      const average = computeSMA(closes, 200);
      return inWhile(bars, (index) => isAbove(closes[index], average[index]));
    }),
  },
  {
    ...ONE_COIN,
    id: "sma_cross_50_200",
    rule: "in while 50-day average > 200-day average",
    decide: single((bars, closes) => {
      const [fast, slow] = [computeSMA(closes, 50), computeSMA(closes, 200)];
      return inWhile(bars, (index) => isAbove(fast[index], slow[index]));
    }),
  },
  {
    ...ONE_COIN,
    id: "ema_cross_12_26",
    rule: "in while 12-day exponential average > 26-day exponential average",
    decide: single((bars, closes) => {
      const [fast, slow] = [computeEMA(closes, 12), computeEMA(closes, 26)];
      return inWhile(bars, (index) => isAbove(fast[index], slow[index]));
    }),
  },
  {
    ...ONE_COIN,
    id: "macd_12_26_9",
    rule: "in while MACD(12, 26) > its 9-day signal",
    decide: single((bars, closes) => {
      const lines = computeMACD(closes);
      // Differences of prices: what counts as equal goes by the price, not by the difference.
      return inWhile(bars, (index) => (lines[index]?.histogram ?? 0) > (closes[index] ?? 0) * EQUAL_RATIO);
    }),
  },
  {
    ...ONE_COIN,
    id: "tsmom_90",
    rule: "in while close > close 90 days before",
    decide: single((bars, closes) => inWhile(bars, (index) => isAbove(getMomentum(closes, index), 0))),
  },
  {
    ...ONE_COIN,
    id: "vol_target_tsmom",
    rule: "as tsmom_90, weight min(1, 0.40 / 30-day volatility); rebalanced when more than 0.10 off",
    drift_max: 0.1,
    decide: single((bars, closes) => bars.map((_, index) => sizeByVolatility(closes, index))),
  },
];

/** Rules that enter at one event and leave at another. */
const EVENTS: readonly Strategy[] = [
  {
    ...ONE_COIN,
    id: "donchian_20_10",
    rule: "in from a close above the prior 20 days' high to a close below the prior 10 days' low",
    decide: single((bars, closes) => {
      const [entry, exit] = [computePriorExtremes(bars, 20), computePriorExtremes(bars, 10)];
      return between(bars, {
        enters: (index) => isAbove(closes[index], entry[index]?.highest),
        leaves: (index) => isAbove(exit[index]?.lowest, closes[index]),
      });
    }),
  },
  {
    ...ONE_COIN,
    id: "rsi_reversion_14",
    rule: "in from RSI(14) < 30 to RSI(14) > 55",
    decide: single((bars, closes) => {
      const strength = computeRSI(closes, 14);
      return between(bars, {
        enters: (index) => isAbove(30, strength[index]),
        leaves: (index) => isAbove(strength[index], 55),
      });
    }),
  },
  {
    ...ONE_COIN,
    id: "bollinger_reversion_20_2",
    rule: "in from a close below the lower Bollinger band (20, 2) to a close at or above the middle",
    decide: single((bars, closes) => {
      const bands = computeBollinger(closes);
      return between(bars, {
        enters: (index) => isAbove(bands[index]?.lower, closes[index]),
        leaves: (index) => !isAbove(bands[index]?.middle, closes[index]),
      });
    }),
  },
];

const ROTATION: Strategy = {
  id: "dual_momentum_btc_eth",
  rule: "the one of BTC and ETH with the larger 90-day return, if above 0; otherwise cash",
  symbols: ["BTC", "ETH"],
  drift_max: 0,
  decide: followStrongest,
};

/** All rules there are; an answer names how many, because the best of many looks better than it is. */
export const STRATEGIES: readonly Strategy[] = [HOLD, ...FOLLOWING, ...EVENTS, ROTATION];

export const STRATEGY_IDS: readonly string[] = STRATEGIES.map(({ id }) => id);

/**
 * A rule, and the coin it trades where it trades one.
 * @throws RangeError for an id that is not in STRATEGY_IDS.
 */
export function getStrategy(id: string, symbol: string = DEFAULT_SYMBOL): Strategy {
  const strategy = STRATEGIES.find((one) => one.id === id);
  if (!strategy) throw new RangeError(`no strategy "${id}"`);
  return isOfOneCoin(strategy) ? { ...strategy, symbols: [symbol] } : strategy;
}

/** Whether a rule trades whichever coin it is given. */
export const isOfOneCoin = ({ symbols }: Strategy): boolean => symbols.length === 1;
