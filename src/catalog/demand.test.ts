import { describe, expect, test } from "bun:test";
import type { Observation } from "./context.ts";
import { createDemandLog, isWanted } from "./demand.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = 1_790_000_000_000;

function createHistory() {
  const rows: Observation[] = [];
  return {
    rows,
    read: async (_: string, { since_ms = 0, until_ms = Number.MAX_SAFE_INTEGER } = {}) =>
      rows.filter(({ at_ms }) => at_ms >= since_ms && at_ms <= until_ms),
    write: async (_: string, added: readonly Observation[]) => {
      rows.push(...added);
    },
    prune: async () => undefined,
  };
}

describe("what products are wanted", () => {
  test("is known for a day after an answer, and written once an hour", async () => {
    const history = createHistory();
    let now_ms = NOW_MS;
    const note = createDemandLog({ history, now: () => now_ms, onFault: () => undefined });
    expect(await isWanted({ history, now_ms }, "a")).toBe(false);
    for (let times = 0; times < 100; times += 1) note("a");
    await Bun.sleep(0);
    expect(history.rows).toHaveLength(1);
    expect(await isWanted({ history, now_ms }, "a")).toBe(true);
    expect(await isWanted({ history, now_ms: now_ms + 22 * HOUR_MS }, "a")).toBe(true);
    expect(await isWanted({ history, now_ms: now_ms + 25 * HOUR_MS }, "a")).toBe(false);
    now_ms += HOUR_MS;
    note("a");
    expect(history.rows).toHaveLength(2);
  });

  test("is never a reason for an answer to fail", async () => {
    const faults: unknown[] = [];
    const broken = () => Promise.reject(new Error("disk full"));
    const history = { ...createHistory(), write: broken };
    createDemandLog({ history, now: () => NOW_MS, onFault: (error) => faults.push(error) })("a");
    await Bun.sleep(0);
    expect(faults).toHaveLength(1);
  });
});
