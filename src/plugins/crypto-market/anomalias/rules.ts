/** Bars read of each coin: 30 days of hours. */
export const BARS_COUNT = 720;
/** Values a statistic is compared with, at least; a coin with fewer is skipped for that type. */
export const HISTORY_MIN = 200;
/** A day more than that, for statistics over 24 hours. */
export const BARS_COUNT_MIN = HISTORY_MIN + 26;
/** With fewer coins of the twenty nothing can be said of the market. */
export const SYMBOLS_MIN = 12;
/** Oracle prices older than this are not judged. */
export const STABLE_AGE_MAX_MS = 900_000;
/** The greatest age of the newest sample of open interest: the job runs every hour. */
export const INTEREST_AGE_MAX_MS = 2 * 3_600_000;
/** Hourly fee samples a median is taken of, at least. */
export const FEE_SAMPLES_MIN = 100;

/** From here on a robust z counts as odd, and how fast its severity grows. */
const Z_FROM = 3;
const Z_SPAN = 3;

export interface Band {
  /** Severity 0 up to here. */
  readonly lo: number;
  /** Severity 1 from here. */
  readonly hi: number;
}

/** Funding per year as a fraction; depegging and disagreement in basis points; fees as a multiple of the median. */
export const BANDS = {
  funding_extreme: { lo: 0.3, hi: 1.5 },
  funding_divergence: { lo: 0.2, hi: 1 },
  stable_depeg: { lo: 25, hi: 200 },
  oracle_split: { lo: 30, hi: 200 },
  fee_spike: { lo: 3, hi: 20 },
} as const satisfies Record<string, Band>;

/** Severity of a robust z, 0 to 1: 1 - exp(-max(0, |z| - 3) / 3). */
export const getSeverityOfZ = (z: number): number => 1 - Math.exp(-Math.max(0, Math.abs(z) - Z_FROM) / Z_SPAN);

/** The robust z at which that severity is reached; infinite for 1. */
export const getZOfSeverity = (severity: number): number => Z_FROM - Z_SPAN * Math.log(1 - severity);

/** Severity of a value within a band, 0 to 1. */
export const getSeverityOfBand = (value: number, { lo, hi }: Band): number =>
  Math.min(1, Math.max(0, (value - lo) / (hi - lo)));
