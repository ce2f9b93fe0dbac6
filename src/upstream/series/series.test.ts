import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../test/helpers/simulated-node.ts";
import { NodeError } from "../../core/errors.ts";
import { type BarInterval, DAY_MS, HOUR_MS, INTERVALS_MS } from "../providers/bars.ts";
import { CANDLE_VENUES } from "../providers/candle-venues.ts";
import { citeBars, getSeriesKey, readBars } from "./bar-series.ts";
import { loadBars, loadManyBars } from "./load-bars.ts";
import { updateBars, updateManyBars, type WantedSeries } from "./update-bars.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 1);

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(options: Partial<Parameters<typeof createSimulatedNode>[0]> = {}): SimulatedNode {
  const node = createSimulatedNode({ now_ms: NOW_MS, ...options });
  nodes.push(node);
  return node;
}

const want = (symbol: string, interval: BarInterval = "1h", counts: readonly number[] = [48]): WantedSeries => ({
  symbol,
  interval,
  reach: "usual",
  counts,
});
const update = (node: SimulatedNode, wanted: WantedSeries) => updateBars(node.createContext(), wanted);
const read = (node: SimulatedNode, symbol: string, interval: BarInterval = "1h", count = 48) =>
  readBars(node.createContext(), { symbol, interval, count });
const callsOf = (node: SimulatedNode, provider: string) => node.upstreams.status()[provider]?.calls ?? 0;

describe("stored bars", () => {
  for (const interval of ["1h", "4h", "1d"] as const) {
    test(`${interval} bars are stored up to the newest closed one and read back`, async () => {
      const node = createNode();
      await update(node, want("BTC", interval));
      const series = await read(node, "BTC", interval);
      expect(series).toMatchObject({ symbol: "BTC", interval, provider: "hyperliquid", fetched_at_ms: NOW_MS });
      expect(series?.bars).toHaveLength(48);
      const end_ms = (series?.bars.at(-1)?.t_ms ?? 0) + INTERVALS_MS[interval];
      expect(end_ms).toBeLessThanOrEqual(NOW_MS);
      expect(end_ms).toBeGreaterThan(NOW_MS - INTERVALS_MS[interval]);
    });
  }

  test("a series that is too short is not used, unless fewer bars are acceptable", async () => {
    const node = createNode();
    await update(node, want("BTC"));
    const context = node.createContext();
    expect(await readBars(context, { symbol: "BTC", interval: "1h", count: 49 })).toBeNull();
    expect((await readBars(context, { symbol: "BTC", interval: "1h", count: 49, count_min: 40 }))?.bars).toHaveLength(
      48,
    );
    expect((await readBars(context, { symbol: "BTC", interval: "1h", count: 10 }))?.bars).toEqual(
      (await read(node, "BTC"))?.bars.slice(-10) ?? [],
    );
  });

  test("an older series is not used, except for a few minutes with grace", async () => {
    const node = createNode();
    await update(node, want("BTC"));
    const readWith = (grace: boolean) =>
      readBars(node.createContext(), { symbol: "BTC", interval: "1h", count: 48, grace });
    node.clock.set(Date.UTC(2026, 9, 1, 13, 4));
    expect([await readWith(false), (await readWith(true))?.bars.length ?? null]).toEqual([null, 48]);
    node.clock.set(Date.UTC(2026, 9, 1, 13, 6));
    expect(await readWith(true)).toBeNull();
  });

  test("a series of a provider switched off meanwhile is not used", async () => {
    const node = createNode();
    await update(node, want("BTC"));
    const later = createNode({ off: ["hyperliquid"] });
    const key = getSeriesKey(want("BTC"));
    await later.history.write(key, await node.history.read(key));
    expect(await read(later, "BTC")).toBeNull();
  });

  test("an invalid stored window is not used", async () => {
    const node = createNode();
    await node.history.write(getSeriesKey(want("BTC")), [
      { at_ms: NOW_MS, value: { provider: "kraken", bars: [[1, null]] } },
    ]);
    expect(await read(node, "BTC")).toBeNull();
  });

  test("a coin and its thousands are one series", async () => {
    const node = createNode();
    await update(node, want("PEPE"));
    expect((await read(node, "kPEPE"))?.bars).toEqual((await read(node, "PEPE"))?.bars ?? []);
    expect((await read(node, "kPEPE"))?.symbol).toBe("kPEPE");
  });
});

describe("updating bars", () => {
  test("venues that failed before another had the bars are kept, and named in sales", async () => {
    const node = createNode();
    node.upstreams.setFault("hyperliquid", "http500");
    await update(node, want("BTC"));
    const later = createNode({ now_ms: NOW_MS + HOUR_MS / 2, stores: node });
    const context = later.createContext();
    const series = await readBars(context, { symbol: "BTC", interval: "1h", count: 48 });
    expect(series?.provider).not.toBe("hyperliquid");
    citeBars(context, series ? [series] : []);
    expect(context.sources().map(({ provider, ok, error }) => [provider, ok, error])).toEqual([
      [series?.provider, true, undefined],
      ["hyperliquid", false, "upstream_unavailable"],
    ]);
  });

  test("a complete series causes no call", async () => {
    const node = createNode();
    await update(node, want("BTC"));
    await update(node, want("BTC"));
    expect(callsOf(node, "hyperliquid")).toBe(1);
  });

  test("new bars are appended, and stored ones stay unchanged", async () => {
    const node = createNode();
    await update(node, want("BTC"));
    const before = (await read(node, "BTC"))?.bars ?? [];
    node.clock.advance(3 * HOUR_MS);
    const asked: number[] = [];
    const context = node.createContext();
    const { get } = context;
    context.get = (provider, request) => {
      const { req } = request.body as { req: { startTime: number; endTime: number } };
      asked.push((req.endTime + 1 - req.startTime) / HOUR_MS);
      return get(provider, request);
    };
    await updateBars(context, want("BTC"));
    const after = (await read(node, "BTC"))?.bars ?? [];
    expect(after.slice(0, 45)).toEqual(before.slice(3));
    expect(after).toHaveLength(48);
    // Three new bars, and the last stored one for the seam.
    expect(asked).toEqual([4]);
  });

  test("appending and fetching the whole give the same series", async () => {
    const [steps, once] = [createNode(), createNode()];
    for (let hour = 0; hour < 5; hour += 1) {
      steps.clock.set(NOW_MS + hour * HOUR_MS);
      await update(steps, want("ETH"));
    }
    once.clock.set(NOW_MS + 4 * HOUR_MS);
    await update(once, want("ETH"));
    expect((await read(steps, "ETH"))?.bars).toEqual((await read(once, "ETH"))?.bars ?? []);
  });

  test("if a provider's past has changed, the whole window is fetched again", async () => {
    const node = createNode();
    await update(node, want("BTC"));
    const key = getSeriesKey(want("BTC"));
    const [stored] = await node.history.read(key);
    const value = structuredClone(stored?.value) as { bars: number[][] };
    for (const row of value.bars) for (const column of [1, 2, 3, 4]) row[column] = (row[column] ?? 0) * 1.01;
    await node.history.write(key, [{ at_ms: stored?.at_ms ?? 0, value }]);
    node.clock.advance(HOUR_MS);
    await update(node, want("BTC"));
    const whole = createNode();
    whole.clock.advance(HOUR_MS);
    await update(whole, want("BTC"));
    expect((await read(node, "BTC"))?.bars).toEqual((await read(whole, "BTC"))?.bars ?? []);
  });

  test("a failing provider is replaced for the whole window, and called first again a day later", async () => {
    const node = createNode();
    await update(node, want("BTC"));
    node.clock.advance(HOUR_MS);
    node.upstreams.setFault("hyperliquid", "wrong_shape");
    await update(node, want("BTC"));
    expect(await read(node, "BTC")).toMatchObject({ provider: "kraken" });
    expect((await read(node, "BTC"))?.bars).toHaveLength(48);
    node.upstreams.setFault("*", "none");
    node.clock.advance(HOUR_MS);
    await update(node, want("BTC"));
    expect((await read(node, "BTC"))?.provider).toBe("kraken");
    node.clock.advance(23 * HOUR_MS);
    await update(node, want("BTC"));
    expect((await read(node, "BTC"))?.provider).toBe("hyperliquid");
  });

  test("after a long absence, and once a week, the whole window is fetched", async () => {
    const node = createNode();
    await update(node, want("BTC", "1d"));
    for (let day = 1; day <= 7; day += 1) {
      node.clock.set(NOW_MS + day * DAY_MS);
      await update(node, want("BTC", "1d"));
    }
    const key = getSeriesKey(want("BTC", "1d"));
    expect((await node.history.read(key)).at(-1)?.value).toMatchObject({ complete_at_ms: NOW_MS + 7 * DAY_MS });
    expect((await node.history.read(key)).at(-2)?.value).toMatchObject({ complete_at_ms: NOW_MS });
  });

  test("a clock set back reads and fetches the window of that time, not a later one", async () => {
    const node = createNode();
    await update(node, want("BTC"));
    const last_ms = (await read(node, "BTC"))?.bars.at(-1)?.t_ms ?? 0;
    node.clock.set(NOW_MS - HOUR_MS);
    expect(await read(node, "BTC")).toBeNull();
    await update(node, want("BTC"));
    expect((await read(node, "BTC"))?.bars.at(-1)?.t_ms).toBe(last_ms - HOUR_MS);
  });

  test("a venue whose bars are too old is not asked for fewer bars", async () => {
    const node = createNode();
    node.upstreams.setFault("*", "stale");
    await expect(update(node, want("BTC", "1h", [48, 24, 12]))).rejects.toThrow();
    const called = Object.entries(node.upstreams.status()).filter(([, { calls }]) => calls > 0);
    expect(called.length).toBeGreaterThan(3);
    expect(called.map(([id, { calls }]) => [id, calls])).toEqual(called.map(([id]) => [id, 1]));
  });

  const others = (id: string) => CANDLE_VENUES.map(({ provider }) => provider.id).filter((one) => one !== id);

  test("a venue with a gap in its past is asked for fewer bars", async () => {
    const gap_ms = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS - 40 * HOUR_MS;
    const node = createNode({
      off: others("hyperliquid"),
      bend: async (answer) => Response.json(((await answer.json()) as { t: number }[]).filter(({ t }) => t !== gap_ms)),
    });
    await update(node, want("BTC", "1h", [48, 24]));
    expect((await read(node, "BTC", "1h", 24))?.bars).toHaveLength(24);
  });

  test("a venue without the older pages is asked for fewer bars", async () => {
    const to_ms = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS;
    const node = createNode({
      off: others("cryptocom"),
      bend: (answer, { path }) => (path.includes(`end_ts=${to_ms}`) ? answer : Response.json({ code: 1 })),
    });
    await update(node, want("BTC", "1h", [900, 24]));
    expect((await read(node, "BTC", "1h", 24))?.bars).toHaveLength(24);
    // The oldest page, and the only one of the shorter window.
    expect(callsOf(node, "cryptocom")).toBe(2);
  });

  test("one symbol's failure does not affect the others", async () => {
    const node = createNode();
    const outcomes = await updateManyBars(node.createContext(), [want("NOSUCH"), want("BTC")]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true]);
    expect(await read(node, "BTC")).not.toBeNull();
  });
});

describe("loading bars for a request", () => {
  test("stored bars are cited without any call", async () => {
    const node = createNode();
    await update(node, want("BTC"));
    const before = callsOf(node, "hyperliquid");
    const context = node.createContext();
    const series = await loadBars(context, { symbol: "BTC", interval: "1h", count: 48 });
    expect(series).toEqual((await read(node, "BTC")) ?? series);
    expect(callsOf(node, "hyperliquid")).toBe(before);
    expect(context.sources().map(({ provider, ok }) => `${provider} ${ok}`)).toEqual(["hyperliquid true"]);
  });

  test("without stored bars they are fetched, from the next venue when one fails", async () => {
    const node = createNode();
    node.upstreams.setFault("hyperliquid", "empty");
    const context = node.createContext();
    const series = await loadBars(context, { symbol: "ETH", interval: "4h", count: 100 });
    expect(series).toMatchObject({ symbol: "ETH", interval: "4h", provider: "kraken" });
    expect(context.sources().map(({ provider, ok }) => `${provider} ${ok}`)).toEqual([
      "hyperliquid false",
      "kraken true",
    ]);
  });

  test("bars that no venue has are an uncharged failure", async () => {
    const node = createNode();
    node.upstreams.setFault("*", "http500");
    const error = await loadBars(node.createContext(), { symbol: "BTC", interval: "1h", count: 48 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error instanceof NodeError ? error.status : error).toBe(503);
  });

  test("several series are returned in the order of the requests, each with its own outcome", async () => {
    const node = createNode();
    await update(node, want("ETH", "1d"));
    const symbols = ["BTC", "NOSUCH", "ETH", "kPEPE"];
    const outcomes = await loadManyBars(
      node.createContext(),
      symbols.map((symbol) => ({ symbol, interval: "1d", count: 40 })),
    );
    expect(outcomes.map((one) => (one.ok ? one.value.symbol : null))).toEqual(["BTC", null, "ETH", "kPEPE"]);
    expect(outcomes.every((one) => !one.ok || one.value.bars.length === 40)).toBe(true);
  });

  test("missing series are fetched in parallel", async () => {
    const node = createNode();
    let [running, most] = [0, 0];
    const context = node.createContext();
    const slow = {
      ...context,
      get: async (...call: Parameters<typeof context.get>) => {
        running += 1;
        most = Math.max(most, running);
        await Bun.sleep(1);
        running -= 1;
        return context.get(...call);
      },
    } as typeof context;
    const symbols = "BTC ETH SOL BNB XRP ADA DOGE AVAX LINK LTC TRX DOT".split(" ");
    await loadManyBars(
      slow,
      symbols.map((symbol) => ({ symbol, interval: "1d", count: 20 })),
    );
    expect(most).toBe(10);
  });

  test("more days than venues usually give come from the venue that has years", async () => {
    const node = createNode();
    const series = await loadBars(node.createContext(), { symbol: "BTC", interval: "1d", count: 1_300 });
    expect(series).toMatchObject({ provider: "bitstamp" });
    expect(series.bars).toHaveLength(1_300);
  });
});
