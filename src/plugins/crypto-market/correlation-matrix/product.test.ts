import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { computeSettled, createProductRig } from "../../../../test/helpers/product-rig.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { job as daily } from "../../macro/jobs/daily-series.ts";
import { job as candles } from "../jobs/candles-1d.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /correlation-matrix", () => {
  test("ten coins, two windows, one source; the stored bars are used without a call", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    const before = node.upstreams.status().hyperliquid?.calls;
    const { data, sources, as_of_ms, warnings } = await run(node);
    expect(node.upstreams.status().hyperliquid?.calls).toBe(before ?? -1);
    expect(data.symbols).toHaveLength(10);
    expect(data.windows.map(({ days, n, from, to }) => [days, n, from, to])).toEqual([
      [30, 30, "2026-09-01", "2026-09-30"],
      [90, 90, "2026-07-03", "2026-09-30"],
    ]);
    expect(
      data.windows.every(({ pearson }) => pearson?.length === 10 && pearson.every((row) => row.length === 10)),
    ).toBe(true);
    expect(data.beta_to_btc?.BTC).toBe(1);
    expect(Object.keys(data.beta_to_btc ?? {})).toEqual(data.symbols);
    expect(as_of_ms).toBe(Date.UTC(2026, 9, 1));
    expect(data.windows.every(({ shrunk, ci_lo }) => shrunk === null && ci_lo === null)).toBe(true);
    expect(warnings.map((one) => one.split(":")[0])).toEqual(["windows", "windows (12 figures), change", "macro"]);
    expect(data.windows.every((one) => (one.significant_pairs?.length ?? 0) <= 5)).toBe(true);
    const full = await run(node, "detail=full");
    expect(full.data.windows.every(({ shrunk }) => shrunk?.length === 10)).toBe(true);
    expect(full.data.windows.map(({ pearson }) => pearson)).toEqual(data.windows.map(({ pearson }) => pearson));
    expect(full.data.change).toHaveLength(10);
    expect(full.warnings).toEqual(["macro: no recent history of another market is stored"]);
    expect(sources.map(({ provider, ok }) => `${provider} ${ok}`)).toEqual(["hyperliquid true"]);
  });

  test("other markets are read from what the job stored, each named with the minute it is observed at", async () => {
    const node = createNode();
    await daily.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(data.macro).toHaveLength(10);
    expect(data.macro?.find(({ a, b }) => a === "BTC" && b === "EURUSD")).toMatchObject({ n: 90, asynchronous: true });
    expect(data.macro?.find(({ a, b }) => a === "BTC" && b === "GOLD")).toMatchObject({ asynchronous: false });
    expect(warnings.filter((text) => text.startsWith("macro"))).toEqual([]);
    expect((await run(node, "detail=full")).data.macro).toHaveLength(55);
  });

  test("a node whose jobs have not run yet fetches the bars itself", async () => {
    const { data } = await run(createNode());
    expect(data.symbols).toHaveLength(10);
  });

  test("stored bars that missed a day are not used", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    node.clock.set(Date.UTC(2026, 9, 2, 1, 0));
    expect((await run(node)).data.windows[0]?.to).toBe("2026-10-01");
  });

  test("the preview is a day older and holds three coins' 30-day correlations", async () => {
    const { inputs, data } = await run(createNode());
    const earlier = product.preview.rewind?.(inputs, NOW_MS);
    if (!earlier) throw new Error("no earlier view");
    const computed = computeSettled(product, earlier, { params: {}, now_ms: NOW_MS });
    expect(NOW_MS - computed.as_of_ms).toBeGreaterThanOrEqual(DAY_MS);
    expect(computed.data.windows[0]?.to).toBe("2026-09-29");
    expect(computed.data).not.toEqual(data);
    const shown = product.preview.redact?.(computed.data);
    expect(Value.Check(product.data, shown)).toBe(true);
    expect(shown).toMatchObject({ symbols: ["BTC", "ETH", "SOL"], change: null, beta_to_btc: null, extremes: null });
    expect(shown?.windows.map(({ days, pearson, shrunk }) => [days, pearson?.length, shrunk])).toEqual([[30, 3, null]]);
  });
});
