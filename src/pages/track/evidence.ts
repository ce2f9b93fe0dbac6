/** One signal with the facts of its record and its outcome; both are public once they are old enough to be free. */
export interface SignalEvidence {
  readonly seq: number;
  readonly record: Readonly<Record<string, unknown>>;
  readonly record_hash: string;
  /** Null while the signal is open, and for outcomes later than the statement. */
  readonly outcome: Readonly<Record<string, unknown>> | null;
  readonly outcome_hash: string | null;
  /** Position in the log of outcomes, from 1; null without an outcome. */
  readonly outcome_seq: number | null;
}

/** The signed statement over the signals, as in `/win-rate-verified`. */
export interface TrackStatement {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly payload_canonical: string;
  readonly signature: string;
  readonly key_id: string;
}

/** A graded signal as numbers. */
export interface GradedSignal {
  readonly seq: number;
  readonly symbol: string;
  readonly side: string;
  readonly horizon_h: number;
  readonly confidence: number;
  readonly exit_ms: number;
  readonly net_bps: number;
  /** Result of a long position over the same hours at the same cost. */
  readonly long_net_bps: number;
  readonly hit: boolean;
}

const BPS = 10_000;

/** Turns a signal into numbers; null if it is open or could not be scored. */
export function toGraded({ seq, record, outcome }: SignalEvidence): GradedSignal | null {
  if (outcome === null || outcome.status !== "scored") return null;
  const change = Number(outcome.exit_price) / Number(outcome.entry_price) - 1;
  return {
    seq,
    symbol: String(record.symbol),
    side: String(record.side),
    horizon_h: Number(record.horizon_h),
    confidence: Number(record.confidence),
    exit_ms: Date.parse(String(outcome.exit_at)),
    net_bps: Number(outcome.net_bps),
    long_net_bps: change * BPS - Number(record.cost_bps),
    hit: outcome.hit === true,
  };
}

const DAY_MS = 86_400_000;

/** The gain in percent after each day; the first day is the one before the first exit. */
export interface EquityPoint {
  readonly day_ms: number;
  readonly signals_pct: number;
  readonly long_pct: number;
}

/**
 * The equity of a portfolio that splits evenly over the signals that end on a day, net of costs and compounded; and the
 * same with a long position each time. Days without signals change nothing. It is computed like `max_drawdown_pct` of
 * the signed statement.
 */
export function computeEquity(graded: readonly GradedSignal[]): readonly EquityPoint[] {
  const by_day = Map.groupBy(graded, ({ exit_ms }) => Math.floor(exit_ms / DAY_MS));
  const days = [...by_day].sort(([a], [b]) => a - b);
  const [first] = days;
  if (!first) return [];
  const points: EquityPoint[] = [{ day_ms: (first[0] - 1) * DAY_MS, signals_pct: 0, long_pct: 0 }];
  let [signals, long] = [1, 1];
  for (const [day, own] of days) {
    const mean = (read: (one: GradedSignal) => number) =>
      own.reduce((sum, one) => sum + read(one), 0) / own.length / BPS;
    signals *= 1 + mean((one) => one.net_bps);
    long *= 1 + mean((one) => one.long_net_bps);
    points.push({ day_ms: day * DAY_MS, signals_pct: (signals - 1) * 100, long_pct: (long - 1) * 100 });
  }
  return points;
}

/** A share of hits with its Wilson interval at 95 % (Wilson, 1927). */
export interface HitRate {
  readonly key: string;
  readonly n: number;
  readonly wins: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly mean_net_bps: number;
}

const Z95 = 1.959963984540054;

export function rateHits(key: string, graded: readonly GradedSignal[]): HitRate {
  const n = graded.length;
  const wins = graded.filter(({ hit }) => hit).length;
  const share = wins / n;
  const denominator = 1 + Z95 ** 2 / n;
  const centre = (share + Z95 ** 2 / (2 * n)) / denominator;
  const half = (Z95 / denominator) * Math.sqrt((share * (1 - share)) / n + Z95 ** 2 / (4 * n ** 2));
  const mean_net_bps = graded.reduce((sum, { net_bps }) => sum + net_bps, 0) / n;
  return { key, n, wins, rate: share, low: centre - half, high: centre + half, mean_net_bps };
}

/** Hit rates grouped by `keyOf`, sorted by key. */
export const rateBy = (
  graded: readonly GradedSignal[],
  keyOf: (one: GradedSignal) => string | number,
): readonly HitRate[] =>
  [...Map.groupBy(graded, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, own]) => rateHits(String(key), own));

export interface Bin {
  /** Limits in percent, from inclusive to exclusive; the outermost bins include everything beyond. */
  readonly from: number;
  readonly to: number;
  readonly n: number;
}

const [BIN_PCT, BINS_EACH_SIDE] = [1, 8];

/** The distribution of results net of costs, in steps of one percent. */
export function countReturns(graded: readonly GradedSignal[]): readonly Bin[] {
  const counts = new Map<number, number>();
  for (const { net_bps } of graded) {
    const bin = Math.floor(net_bps / 100 / BIN_PCT);
    const inside = Math.min(BINS_EACH_SIDE - 1, Math.max(-BINS_EACH_SIDE, bin));
    counts.set(inside, (counts.get(inside) ?? 0) + 1);
  }
  return Array.from({ length: 2 * BINS_EACH_SIDE }, (_, index): Bin => {
    const bin = index - BINS_EACH_SIDE;
    return { from: bin * BIN_PCT, to: (bin + 1) * BIN_PCT, n: counts.get(bin) ?? 0 };
  });
}
