import type { Clock } from "../core/clock.ts";

export const COUNTERS = ["total", "paid", "previews", "challenges", "errors_5xx"] as const;
export type Counter = (typeof COUNTERS)[number];

/** Counts of the last 24 hours and recent latencies, in memory; the ledger keeps what must last. */
export interface Stats {
  count(counter: Counter): void;
  /** How long a paid call took, ms, by what paid for it. */
  observePaid(access: string, duration_ms: number): void;
  last24h(): Readonly<Record<Counter, number>>;
  /** Percentiles of the newest calls that were paid this way, or null without any. */
  paidLatency(access: string): { readonly p50: number; readonly p95: number } | null;
}

const HOUR_MS = 3_600_000;
const HOURS = 24;
const SAMPLES_MAX = 512;

export function createStats(clock: Clock): Stats {
  const rows = Array.from({ length: HOURS }, () => ({ hour: -1, counts: new Float64Array(COUNTERS.length) }));
  const rings = new Map<string, { samples: number[]; next: number }>();

  const currentRow = () => {
    const hour = Math.floor(clock.now() / HOUR_MS);
    const row = rows[((hour % HOURS) + HOURS) % HOURS];
    if (row && row.hour !== hour) {
      row.hour = hour;
      row.counts.fill(0);
    }
    return row;
  };

  return {
    count(counter) {
      const row = currentRow();
      const index = COUNTERS.indexOf(counter);
      if (row) row.counts[index] = (row.counts[index] ?? 0) + 1;
    },
    observePaid(access, duration_ms) {
      let ring = rings.get(access);
      if (!ring) {
        ring = { samples: [], next: 0 };
        rings.set(access, ring);
      }
      ring.samples[ring.next] = duration_ms;
      ring.next = (ring.next + 1) % SAMPLES_MAX;
    },
    last24h() {
      const newest = Math.floor(clock.now() / HOUR_MS);
      const live = rows.filter((row) => row.hour > newest - HOURS && row.hour <= newest);
      const sum = (index: number) => live.reduce((total, row) => total + (row.counts[index] ?? 0), 0);
      return Object.fromEntries(COUNTERS.map((counter, index) => [counter, sum(index)])) as Record<Counter, number>;
    },
    paidLatency(access) {
      const samples = rings.get(access)?.samples ?? [];
      if (samples.length === 0) return null;
      const sorted = [...samples].sort((a, b) => a - b);
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
      return { p50: Math.round(at(0.5) * 10) / 10, p95: Math.round(at(0.95) * 10) / 10 };
    },
  };
}
