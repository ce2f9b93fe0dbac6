import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { computeSettled, createProductRig } from "../../../../test/helpers/product-rig.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { fitTwoStates } from "../../../quant/hmm.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { fetchVolatilityIndex } from "../../../upstream/providers/deribit/volatility-index.ts";
import { updateManyBars } from "../../../upstream/series/update-bars.ts";
import { UNIVERSE_20 } from "../universe/universe.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });
/** What the job stores of the larger coins. */
async function store(node: SimulatedNode, { days = 1_001, years = 0, coins = UNIVERSE_20 as readonly string[] } = {}) {
  const usual = coins.map((symbol) => ({
    symbol,
    interval: "1d" as const,
    reach: "usual" as const,
    counts: [symbol === "BTC" ? days : 400],
  }));
  const long = { symbol: "BTC", interval: "1d" as const, reach: "long" as const, counts: [years] };
  await updateManyBars(node.createContext(), years > 0 ? [...usual, long] : usual);
}
const callsOf = (node: SimulatedNode) =>
  Object.values(node.upstreams.status()).reduce((sum, { calls }) => sum + calls, 0);

describe("GET /regime", () => {
  test("stored bars give the state, its parts and its source, without a call", async () => {
    const node = createNode();
    await store(node);
    const before = callsOf(node);
    const { data, sources, as_of_ms, warnings, inputs } = await run(node);
    expect(callsOf(node)).toBe(before);
    expect(as_of_ms).toBe(Date.UTC(2026, 9, 1));
    expect(data.bar_date).toBe("2026-09-30");
    expect(data.breadth.n).toBe(20);
    const sum = data.factors.reduce((total, { contribution }) => total + (contribution ?? 0), 0);
    expect(sum).toBeCloseTo(data.score, 3);
    expect(sources.map(({ provider, ok }) => `${provider} ${ok}`)).toEqual(["hyperliquid true"]);
    expect(warnings.map((warning) => warning.split(":")[0])).toContain("volatility.dvol");
    const logs = inputs.market.bitcoin.map(({ close }) => Math.log(close));
    const returns = logs.slice(1).map((log, index) => log - (logs[index] ?? 0));
    expect(returns).toHaveLength(1_000);
    expect(data.p_turbulent).toBeCloseTo(fitTwoStates(returns)?.p_turbulent ?? -1, 4);
  });

  test("a node whose jobs have not run fetches what it needs, side by side", async () => {
    const node = createNode();
    const { data, sources } = await run(node);
    expect(data.breadth.n).toBe(20);
    expect(callsOf(node)).toBe(20);
    expect(sources.every(({ ok }) => ok)).toBe(true);
  });

  test("the track is the node's own when it has years stored, and says whose it is", async () => {
    const [own, measured] = [createNode(), createNode()];
    await store(own, { years: 2_400 });
    await store(measured);
    const { data, sources } = await run(own);
    expect(data.track_basis.source).toContain("bitstamp");
    expect(sources.map(({ provider }) => provider)).toContain("bitstamp");
    // Bars less the first year's and the last thirty days, whose future is not known.
    expect(data.track.reduce((sum, { days }) => sum + days, 0)).toBe(2_400 - 364 - 30);
    expect((await run(measured)).data.track_basis.source).toContain("measured once");
  });

  test("with fewer than 12 coins breadth is null and the other weights are scaled", async () => {
    const node = createNode();
    await store(node, { coins: UNIVERSE_20.slice(0, 11) });
    node.upstreams.setFault("*", "http500");
    const { data, warnings } = await run(node);
    expect(data.factors.find(({ name }) => name === "breadth_50")).toMatchObject({ value: null, weight: 0 });
    expect(data.breadth).toEqual({ above_sma50_frac: null, above_sma200_frac: null, n: 11 });
    expect(warnings.join()).toContain("the other weights are scaled to 1");
    expect(warnings.join()).toContain("daily bars of DOT, BCH, SUI, NEAR, UNI, AAVE, ARB, OP, APT could not be read");
  });

  test("just after midnight, while the job is at it, all series end with the same day", async () => {
    const node = createNode();
    await store(node);
    node.clock.set(Date.UTC(2026, 9, 2, 0, 4));
    await store(node, { coins: ["BTC", "ETH"] });
    const { data, as_of_ms } = await run(node);
    expect(data.bar_date).toBe("2026-09-30");
    expect(data.breadth.n).toBe(20);
    expect(as_of_ms).toBe(Date.UTC(2026, 9, 1));
  });

  test("with a licence of Deribit the day's implied volatility is shown beside the realised one", async () => {
    const node = createNode({ licensed: ["deribit"] });
    await store(node);
    const { data, sources, warnings, inputs } = await run(node);
    expect(warnings.join()).not.toContain("volatility.dvol");
    const days = await fetchVolatilityIndex(node.createContext(), { currency: "BTC", days: 5 });
    expect(data.volatility.dvol).toBe(days.find(({ t_ms }) => t_ms === Date.UTC(2026, 8, 30))?.close ?? null);
    expect(sources.map(({ provider, ok }) => `${provider} ${ok}`).sort()).toEqual(["deribit true", "hyperliquid true"]);
    const earlier = product.preview.rewind?.(inputs, NOW_MS);
    if (!earlier) throw new Error("no earlier view");
    const { dvol } = computeSettled(product, earlier, { params: {}, now_ms: NOW_MS }).data.volatility;
    expect(dvol).toBe(days.find(({ t_ms }) => t_ms === Date.UTC(2026, 8, 29))?.close ?? null);
  });

  test("without the licence Deribit is not asked, and the reason is given", async () => {
    const node = createNode();
    await store(node);
    const { data, warnings } = await run(node);
    expect(data.volatility.dvol).toBeNull();
    expect(warnings.join()).toContain("volatility.dvol: no licensed provider");
    expect(node.upstreams.status().deribit?.calls ?? 0).toBe(0);
  });

  test.each(["http500", "stale"] as const)("of Deribit only the implied volatility is missing: %s", async (fault) => {
    const [node, without] = [createNode({ licensed: ["deribit"] }), createNode()];
    await Promise.all([store(node), store(without)]);
    node.upstreams.setFault("deribit", fault);
    const [{ data, warnings, sources }, plain] = [await run(node), await run(without)];
    // Yesterday's answer, which "stale" gives, has no candle of the newest day.
    expect(data).toEqual(plain.data);
    expect(warnings.join()).toContain("volatility.dvol: implied volatility");
    expect(sources.some(({ provider }) => provider === "deribit")).toBe(true);
  });

  test("the preview is yesterday's, without weights", async () => {
    const node = createNode();
    await store(node);
    const { inputs } = await run(node);
    const earlier = product.preview.rewind?.(inputs, NOW_MS);
    if (!earlier) throw new Error("no earlier view");
    const computed = computeSettled(product, earlier, { params: {}, now_ms: NOW_MS });
    expect(NOW_MS - computed.as_of_ms).toBeGreaterThanOrEqual(DAY_MS);
    const shown = product.preview.redact?.(computed.data);
    expect(Value.Check(product.data, shown)).toBe(true);
    expect(shown?.factors.every(({ weight, contribution }) => weight === null && contribution === null)).toBe(true);
  });
});
