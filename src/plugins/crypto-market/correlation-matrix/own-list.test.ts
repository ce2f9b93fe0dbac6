import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { settleMissing } from "../../../core/missing.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import type { BarSeries } from "../../../upstream/series/bar-series.ts";
import { job as daily } from "../../macro/jobs/daily-series.ts";
import { readOwnList } from "./own-list.ts";
import { computePortfolio } from "./portfolio.ts";
import { product } from "./product.ts";
import type { CorrelationData } from "./schema.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("an own list at /correlation-matrix", () => {
  test("its coins make the windows, in the order they are named, and no others are read", async () => {
    const { data, inputs } = await run(createNode(), "symbols=sol,BTC,doge");
    expect(data.symbols).toEqual(["SOL", "BTC", "DOGE"]);
    expect(inputs.series.map(({ symbol }) => symbol)).toEqual(["SOL", "BTC", "DOGE"]);
    expect(data.windows.map(({ days, pearson }) => [days, pearson?.length])).toEqual([
      [30, 3],
      [90, 3],
    ]);
    expect([data.macro, data.portfolio]).toEqual([null, null]);
    const whole = await run(createNode());
    const [i, j] = [whole.data.symbols.indexOf("SOL"), whole.data.symbols.indexOf("DOGE")];
    expect(data.windows[0]?.pearson?.[0]?.[2]).toBe(whole.data.windows[0]?.pearson?.[i]?.[j] ?? Number.NaN);
  });

  test("currencies, gold and yields are compared with each coin and with one another", async () => {
    const node = createNode();
    await daily.run(node.createContext());
    const { data, warnings } = await run(node, "symbols=BTC,ETH,GOLD,EURUSD,UST10Y");
    expect(data.symbols).toEqual(["BTC", "ETH"]);
    expect(data.macro?.map(({ a, b }) => `${a} ${b}`)).toHaveLength(10);
    expect(data.macro?.every(({ pearson }) => pearson !== null)).toBe(true);
    expect(warnings.filter((text) => text.startsWith("macro"))).toEqual([]);
    const usual = (await run(node)).data.macro?.find(({ a, b }) => a === "BTC" && b === "GOLD");
    expect(data.macro?.find(({ a, b }) => a === "BTC" && b === "GOLD")).toEqual(usual);
  });

  test("without two coins the other markets are the answer", async () => {
    const node = createNode();
    await daily.run(node.createContext());
    const { data, warnings } = await run(node, "symbols=EURUSD,GOLD&weights=1,1");
    expect([data.symbols, data.windows, data.extremes]).toEqual([[], [], null]);
    expect(data.macro?.map(({ a, b, n }) => [a, b, n])).toEqual([["EURUSD", "GOLD", 90]]);
    expect(data.portfolio?.parts.map(({ symbol, weight_frac }) => [symbol, weight_frac])).toEqual([
      ["EURUSD", 0.5],
      ["GOLD", 0.5],
    ]);
    expect(warnings.some((text) => text.startsWith("windows"))).toBe(true);
    expect((await refusalOf(run(createNode(), "symbols=EURUSD,GOLD"))).status).toBe(503);
  });

  test("weights are parts of their sum, and each carries its share of the variance", async () => {
    const { data } = await run(createNode(), "symbols=BTC,ETH,SOL&weights=2,1,1");
    const { parts = [], volatility_pct = 0, diversification_ratio = 0, n } = data.portfolio ?? {};
    expect(parts.map(({ weight_frac }) => weight_frac)).toEqual([0.5, 0.25, 0.25]);
    expect(parts.reduce((sum, { risk_frac }) => sum + risk_frac, 0)).toBeCloseTo(1, 3);
    const mean = parts.reduce((sum, one) => sum + one.weight_frac * one.volatility_pct, 0);
    expect(mean / volatility_pct).toBeCloseTo(diversification_ratio, 2);
    expect(diversification_ratio).toBeGreaterThanOrEqual(1);
    expect(n).toBe(90);
  });

  test("an invalid list is refused before any call", async () => {
    for (const [search, param] of [
      ["symbols=BTC", "symbols"],
      ["symbols=BTC,XBT", "symbols"],
      ["symbols=BTC,a.b", "symbols"],
      [`symbols=${Array.from({ length: 13 }, (_, index) => `C${index}`).join(",")}`, "symbols"],
      ["weights=1,2", "weights"],
      ["symbols=BTC,ETH&weights=1", "weights"],
      ["symbols=BTC,ETH&weights=1,-1", "weights"],
      ["symbols=BTC,ETH&weights=1,0", "weights"],
      ["symbols=BTC,UST10Y&weights=1,1", "weights"],
    ] as const) {
      const error = await refusalOf(run(createNode(), search));
      expect([search, error.status, error.options.param]).toEqual([search, 422, param]);
    }
  });

  test("a coin that no venue lists is not found", async () => {
    const error = await refusalOf(run(createNode(), "symbols=BTC,ETH,ZZZZQ"));
    expect([error.status, error.options.param]).toEqual([404, "symbols"]);
  });
});

test("two parts that move as one carry risk by weight, and a constant one carries none", () => {
  const moves = [0.02, -0.01, 0.03, -0.02, 0.01];
  const series = ["A", "B", "C"].map((symbol): BarSeries => {
    let close = 100;
    const bars = Array.from({ length: 60 }, (_, index) => {
      close *= symbol === "C" ? 1 : Math.exp(moves[index % 5] ?? 0);
      return { t_ms: index * DAY_MS, open: close, high: close, low: close, close, volume: 1 };
    });
    return { symbol, interval: "1d", provider: "kraken", fetched_at_ms: 60 * DAY_MS, bars };
  });
  const own = readOwnList({ symbols: "A,B,C", weights: "3,1,4" });
  if (!own) throw new Error("no list");
  const draft = computePortfolio({ series, missing: [], macro: [], own }, own, []);
  const portfolio = settleMissing(draft).data as CorrelationData["portfolio"];
  expect(portfolio?.parts.map(({ risk_frac }) => risk_frac)).toEqual([0.75, 0.25, 0]);
  expect(portfolio?.diversification_ratio).toBe(1);
  const [a] = portfolio?.parts ?? [];
  expect(portfolio?.volatility_pct).toBeCloseTo((a?.volatility_pct ?? 0) / 2, 1);
});
