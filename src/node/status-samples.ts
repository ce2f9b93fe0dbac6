import type { Clock } from "../core/clock.ts";
import { DAYS_SHOWN, type StatusSample, type StatusSamples } from "../pages/uptime/samples.ts";
import type { Stats } from "../telemetry/stats.ts";
import type { Core, NodeStates } from "./parts.ts";

const SERIES = "node-status";
const DAY_MS = 86_400_000;
const REASONS_MAX = 5;
const REASON_CHARS_MAX = 200;

/** Calls since the start by product: answered, and failed uncharged. */
function countCalls(stats: Stats): ReadonlyMap<string, readonly [number, number]> {
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, one) => total + one, 0);
  return new Map([...stats.totals().products].map(([id, { paid, failed }]) => [id, [sum(paid), sum(failed)] as const]));
}

/** What `/status` tells of the past: a sample of state, latency and calls, kept with the observed series. */
export function createStatusSamples(
  { history, stats }: Pick<Core, "history" | "stats">,
  { states, clock }: { readonly states: () => NodeStates; readonly clock: Clock },
): StatusSamples {
  let before: ReadonlyMap<string, readonly [number, number]> = new Map();
  return {
    async take() {
      const now_ms = clock.now();
      const { status, reasons } = states().read();
      const after = countCalls(stats);
      const calls: Record<string, readonly [number, number]> = {};
      for (const [id, [answered, failed]] of after) {
        const [answered_before, failed_before] = before.get(id) ?? [0, 0];
        const since = [answered - answered_before, failed - failed_before] as const;
        if (since[0] > 0 || since[1] > 0) calls[id] = since;
      }
      before = after;
      const value: StatusSample = {
        state: status,
        reasons: reasons.slice(0, REASONS_MAX).map((text) => text.slice(0, REASON_CHARS_MAX)),
        latency_ms: stats.paidLatency("payment")?.p50 ?? stats.paidLatency("key")?.p50 ?? null,
        calls,
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
