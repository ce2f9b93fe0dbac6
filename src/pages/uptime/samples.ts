/** The state of the node at one moment; taken every five minutes and kept for 90 days. */
export interface StatusSample {
  readonly state: "ok" | "degraded" | "failing";
  /** The faults, in words. */
  readonly reasons: readonly string[];
  /** Median of the newest paid calls, ms; null before the first. */
  readonly latency_ms: number | null;
  /** Answered and uncharged failed calls since the sample before, by product; products without calls are left out. */
  readonly calls: Readonly<Record<string, readonly [answered: number, failed: number]>>;
  /** The same for calls to sources, by provider, in one sample of each hour; absent in samples of earlier versions. */
  readonly sources?: Readonly<Record<string, readonly [answered: number, failed: number]>>;
}

export interface TimedSample {
  readonly at_ms: number;
  readonly value: StatusSample;
}

/** The history shown by `/status`. */
export interface StatusSamples {
  /** Takes a sample of the node's state. */
  take(): Promise<void>;
  /** Samples of 90 days, oldest first. */
  read(): Promise<readonly TimedSample[]>;
}

export const SAMPLE_EVERY_MS = 300_000;
export const DAYS_SHOWN = 90;
const DAY_MS = 86_400_000;
const PER_DAY = DAY_MS / SAMPLE_EVERY_MS;

/** One UTC day. Time without samples is a gap, neither up nor down. */
export interface StatusDay {
  readonly day_ms: number;
  /** Share of the day that was sampled, 0 to 1. */
  readonly sampled: number;
  /** Share of the samples that were not failing, 0 to 1; null without a sample. */
  readonly up: number | null;
  /** Median of the samples' latencies; null without one. */
  readonly latency_ms: number | null;
  readonly answered: number;
  readonly failed: number;
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Answered calls, and uncharged failed calls. */
export interface CallCount {
  readonly answered: number;
  readonly failed: number;
}

/** Calls of some samples by product. */
export function countCalls(samples: readonly TimedSample[]): ReadonlyMap<string, CallCount> {
  const counts = new Map<string, { answered: number; failed: number }>();
  for (const { value } of samples) {
    for (const [product, [answered, failed]] of Object.entries(value.calls)) {
      const count = counts.get(product) ?? { answered: 0, failed: 0 };
      counts.set(product, count);
      count.answered += answered;
      count.failed += failed;
    }
  }
  return counts;
}

export function sumCounts(counts: Iterable<CallCount>): CallCount {
  let [answered, failed] = [0, 0];
  for (const count of counts) {
    answered += count.answered;
    failed += count.failed;
  }
  return { answered, failed };
}

/** Results of one product's or source's calls on each of 90 days, oldest first; null for a day without calls. */
export interface DayCounts extends CallCount {
  readonly days: readonly (CallCount | null)[];
}

/** Calls by name and day. */
function countByDay(
  samples: readonly TimedSample[],
  pick: (sample: TimedSample["value"]) => Readonly<Record<string, readonly [number, number]>>,
  now_ms: number,
): ReadonlyMap<string, DayCounts> {
  const first = Math.floor(now_ms / DAY_MS) - DAYS_SHOWN + 1;
  const found = new Map<string, { answered: number; failed: number; days: (CallCount | null)[] }>();
  for (const { at_ms, value } of samples) {
    const day = Math.floor(at_ms / DAY_MS) - first;
    if (day < 0 || day >= DAYS_SHOWN) continue;
    for (const [name, [answered, failed]] of Object.entries(pick(value))) {
      const own = found.get(name) ?? { answered: 0, failed: 0, days: new Array(DAYS_SHOWN).fill(null) };
      found.set(name, own);
      const before = own.days[day] ?? { answered: 0, failed: 0 };
      own.days[day] = { answered: before.answered + answered, failed: before.failed + failed };
      own.answered += answered;
      own.failed += failed;
    }
  }
  return found;
}

/** The last 90 days, oldest first, including today so far. */
export function countDays(samples: readonly TimedSample[], now_ms: number): readonly StatusDay[] {
  const today = Math.floor(now_ms / DAY_MS);
  const by_day = Map.groupBy(samples, ({ at_ms }) => Math.floor(at_ms / DAY_MS));
  return Array.from({ length: DAYS_SHOWN }, (_, index): StatusDay => {
    const day = today - DAYS_SHOWN + 1 + index;
    const own = by_day.get(day) ?? [];
    const expected = day === today ? Math.max(1, Math.floor((now_ms - day * DAY_MS) / SAMPLE_EVERY_MS)) : PER_DAY;
    const up = own.filter(({ value }) => value.state !== "failing").length;
    return {
      day_ms: day * DAY_MS,
      sampled: Math.min(1, own.length / expected),
      up: own.length === 0 ? null : up / own.length,
      latency_ms: median(own.flatMap(({ value }) => (value.latency_ms === null ? [] : [value.latency_ms]))),
      ...sumCounts(countCalls(own).values()),
    };
  });
}

/** A period in which the node failed or was degraded. */
export interface Incident {
  readonly state: "degraded" | "failing";
  readonly from_ms: number;
  /** Time of the first good sample afterwards; null while the incident lasts, or if samples end before it does. */
  readonly to_ms: number | null;
  readonly reasons: readonly string[];
}

const REASONS_MAX = 5;
/** Samples farther apart than this number of periods are not joined, because the state in between is unknown. */
const JOINED_PERIODS = 3;

/** Incidents, newest first. */
export function findIncidents(samples: readonly TimedSample[]): readonly Incident[] {
  const found: Incident[] = [];
  let open: { state: Incident["state"]; from_ms: number; last_ms: number; reasons: Set<string> } | null = null;
  const close = (to_ms: number | null): void => {
    if (!open) return;
    const { state, from_ms, reasons } = open;
    found.push({ state, from_ms, to_ms, reasons: [...reasons].slice(0, REASONS_MAX) });
    open = null;
  };
  for (const { at_ms, value } of samples) {
    if (open && at_ms - open.last_ms > JOINED_PERIODS * SAMPLE_EVERY_MS) close(null);
    if (value.state === "ok" || (open && open.state !== value.state)) close(at_ms);
    if (value.state === "ok") continue;
    open ??= { state: value.state, from_ms: at_ms, last_ms: at_ms, reasons: new Set() };
    open.last_ms = at_ms;
    for (const reason of value.reasons) open.reasons.add(reason);
  }
  close(null);
  return found.reverse();
}

/** Share of the samples of all days that were up; null without a sample. */
export function rateUptime(samples: readonly TimedSample[]): number | null {
  if (samples.length === 0) return null;
  return samples.filter(({ value }) => value.state !== "failing").length / samples.length;
}

/** Sums over the samples of 90 days. They are some ten thousand, so this is computed once for each reading. */
export interface StatusPast {
  readonly days: readonly StatusDay[];
  readonly uptime: number | null;
  /** Newest first. */
  readonly incidents: readonly Incident[];
  /** Counts by product id. */
  readonly calls: ReadonlyMap<string, CallCount>;
  /** Results of each day, by product id and by provider. */
  readonly products: ReadonlyMap<string, DayCounts>;
  readonly sources: ReadonlyMap<string, DayCounts>;
}

export const sumUp = (samples: readonly TimedSample[], now_ms: number): StatusPast => ({
  days: countDays(samples, now_ms),
  uptime: rateUptime(samples),
  incidents: findIncidents(samples),
  calls: countCalls(samples),
  products: countByDay(samples, ({ calls }) => calls, now_ms),
  sources: countByDay(samples, ({ sources = {} }) => sources, now_ms),
});
