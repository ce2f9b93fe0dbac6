import { describe, expect, test } from "bun:test";
import { runProduct } from "../../../../test/helpers/product-harness.ts";
import { createPublishedLedger, PUBLISHED_HEAD } from "../../../../test/helpers/signal-ledger.ts";
import { series2, type TestBar } from "../../../../test/helpers/test-series.ts";
import { computeATR } from "../../../quant/indicators.ts";
import { product } from "./product.ts";
import type { AlphaData } from "./schema.ts";

const NOW_MS = Date.parse("2026-11-01T06:00:00Z");
const STEP_MS = 14_400_000;
const run = async (params: Record<string, unknown> = {}, history = {}) => {
  const records = await createPublishedLedger({ scored: false });
  const result = await runProduct(product, { now_ms: NOW_MS, bodies: {}, records, params, history });
  return { ...result, data: result.data as AlphaData };
};

const CLOSED_MS = Date.parse("2026-11-01T04:00:00Z");

/** Four-hour bars as a job stores them, the newest closed at 04:00. */
function storeBars(symbols: readonly string[], bars: readonly TestBar[]) {
  const rows = bars.map(({ open, high, low, close, volume }, t) => [
    CLOSED_MS - (bars.length - t) * STEP_MS,
    ...[open, high, low, close, volume],
  ]);
  const value = { provider: "kraken", fetched_at_ms: NOW_MS, complete_at_ms: NOW_MS, bars: rows };
  return Object.fromEntries(symbols.map((symbol) => [`market/bars-4h/${symbol}`, [{ at_ms: CLOSED_MS, value }]]));
}

describe("/alpha-signal", () => {
  test("explains every active signal; without bars there are no distances", async () => {
    const { data, warnings } = await run();
    expect(data.chain).toEqual({ length: 3, head: PUBLISHED_HEAD });
    expect(data.signals).toHaveLength(3);
    expect(data.signals[0]).toMatchObject({ symbol: "SOL", features_hash: "d".repeat(64), risk: null });
    expect(data.signals[0]?.factors).toEqual([
      { name: "mom_7d", value: 0.5, weight: 0.2, contribution: 5 },
      { name: "regime", value: null, weight: 0.1, contribution: null },
    ]);
    expect(warnings.filter((text) => text.includes("risk"))).toHaveLength(2);
  });

  test("signals of less confidence than asked for are left out and counted", async () => {
    const { data } = await run({ confidence: 40 });
    expect(data.signals.map(({ symbol }) => symbol)).toEqual(["SOL"]);
    expect(data.filtered_out).toBe(2);
    expect(run({ confidence: 101 })).rejects.toThrow("confidence");
    expect(run({ confidence: "high" })).rejects.toThrow("confidence");
  });

  test("distances are those of the bar the signal is made of, whatever came later", async () => {
    const bars = series2();
    const { data, sources } = await run({}, storeBars(["BTC", "SOL"], bars));
    const ranges = computeATR(bars);
    const risk = (symbol: string) => data.signals.find((one) => one.symbol === symbol)?.risk;
    const atr = ranges.at(-1) ?? 0;
    expect(risk("SOL")?.stop).toBeCloseTo(150 - 1.5 * atr, 4);
    expect(risk("SOL")?.target).toBeCloseTo(150 + 3 * atr, 4);
    expect(risk("BTC")?.stop).toBeCloseTo(64_000 - 1.5 * (ranges.at(-2) ?? 0), 2);
    expect(sources.filter(({ ok }) => ok).map(({ provider }) => provider)).toEqual(["kraken"]);
  });

  test("a range too large for a stop is said to be one, not missing bars", async () => {
    const wild = series2().map((bar) => ({ ...bar, high: bar.high * 40 }));
    const { data, warnings } = await run({ confidence: 40 }, storeBars(["SOL"], wild));
    expect(data.signals.map(({ symbol, risk }) => [symbol, risk])).toEqual([["SOL", null]]);
    expect(warnings.filter((text) => text.includes("risk"))).toEqual([
      expect.stringContaining("signals[SOL].risk: the average true range is 0, or so large"),
    ]);
  });
});
