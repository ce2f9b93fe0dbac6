import type { NodeStates, OperatedCore } from "../../admin/operated-node.ts";
import type { WritableHistory } from "../../catalog/context.ts";
import type { Clock } from "../../core/clock.ts";
import type { Stats } from "../../telemetry/stats.ts";
import { DAYS_SHOWN, type StatusSample, type StatusSamples } from "./samples.ts";
import type { StatusLists } from "./tables.ts";

const SERIES = "node-status";
const SOURCES_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
const REASONS_MAX = 5;
const REASON_CHARS_MAX = 200;

type Counts = ReadonlyMap<string, readonly [answered: number, failed: number]>;

/** Calls since the start by product: answered, and failed uncharged. */
function countCalls(stats: Stats): Counts {
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, one) => total + one, 0);
  return new Map([...stats.totals().products].map(([id, { paid, failed }]) => [id, [sum(paid), sum(failed)] as const]));
}

/** Calls to sources since the start, by provider: answered, and failed. */
const countSources = (upstream: OperatedCore["upstream"]): Counts =>
  new Map(upstream.status().map(({ provider, calls, failures }) => [provider, [calls - failures, failures] as const]));

/** What was counted between two looks; what stood still is left out. */
function since(before: Counts, after: Counts): Record<string, readonly [number, number]> {
  const found: Record<string, readonly [number, number]> = {};
  for (const [name, [answered, failed]] of after) {
    const [answered_before, failed_before] = before.get(name) ?? [0, 0];
    const own = [answered - answered_before, failed - failed_before] as const;
    if (own[0] > 0 || own[1] > 0) found[name] = own;
  }
  return found;
}

/** What is known of products and sources one by one now, as `/status` shows it. */
export function readStatusLists(
  { last_success, upstream, catalog }: Pick<OperatedCore, "last_success" | "upstream" | "catalog">,
  states: NodeStates,
): StatusLists {
  const titles = new Map(catalog.providers.map(({ id, title }) => [id, title]));
  return {
    answered_ms: new Map([...last_success].map(([id, { at_ms }]) => [id, at_ms])),
    unavailable: new Map(states.read().unavailable.map(({ path, why }) => [path, why])),
    sources: upstream
      .status()
      .map(({ provider, ok }) => ({ id: provider, title: titles.get(provider) ?? provider, ok })),
    withheld: catalog.withheld,
  };
}

/** What `/status` tells of the past: a sample of state, latency and calls, kept with the observed series. */
export function createStatusSamples(
  { history, stats, upstream }: Pick<OperatedCore, "stats" | "upstream"> & { readonly history: WritableHistory },
  { states, clock }: { readonly states: () => NodeStates; readonly clock: Clock },
): StatusSamples {
  let calls_before: Counts = new Map();
  let sources_before: Counts = new Map();
  let sources_at_ms = Number.NEGATIVE_INFINITY;
  /** Sources are many and are called all the time: noted each hour, 90 days of them stay small enough to be read. */
  const countHour = (now_ms: number): Pick<StatusSample, "sources"> => {
    if (now_ms - sources_at_ms < SOURCES_EVERY_MS) return {};
    const counts = countSources(upstream);
    const sources = since(sources_before, counts);
    sources_before = counts;
    sources_at_ms = now_ms;
    return { sources };
  };
  return {
    async take() {
      const now_ms = clock.now();
      const { status, reasons } = states().read();
      const counts = countCalls(stats);
      const calls = since(calls_before, counts);
      calls_before = counts;
      const value: StatusSample = {
        state: status,
        reasons: reasons.slice(0, REASONS_MAX).map((text) => text.slice(0, REASON_CHARS_MAX)),
        latency_ms: stats.paidLatency("payment")?.p50 ?? stats.paidLatency("key")?.p50 ?? null,
        calls,
        ...countHour(now_ms),
      };
      await history.write(SERIES, [{ at_ms: now_ms, value }]);
      await history.prune(SERIES, now_ms - (DAYS_SHOWN + 1) * DAY_MS);
    },
    async read() {
      const rows = await history.read(SERIES, { since_ms: clock.now() - DAYS_SHOWN * DAY_MS });
      // Only this file writes them.
      return rows.map(({ at_ms, value }) => ({ at_ms, value: value as StatusSample }));
    },
  };
}
