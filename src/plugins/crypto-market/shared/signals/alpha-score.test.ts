import { afterEach, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../../test/helpers/simulated-node.ts";
import { HOUR_MS } from "../../../../upstream/providers/bars.ts";
import { job as emit } from "../../jobs/signals-emit.ts";
import { job as score } from "../../jobs/signals-score.ts";
import { readAlphaScore } from "./alpha-score.ts";

const EMIT_MS = Date.UTC(2026, 9, 1, 12, 2, 7);
const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});

test("the score is shown once it is a day old, never a fresher one", async () => {
  const node = createSimulatedNode({ now_ms: EMIT_MS });
  nodes.push(node);
  for (let n = 0; n < 7; n += 1) {
    node.clock.set(EMIT_MS + n * 4 * HOUR_MS);
    await emit.run(node.createContext());
  }
  const read = (hours: number) => readAlphaScore(node.records, EMIT_MS + hours * HOUR_MS);
  expect(read(23.99)).toBeNull();
  expect(read(24)?.bar_close_at).toBe("2026-10-01T12:00:00Z");
  expect(read(27.99)?.bar_close_at).toBe("2026-10-01T12:00:00Z");
  expect(read(28)?.bar_close_at).toBe("2026-10-01T16:00:00Z");
  expect(read(28)?.factors).toHaveLength(8);
  expect(read(28)?.chain_head).toBe(node.records.head("signals").head);
});

test("a score that was a signal names its record, and what became of it", async () => {
  const node = createSimulatedNode({ now_ms: EMIT_MS });
  nodes.push(node);
  let is_graded = false;
  for (let n = 0; n < 40 && !is_graded; n += 1) {
    node.clock.set(EMIT_MS + n * 4 * HOUR_MS);
    await emit.run(node.createContext());
    await score.run(node.createContext());
    const shown = readAlphaScore(node.records, node.clock.now());
    if (!shown) continue;
    expect(shown.side === null).toBe(shown.record_hash === null);
    if (shown.record_hash === null) continue;
    const stored = node.records.read("signals").find(({ record_hash }) => record_hash === shown.record_hash);
    expect(stored?.record).toMatchObject({ symbol: "BTC", side: shown.side ?? "", bar_close_at: shown.bar_close_at });
    if (shown.outcome === null) continue;
    expect(stored?.outcome?.outcome).toMatchObject({ hit: shown.outcome.hit });
    is_graded = true;
  }
  expect(is_graded).toBe(true);
});
