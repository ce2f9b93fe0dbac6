import { BollingerBands, EMA, MACD, SMA } from "technicalindicators";

/**
 * A second backtest, written another way: decisions from another package's indicators and loops over windows, equity as
 * a product of one factor per bar, with no units, cash or orders.
 */
interface Bar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}
type Targets = readonly number[];

const FEE = 0.001;
const SLIPPAGE = 0.0005;

/** Puts null before a package's readings so that each stands at its own bar. */
const align = <T>(readings: readonly T[], length: number): (T | null)[] => [
  ...Array.from({ length: length - readings.length }, () => null),
  ...readings,
];

const sma = (closes: number[], period: number) => align(SMA.calculate({ period, values: closes }), closes.length);
const ema = (closes: number[], period: number) => align(EMA.calculate({ period, values: closes }), closes.length);
const whether = (condition: boolean): number => (condition ? 1 : 0);

/** Wilder's strength by recursion; the package prints 2 decimals only. */
function strengthAt(closes: readonly number[], until: number): number | null {
  if (until < 14) return null;
  let [up, down] = [0, 0];
  for (let t = 1; t <= until; t += 1) {
    const change = (closes[t] ?? 0) - (closes[t - 1] ?? 0);
    const [gain, loss] = [Math.max(change, 0), Math.max(-change, 0)];
    [up, down] = t <= 14 ? [up + gain / 14, down + loss / 14] : [(up * 13 + gain) / 14, (down * 13 + loss) / 14];
  }
  return up + down === 0 ? 50 : (100 * up) / (up + down);
}

/** In from one event to another. */
function switchOn(length: number, event: (t: number) => "in" | "out" | undefined): Targets {
  const targets: number[] = [];
  for (let t = 0; t < length; t += 1) {
    const now = event(t);
    targets.push(now === "in" ? 1 : now === "out" ? 0 : (targets.at(-1) ?? 0));
  }
  return targets;
}

function volatilityAt(closes: readonly number[], t: number): number {
  const returns = closes
    .slice(t - 29, t + 1)
    .map((close, index) => Math.log(close) - Math.log(closes[t - 30 + index] ?? 0));
  const sum = returns.reduce((total, one) => total + one, 0);
  const squares = returns.reduce((total, one) => total + one * one, 0);
  return Math.sqrt(((squares - (sum * sum) / 30) / 29) * 365);
}

function decideOne(id: string, bars: readonly Bar[]): Targets {
  const closes = bars.map(({ close }) => close);
  const at = (t: number): number => closes[t] ?? Number.NaN;
  const each = (isIn: (t: number) => boolean) => closes.map((_, t) => whether(isIn(t)));
  const exceeds = (a: number | null | undefined, b: number | null | undefined) =>
    a !== null && a !== undefined && b !== null && b !== undefined && a > b;
  if (id === "buy_hold") return each(() => true);
  if (id === "price_sma_200") return each((t) => exceeds(at(t), sma(closes, 200)[t]));
  if (id === "sma_cross_50_200") return each((t) => exceeds(sma(closes, 50)[t], sma(closes, 200)[t]));
  if (id === "ema_cross_12_26") return each((t) => exceeds(ema(closes, 12)[t], ema(closes, 26)[t]));
  if (id === "macd_12_26_9") {
    const options = { fastPeriod: 12, slowPeriod: 26, signalPeriod: 9, SimpleMAOscillator: false };
    const lines = MACD.calculate({ ...options, values: closes, SimpleMASignal: false });
    return align(lines, closes.length).map((line) => whether(exceeds(line?.MACD, line?.signal)));
  }
  if (id === "tsmom_90") return each((t) => at(t) > at(t - 90));
  if (id === "vol_target_tsmom") {
    return closes.map((_, t) => (at(t) > at(t - 90) ? Math.min(1, 0.4 / volatilityAt(closes, t)) : 0));
  }
  if (id === "donchian_20_10") {
    return switchOn(closes.length, (t) => {
      const highs = bars.slice(Math.max(0, t - 20), t).map(({ high }) => high);
      const lows = bars.slice(Math.max(0, t - 10), t).map(({ low }) => low);
      if (t >= 20 && at(t) > Math.max(...highs)) return "in";
      return t >= 10 && at(t) < Math.min(...lows) ? "out" : undefined;
    });
  }
  if (id === "rsi_reversion_14") {
    return switchOn(closes.length, (t) => {
      const strength = strengthAt(closes, t) ?? 40;
      if (strength < 30) return "in";
      return strength > 55 ? "out" : undefined;
    });
  }
  const bands = align(BollingerBands.calculate({ period: 20, stdDev: 2, values: closes }), closes.length);
  return switchOn(closes.length, (t) => {
    const band = bands[t];
    if (!band) return undefined;
    if (at(t) < band.lower) return "in";
    return at(t) >= band.middle ? "out" : undefined;
  });
}

/** Target weights by asset. */
export function decideAgain(id: string, series: readonly (readonly Bar[])[]): readonly Targets[] {
  const [first = [], second = []] = series;
  if (id !== "dual_momentum_btc_eth") return [decideOne(id, first)];
  const rise = (bars: readonly Bar[], t: number) =>
    (bars[t]?.close ?? Number.NaN) / (bars[t - 90]?.close ?? Number.NaN);
  return [
    first.map((_, t) => whether(rise(first, t) > 1 && rise(first, t) >= rise(second, t))),
    first.map((_, t) => whether(rise(second, t) > 1 && rise(second, t) > rise(first, t))),
  ];
}

/** Equity at each close from `first` on, as a multiple of the capital. */
export function computeEquityByFactors(
  series: readonly (readonly Bar[])[],
  { targets, drift_max, first }: { targets: readonly Targets[]; drift_max: number; first: number },
): number[] {
  const length = series[0]?.length ?? 0;
  const price = (asset: number, t: number, kind: "open" | "close") => series[asset]?.[t]?.[kind] ?? Number.NaN;
  // Shares of the equity at the last close; what is missing to 1 is cash.
  let shares = series.map(() => 0);
  let equity = 1;
  const curve: number[] = [];
  for (let t = first; t < length; t += 1) {
    const opened = shares.map((share, a) =>
      share === 0 ? 0 : (share * price(a, t, "open")) / price(a, t - 1, "close"),
    );
    const cash = 1 - shares.reduce((sum, share) => sum + share, 0);
    const gap = cash + opened.reduce((sum, share) => sum + share, 0);
    let free = cash / gap;
    let parts = opened.map((share) => share / gap);
    const wanted = parts.map((part, a) => {
      const target = targets[a]?.[t - 1] ?? 0;
      const far = Math.abs(target - part) > Math.max(drift_max, 1e-9) || (target === 0 && part > 0);
      return far ? target : part;
    });
    parts = parts.map((part, a) => {
      const less = Math.max(0, part - (wanted[a] ?? 0));
      free += less * (1 - SLIPPAGE) * (1 - FEE);
      return part - less;
    });
    parts = parts.map((part, a) => {
      const spent = Math.min(Math.max(0, (wanted[a] ?? 0) - part), Math.max(0, free));
      free -= spent;
      return part + spent / (1 + FEE) / (1 + SLIPPAGE);
    });
    const closed = parts.map((part, a) => (part === 0 ? 0 : (part * price(a, t, "close")) / price(a, t, "open")));
    const factor = gap * (free + closed.reduce((sum, part) => sum + part, 0));
    equity *= factor;
    curve.push(equity);
    shares = closed.map((part) => (part * gap) / factor);
  }
  return curve;
}
