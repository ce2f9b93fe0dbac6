import { QUOTA_PERIODS, type QuotaPeriod } from "../catalog/provider.ts";
import type { Clock } from "../core/clock.ts";
import type { SpendTogether } from "../core/shared-budget.ts";

/** Use of a provider's quota in one period. */
export interface SpentQuota {
  readonly provider: string;
  readonly period: QuotaPeriod;
  /** Start of the period, UTC. */
  readonly starts_at_ms: number;
  readonly spent: number;
}

/** Stores the use across restarts, in market.db. */
export interface QuotaStore {
  read(): readonly SpentQuota[];
  write(row: SpentQuota): void;
}

export type Quotas = Readonly<Partial<Record<QuotaPeriod, number>>>;

export interface QuotaRequest {
  readonly provider: string;
  readonly quotas: Quotas;
  readonly cost: number;
  /** Jobs leave the last fifth of a quota to buyers. */
  readonly is_urgent: boolean;
}

export interface QuotaStatus extends SpentQuota {
  readonly limit: number;
  readonly resets_at_ms: number;
}

/** The used-up quota, and when it starts again. */
export interface QuotaSpent {
  readonly period: QuotaPeriod;
  readonly wait_ms: number;
}

export interface QuotaBook {
  /** Counts `cost` against every period's quota, or counts nothing and returns the one that is used up. */
  spend(request: QuotaRequest): QuotaSpent | null;
  /** The same for quotas shared with other nodes. @throws NodeError if the shared count cannot be reached now. */
  spendTogether(request: QuotaRequest): Promise<QuotaSpent | null>;
  /** The current use of the given quotas. */
  status(provider: string, quotas: Quotas): readonly QuotaStatus[];
}

const JOB_SHARE = 0.8;
/** Clocks of nodes differ, so ended periods are kept a little longer. */
const KEPT_AFTER_MS = 3_600_000;
const LENGTHS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** The period of a time: a minute, hour, day or month of UTC. */
export function getPeriod(period: QuotaPeriod, at_ms: number): { starts_at_ms: number; ends_at_ms: number } {
  if (period === "month") {
    const date = new Date(at_ms);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { starts_at_ms: Date.UTC(year, month), ends_at_ms: Date.UTC(year, month + 1) };
  }
  const length_ms = LENGTHS_MS[period];
  const starts_at_ms = Math.floor(at_ms / length_ms) * length_ms;
  return { starts_at_ms, ends_at_ms: starts_at_ms + length_ms };
}

const NO_STORE: QuotaStore = { read: () => [], write: () => undefined };

/**
 * Counts the use of publishers' quotas.
 * @param together the shared count of several nodes; absent for a single node.
 */
export function createQuotaBook(clock: Clock, store: QuotaStore = NO_STORE, together?: SpendTogether): QuotaBook {
  const rows = new Map<string, SpentQuota>();
  for (const row of store.read()) rows.set(`${row.provider} ${row.period}`, row);

  const status = (provider: string, quotas: Quotas): QuotaStatus[] =>
    QUOTA_PERIODS.flatMap((period) => {
      const limit = quotas[period];
      if (limit === undefined) return [];
      const { starts_at_ms, ends_at_ms } = getPeriod(period, clock.now());
      const row = rows.get(`${provider} ${period}`);
      // A clock set back must not restore a quota, so use at a later time counts now.
      const spent = row && row.starts_at_ms >= starts_at_ms ? row.spent : 0;
      return [{ provider, period, starts_at_ms, spent, limit, resets_at_ms: ends_at_ms }];
    });

  const note = ({ provider, period, starts_at_ms }: QuotaStatus, spent: number): void => {
    const known = rows.get(`${provider} ${period}`);
    const later_ms = Math.max(starts_at_ms, known?.starts_at_ms ?? 0);
    const row = { provider, period, starts_at_ms: later_ms, spent };
    rows.set(`${provider} ${period}`, row);
    store.write(row);
  };
  const waitFor = ({ period, resets_at_ms }: QuotaStatus): QuotaSpent => ({
    period,
    wait_ms: Math.max(1, resets_at_ms - clock.now()),
  });

  const spend: QuotaBook["spend"] = ({ provider, quotas, cost, is_urgent }) => {
    const periods = status(provider, quotas);
    const share = is_urgent ? 1 : JOB_SHARE;
    const over = periods.filter(({ spent, limit }) => spent + cost > limit * share);
    const [longest] = over.sort((a, b) => b.resets_at_ms - a.resets_at_ms);
    if (longest) return waitFor(longest);
    for (const one of periods) note(one, one.spent + cost);
    return null;
  };

  return {
    status,
    spend,
    async spendTogether(request) {
      if (together === undefined) return spend(request);
      const { provider, quotas, cost, is_urgent } = request;
      const periods = status(provider, quotas);
      if (periods.length === 0) return null;
      const share = is_urgent ? 1 : JOB_SHARE;
      const nameOf = ({ period, starts_at_ms }: QuotaStatus) => `quota ${provider} ${period} ${starts_at_ms}`;
      const { over, spent } = await together(
        periods.map((one) => ({
          name: nameOf(one),
          amount: cost,
          limit: one.limit * share,
          until_ms: one.resets_at_ms + KEPT_AFTER_MS,
        })),
      );
      // The operator sees the use of all nodes together.
      const all = new Map(spent.map((part) => [part.name, part.spent]));
      for (const one of periods) note(one, (all.get(nameOf(one)) ?? 0) + (over === null ? cost : 0));
      const first = periods.find((one) => nameOf(one) === over);
      return first ? waitFor(first) : null;
    },
  };
}
