import type { Clock } from "../core/clock.ts";

export const COUNTERS = ["total", "paid", "previews", "challenges", "errors_5xx"] as const;
export type Counter = (typeof COUNTERS)[number];
const INDEX: Readonly<Record<Counter, number>> = { total: 0, paid: 1, previews: 2, challenges: 3, errors_5xx: 4 };

/** Kinds of routes that are counted apart. */
export const ROUTES = ["product", "free", "door", "health", "operator"] as const;
export type RouteName = (typeof ROUTES)[number];

/** Upper bounds of the buckets that durations are counted in, s. */
export const DURATION_BUCKETS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120] as const;

/** Durations, counted by bucket; the last one holds what is longer than every bound. */
export interface Durations {
  readonly counts: Float64Array;
  sum_s: number;
}

/** What came of one product's calls since the node started. */
export interface ProductCounts {
  challenges: number;
  previews: number;
  /** Paid calls that were answered, by what paid for them. */
  readonly paid: Map<string, number>;
  /** What its settled payments brought, atomic USDC. */
  received: bigint;
  /** Time that its paid calls took together, ms. */
  duration_ms: number;
  /** Paid calls whose run failed, uncharged, by error code: what the product's record is made of. */
  readonly failed: Map<string, number>;
  /** Calls that brought something to pay with and were turned away, by error code: nothing of the product failed. */
  readonly refused: Map<string, number>;
}

/** Counts since the node started; the ledger keeps what must last. */
export interface Totals {
  /** By route, then by the first digit of the status. */
  readonly requests: ReadonlyMap<RouteName, Float64Array>;
  readonly durations: ReadonlyMap<RouteName, Durations>;
  readonly products: ReadonlyMap<string, ProductCounts>;
  /** "<network> <facilitator> <outcome>" of every answer to a settle call. */
  readonly settles: ReadonlyMap<string, number>;
  /** Requests turned away because their sender asked too often. */
  readonly limited: number;
}

/** Counts of the last 24 hours, counts since the start and recent latencies, in memory. */
export interface Stats {
  /** @param is_asked the answer says that of what this one request asked for there is nothing: no error of the node. */
  countRequest(route: RouteName, status: number, duration_ms: number, is_asked?: boolean): void;
  countChallenge(product: string): void;
  countPreview(product: string): void;
  /** A paid call was answered: what paid for it, and how long it took, ms. */
  countPaid(product: string, access: string, duration_ms: number): void;
  /** A payment for it was settled, atomic USDC. */
  countSold(product: string, amount: bigint): void;
  countFailed(product: string, code: string): void;
  countRefused(product: string, code: string): void;
  countSettle(network: string, facilitator: string, outcome: string): void;
  last24h(): Readonly<Record<Counter, number>>;
  totals(): Totals;
  /** Percentiles of the newest calls that were paid this way, or null without any. */
  paidLatency(access: string): { readonly p50: number; readonly p95: number } | null;
}

const HOUR_MS = 3_600_000;
const HOURS = 24;
const SAMPLES_MAX = 512;
const STATUS_LIMITED = 429;

const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Sums by hour, of the last 24. */
function createHours(clock: Clock) {
  const rows = Array.from({ length: HOURS }, () => ({ hour: -1, counts: new Float64Array(COUNTERS.length) }));
  return {
    count(counter: Counter) {
      const hour = Math.floor(clock.now() / HOUR_MS);
      const row = rows[((hour % HOURS) + HOURS) % HOURS];
      if (!row) return;
      if (row.hour !== hour) {
        row.hour = hour;
        row.counts.fill(0);
      }
      const index = INDEX[counter];
      row.counts[index] = (row.counts[index] ?? 0) + 1;
    },
    sums() {
      const newest = Math.floor(clock.now() / HOUR_MS);
      const live = rows.filter((row) => row.hour > newest - HOURS && row.hour <= newest);
      const sum = (index: number) => live.reduce((total, row) => total + (row.counts[index] ?? 0), 0);
      return Object.fromEntries(COUNTERS.map((counter, index) => [counter, sum(index)])) as Record<Counter, number>;
    },
  };
}

/** The newest latencies by what paid. */
function createLatencies() {
  const rings = new Map<string, { samples: number[]; next: number }>();
  return {
    observe(access: string, duration_ms: number) {
      let ring = rings.get(access);
      if (!ring) {
        ring = { samples: [], next: 0 };
        rings.set(access, ring);
      }
      ring.samples[ring.next] = duration_ms;
      ring.next = (ring.next + 1) % SAMPLES_MAX;
    },
    percentiles(access: string) {
      const samples = rings.get(access)?.samples ?? [];
      if (samples.length === 0) return null;
      const sorted = [...samples].sort((a, b) => a - b);
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
      return { p50: Math.round(at(0.5) * 10) / 10, p95: Math.round(at(0.95) * 10) / 10 };
    },
  };
}

export function createStats(clock: Clock): Stats {
  const hours = createHours(clock);
  const latencies = createLatencies();
  const requests = new Map(ROUTES.map((route) => [route, new Float64Array(6)]));
  const durations = new Map(
    ROUTES.map((route): [RouteName, Durations] => [
      route,
      { counts: new Float64Array(DURATION_BUCKETS_S.length + 1), sum_s: 0 },
    ]),
  );
  const products = new Map<string, ProductCounts>();
  const settles = new Map<string, number>();
  let limited = 0;

  const of = (product: string): ProductCounts => {
    let counts = products.get(product);
    if (!counts) {
      counts = {
        challenges: 0,
        previews: 0,
        paid: new Map(),
        received: 0n,
        duration_ms: 0,
        failed: new Map(),
        refused: new Map(),
      };
      products.set(product, counts);
    }
    return counts;
  };

  return {
    countRequest(route, status, duration_ms, is_asked = false) {
      hours.count("total");
      if (status >= 500 && route !== "health" && !is_asked) hours.count("errors_5xx");
      if (status === STATUS_LIMITED) limited += 1;
      const by_status = requests.get(route);
      const digit = Math.floor(status / 100);
      if (by_status) by_status[digit] = (by_status[digit] ?? 0) + 1;
      const spent = durations.get(route);
      if (!spent) return;
      const duration_s = duration_ms / 1000;
      spent.sum_s += duration_s;
      let bucket = 0;
      while (duration_s > (DURATION_BUCKETS_S[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
      spent.counts[bucket] = (spent.counts[bucket] ?? 0) + 1;
    },
    countChallenge(product) {
      hours.count("challenges");
      of(product).challenges += 1;
    },
    countPreview(product) {
      hours.count("previews");
      of(product).previews += 1;
    },
    countPaid(product, access, duration_ms) {
      hours.count("paid");
      add(of(product).paid, access);
      of(product).duration_ms += duration_ms;
      latencies.observe(access, duration_ms);
    },
    countSold(product, amount) {
      of(product).received += amount;
    },
    countFailed: (product, code) => add(of(product).failed, code),
    countRefused: (product, code) => add(of(product).refused, code),
    countSettle: (network, facilitator, outcome) => add(settles, `${network} ${facilitator} ${outcome}`),
    last24h: hours.sums,
    totals: () => ({ requests, durations, products, settles, limited }),
    paidLatency: latencies.percentiles,
  };
}
