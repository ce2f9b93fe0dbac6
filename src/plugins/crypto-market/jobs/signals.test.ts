import { afterEach, describe, expect, test } from "bun:test";
import { isWholeChain } from "../../../../test/helpers/signal-ledger.ts";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { hashRecord } from "../../../records/record-chain.ts";
import { HOUR_MS } from "../../../upstream/providers/bars.ts";
import { readRecentEvaluations, readSignal, SIGNALS, type StoredSignal } from "../signals/signal-records.ts";
import { job as emit } from "./signals-emit.ts";
import { job as score } from "./signals-score.ts";

const CLOSE_MS = Date.UTC(2026, 9, 1, 12);
const EMIT_MS = CLOSE_MS + 127_000;

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(options: Partial<Parameters<typeof createSimulatedNode>[0]> = {}): SimulatedNode {
  const node = createSimulatedNode({ now_ms: EMIT_MS, ...options });
  nodes.push(node);
  return node;
}
const signalsOf = async (node: SimulatedNode): Promise<readonly StoredSignal[]> =>
  (await node.records.read(SIGNALS)).map(readSignal);
const evaluationsOf = (node: SimulatedNode) => readRecentEvaluations(node.createContext(), 100);
const run = (node: SimulatedNode, job: typeof emit) => job.run(node.createContext());

/** Evaluates at every close of some days. */
async function live(node: SimulatedNode, closes: number): Promise<void> {
  for (let n = 0; n < closes; n += 1) {
    node.clock.set(EMIT_MS + n * 4 * HOUR_MS);
    await run(node, emit);
  }
}

describe("emitting", () => {
  test("every coin is evaluated once per close, and signals are in the ledger", async () => {
    const node = createNode();
    await run(node, emit);
    await run(node, emit);
    const [evaluation, ...others] = await evaluationsOf(node);
    expect(others).toEqual([]);
    expect(evaluation?.record).toMatchObject({ bar_close_at: "2026-10-01T12:00:00Z", missing: [] });
    expect(evaluation?.record.coins).toHaveLength(10);
    for (const { alpha, signal_seq } of evaluation?.record.coins ?? []) {
      expect(signal_seq !== null).toBe(Number(alpha) >= 60 || Number(alpha) <= 40);
    }
  });

  test("signals are chained, state their evidence's hash, and come again after half a horizon at most", async () => {
    const node = createNode();
    await live(node, 12);
    const signals = await signalsOf(node);
    expect(signals.length).toBeGreaterThan(0);
    expect(await isWholeChain(node.records, SIGNALS)).toBe(true);
    for (const { record, factors } of signals) expect(hashRecord(factors)).toBe(record.features_hash);
    for (const [index, { record }] of signals.entries()) {
      const before = signals.slice(0, index).findLast((one) => one.record.symbol === record.symbol);
      if (before?.record.side !== record.side) continue;
      const apart_ms = Date.parse(record.bar_close_at) - Date.parse(before.record.bar_close_at);
      expect(apart_ms).toBeGreaterThanOrEqual(12 * HOUR_MS);
    }
  });

  test("a close more than half an hour ago stays missed", async () => {
    const node = createNode({ now_ms: CLOSE_MS + 1_800_001 });
    await run(node, emit);
    expect(await evaluationsOf(node)).toEqual([]);
    node.clock.set(CLOSE_MS + 4 * HOUR_MS + 1_800_000);
    await run(node, emit);
    expect(await evaluationsOf(node)).toHaveLength(1);
  });

  test("without bars nothing is written, and the close is tried again", async () => {
    const node = createNode();
    node.upstreams.setFault("*", "http500");
    expect(run(node, emit)).rejects.toThrow("no four-hour bars");
    node.upstreams.setFault("*", "none");
    node.clock.advance(600_000);
    await run(node, emit);
    expect(await evaluationsOf(node)).toHaveLength(1);
  });

  test("without funding the other factors count for more", async () => {
    const node = createNode({ off: ["hyperliquid"] });
    await run(node, emit);
    const [evaluation] = await evaluationsOf(node);
    const factors = evaluation?.tables.get("BTC")?.factors ?? [];
    expect(factors.find(({ name }) => name === "funding_crowding")).toMatchObject({ value: null, contribution: null });
    const sum = factors.reduce((total, { contribution }) => total + Number(contribution ?? 0), 50);
    const alpha = evaluation?.record.coins.find(({ symbol }) => symbol === "BTC")?.alpha;
    expect(Math.abs(sum - Number(alpha))).toBeLessThan(0.051);
  });

  test("with a licence of Bybit its funding replaces Hyperliquid's", async () => {
    const node = createNode({ off: ["hyperliquid"], licensed: ["bybit"] });
    await run(node, emit);
    const [evaluation] = await evaluationsOf(node);
    expect(evaluation?.record.coins).toHaveLength(10);
    for (const { symbol } of evaluation?.record.coins ?? []) {
      const funding = evaluation?.tables.get(symbol)?.factors.find(({ name }) => name === "funding_crowding");
      expect(Number(funding?.value ?? Number.NaN)).toBeFinite();
    }
  });

  test("a later market never changes an earlier record", async () => {
    const [short, long] = [createNode(), createNode()];
    await live(short, 2);
    await live(long, 5);
    const count = (await signalsOf(short)).length;
    expect((await signalsOf(long)).slice(0, count)).toEqual([...(await signalsOf(short))]);
  });
});

describe("scoring", () => {
  test("a signal is graded once its exit bar has closed, not before, and only once", async () => {
    const node = createNode();
    await live(node, 1);
    const { length } = await signalsOf(node);
    node.clock.set(CLOSE_MS + 26 * HOUR_MS - 1);
    await run(node, score);
    expect((await signalsOf(node)).every(({ outcome }) => outcome === null)).toBe(true);
    node.clock.set(CLOSE_MS + 26 * HOUR_MS + 600_000);
    await run(node, score);
    await run(node, score);
    const graded = await signalsOf(node);
    expect(graded).toHaveLength(length);
    for (const { outcome, record } of graded) {
      expect(outcome).toMatchObject({
        status: "scored",
        entry_at: "2026-10-01T13:00:00Z",
        exit_at: "2026-10-02T13:00:00Z",
        price_source: `hyperliquid:${record.symbol}:1h`,
      });
    }
    expect(await isWholeChain(node.records, SIGNALS)).toBe(true);
  });

  test("another source takes over whole when the first fails", async () => {
    const node = createNode();
    await live(node, 1);
    node.upstreams.setFault("hyperliquid", "http500");
    node.clock.set(CLOSE_MS + 26 * HOUR_MS + 600_000);
    await run(node, score);
    const sources = (await signalsOf(node)).map(({ outcome }) =>
      outcome?.status === "scored" ? outcome.price_source : "",
    );
    for (const source of sources) expect(source).toMatch(/^(bitstamp|kraken):/);
  });

  test("a signal without prices stays open, and is stated as unscorable after a week without any source", async () => {
    const node = createNode();
    await live(node, 1);
    node.upstreams.setFault("*", "http500");
    node.clock.set(CLOSE_MS + (25 + 80) * HOUR_MS);
    await run(node, score);
    expect((await signalsOf(node)).every(({ outcome }) => outcome === null)).toBe(true);
    node.clock.set(CLOSE_MS + (25 + 168) * HOUR_MS);
    await run(node, score);
    expect((await signalsOf(node)).map(({ outcome }) => outcome?.status)).toEqual(
      (await signalsOf(node)).map(() => "unscorable"),
    );
  });
});
