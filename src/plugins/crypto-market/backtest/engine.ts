import type { PriceBar, Targets } from "./strategies.ts";

/** Bars before the first one that counts, so that every rule has made up its mind by then. */
export const WARMUP_BARS = 260;
export const CAPITAL_USD = 10_000;
export const COSTS = { fee_bps: 10, slippage_bps: 5 } as const;

const FEE_RATIO = COSTS.fee_bps / 10_000;
const SLIPPAGE_RATIO = COSTS.slippage_bps / 10_000;
/** Smaller differences are rounding, not orders. */
const ORDER_RATIO_MIN = 1e-9;

export interface EngineInput {
  /** Bars by asset, on the same days, oldest first. */
  readonly series: readonly (readonly PriceBar[])[];
  /** Target weights by asset, one per bar. */
  readonly targets: readonly Targets[];
  readonly drift_max: number;
  /** Index of the first bar that counts; the close before it decides the first order. */
  readonly first: number;
}

/** A round trip in one asset, from the first unit bought to the last one sold. */
export interface Trade {
  /** Index into the series. */
  readonly asset: number;
  readonly entry: number;
  /** Index of the bar at whose open it ended; null while it is open. */
  readonly exit: number | null;
  /** Mean price paid and received per unit, slippage included, fees not; USD. The exit's is null while it is open. */
  readonly entry_price: number;
  readonly exit_price: number | null;
  /** What came in, or would come in at the last close before costs, less what was paid, costs included; USD. */
  readonly profit_usd: number;
  /** profit_usd over all that was paid, a fraction. */
  readonly return_ratio: number;
}

export interface BacktestRun {
  /** At each close from `first` on, USD. */
  readonly equity: readonly number[];
  /** Share of the equity held in the assets at each close. */
  readonly weights: readonly number[];
  /** Closed ones, in order of their end. */
  readonly trades: readonly Trade[];
  readonly open_trade: Trade | null;
  /** Bought and sold, USD. */
  readonly traded_usd: number;
  readonly fees_usd: number;
}

/** One asset's holding, and the round trip it belongs to. */
interface Holding {
  units: number;
  entry: number;
  paid_usd: number;
  received_usd: number;
  bought_units: number;
  bought_usd: number;
  sold_units: number;
  sold_usd: number;
}

interface Book {
  cash: number;
  traded_usd: number;
  fees_usd: number;
  readonly holdings: readonly Holding[];
  readonly trades: Trade[];
}

const createHolding = (): Holding => ({
  units: 0,
  entry: -1,
  paid_usd: 0,
  received_usd: 0,
  bought_units: 0,
  bought_usd: 0,
  sold_units: 0,
  sold_usd: 0,
});

function describeTrade(holding: Holding, at: { asset: number; exit: number | null; value_usd: number }): Trade {
  const profit_usd = holding.received_usd + at.value_usd - holding.paid_usd;
  return {
    asset: at.asset,
    entry: holding.entry,
    exit: at.exit,
    entry_price: holding.bought_usd / holding.bought_units,
    exit_price: at.exit === null ? null : holding.sold_usd / holding.sold_units,
    profit_usd,
    return_ratio: profit_usd / holding.paid_usd,
  };
}

/** Buys for a notional amount, as far as the cash goes: nothing is ever borrowed. */
function buy(book: Book, asset: number, order: { wanted_usd: number; open: number; index: number }): void {
  const holding = book.holdings[asset];
  if (!holding) return;
  const notional = Math.min(order.wanted_usd, book.cash) / (1 + FEE_RATIO);
  if (holding.units === 0) Object.assign(holding, createHolding(), { entry: order.index });
  const units = notional / (order.open * (1 + SLIPPAGE_RATIO));
  holding.units += units;
  holding.bought_units += units;
  holding.bought_usd += notional;
  holding.paid_usd += notional * (1 + FEE_RATIO);
  book.cash = Math.max(0, book.cash - notional * (1 + FEE_RATIO));
  book.traded_usd += notional;
  book.fees_usd += notional * FEE_RATIO;
}

/** Sells units; the round trip ends with the last one. */
function sell(book: Book, asset: number, order: { units: number; open: number; index: number }): void {
  const holding = book.holdings[asset];
  if (!holding) return;
  const notional = order.units * order.open * (1 - SLIPPAGE_RATIO);
  holding.units = order.units >= holding.units ? 0 : holding.units - order.units;
  holding.sold_units += order.units;
  holding.sold_usd += notional;
  holding.received_usd += notional * (1 - FEE_RATIO);
  book.cash += notional * (1 - FEE_RATIO);
  book.traded_usd += notional;
  book.fees_usd += notional * FEE_RATIO;
  if (holding.units > 0) return;
  book.trades.push(describeTrade(holding, { asset, exit: order.index, value_usd: 0 }));
}

/** The orders of one open: sales first, so that what they bring in can be spent. */
function trade(book: Book, input: EngineInput, index: number): void {
  const opens = input.series.map((bars) => bars[index]?.open ?? Number.NaN);
  const equity = book.cash + book.holdings.reduce((sum, { units }, asset) => sum + units * (opens[asset] ?? 0), 0);
  const orders = book.holdings.map(({ units }, asset) => {
    const open = opens[asset] ?? Number.NaN;
    const target = input.targets[asset]?.[index - 1] ?? 0;
    const missing_usd = target * equity - units * open;
    const drift = Math.abs(missing_usd) / equity;
    const wanted = drift > ORDER_RATIO_MIN && (drift > input.drift_max || target === 0);
    return { asset, open, target, units, missing_usd: wanted ? missing_usd : 0 };
  });
  for (const { asset, open, target, units, missing_usd } of orders) {
    if (missing_usd < 0) sell(book, asset, { units: target === 0 ? units : -missing_usd / open, open, index });
  }
  for (const { asset, open, missing_usd } of orders) {
    if (missing_usd > 0) buy(book, asset, { wanted_usd: missing_usd, open, index });
  }
}

/**
 * Trades at each open what the close before decided. Equity is measured at the open before trading and marked at the
 * close; what is held at the end is not sold.
 * @throws RangeError when the series are of different lengths or no bar counts.
 */
export function runEngine(input: EngineInput): BacktestRun {
  const [bars = []] = input.series;
  if (input.series.some((one) => one.length !== bars.length)) throw new RangeError("series of different lengths");
  if (input.first < 1 || input.first >= bars.length) throw new RangeError(`first bar ${input.first} of ${bars.length}`);
  const holdings = input.series.map(createHolding);
  const book: Book = { cash: CAPITAL_USD, traded_usd: 0, fees_usd: 0, holdings, trades: [] };
  const equity: number[] = [];
  const weights: number[] = [];
  for (let index = input.first; index < bars.length; index += 1) {
    trade(book, input, index);
    const held = holdings.reduce(
      (sum, { units }, asset) => sum + units * (input.series[asset]?.[index]?.close ?? Number.NaN),
      0,
    );
    equity.push(book.cash + held);
    weights.push(held / (book.cash + held));
  }
  const asset = holdings.findIndex(({ units }) => units > 0);
  const holding = holdings[asset];
  const value_usd = (holding?.units ?? 0) * (input.series[asset]?.at(-1)?.close ?? 0);
  return {
    equity,
    weights,
    trades: book.trades,
    open_trade: holding ? describeTrade(holding, { asset, exit: null, value_usd }) : null,
    traded_usd: book.traded_usd,
    fees_usd: book.fees_usd,
  };
}
