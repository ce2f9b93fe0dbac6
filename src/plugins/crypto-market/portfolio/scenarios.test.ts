import { describe, expect, test } from "bun:test";
import { HISTORICAL_SCENARIOS, STABLECOINS } from "./historical-scenarios.ts";
import { getExitCost, runHistorical, runHypothetical, type StressedAsset } from "./scenarios.ts";

const hold = (asset: string, value_usd: number, rest: Partial<StressedAsset> = {}): StressedAsset => ({
  asset,
  value_usd,
  beta: null,
  sigma: null,
  volume_usd: null,
  ...rest,
});

const run = (id: string, assets: readonly StressedAsset[]) => {
  const scenario = HISTORICAL_SCENARIOS.find((one) => one.id === id);
  const result = scenario ? runHistorical(scenario, assets) : runHypothetical(assets).find((one) => one.id === id);
  if (!result) throw new Error(`no scenario ${id}`);
  return result;
};

describe("the published vector: 32,000 USD of BTC and 8,000 of ETH", () => {
  test.each([
    ["covid_2020_03_12", -16_208],
    ["terra_2022_05", -11_272],
    ["ftx_2022_11", -10_640],
    ["selloff_2026_02", -12_616],
  ])("%s", (id, pnl_usd) => {
    expect(run(id, [hold("BTC", 32_000), hold("ETH", 8_000)]).pnl_usd).toBeCloseTo(pnl_usd, 6);
  });
});

describe("the table", () => {
  test("Bitcoin's cells are those of the closes behind them", () => {
    const closes: Readonly<Record<string, readonly [number, number]>> = {
      covid_2020_03_12: [7_934.52, 4_800],
      terra_2022_05: [39_690, 29_029.75],
      ftx_2022_11: [21_299.37, 15_922.81],
      liquidation_2025_10_10: [121_662.4, 112_774.5],
      selloff_2026_02: [89_299.99, 62_909.86],
    };
    for (const [id, [from, to]] of Object.entries(closes)) {
      const scenario = HISTORICAL_SCENARIOS.find((one) => one.id === id);
      expect(scenario?.shocks_pct.BTC).toBeCloseTo(100 * (to / from - 1), 1);
    }
  });

  test("names each scenario once, in order of its days, and holds falls only", () => {
    expect(HISTORICAL_SCENARIOS).toHaveLength(12);
    expect(new Set(HISTORICAL_SCENARIOS.map(({ id }) => id)).size).toBe(12);
    for (const { from, to, shocks_pct } of HISTORICAL_SCENARIOS) {
      expect(to >= from).toBe(true);
      expect(shocks_pct.BTC).toBeDefined();
      for (const shock of Object.values(shocks_pct)) expect(shock).toBeWithin(-100, 0.001);
    }
  });
});

describe("an asset without a figure", () => {
  test("falls by its beta times Bitcoin's fall, at most 3, never by more than 99 %; by 1 when it says nothing", () => {
    const fall = (beta: number | null, id = "terra_2022_05") => run(id, [hold("NEAR", 100, { beta })]).rows[0];
    expect(fall(1.5)).toEqual({ asset: "NEAR", shock_pct: 1.5 * -26.9, shock_source: "beta", pnl_usd: 1.5 * -26.9 });
    for (const beta of [-2, -0.01, 0, null]) expect(fall(beta)?.shock_pct).toBe(-26.9);
    expect(fall(9)?.shock_pct).toBeCloseTo(3 * -26.9, 9);
    expect(fall(3, "bear_2021_22")?.shock_pct).toBe(-99);
  });

  test("a coin that was not listed yet takes its beta, not another coin's cell", () => {
    expect(run("covid_2020_03_12", [hold("SOL", 100, { beta: 1.2 })]).rows[0]?.shock_source).toBe("beta");
  });
});

describe("stablecoins", () => {
  test("move in no scenario but their own", () => {
    for (const { id } of HISTORICAL_SCENARIOS) {
      const rows = run(
        id,
        STABLECOINS.map((asset) => hold(asset, 1_000)),
      ).rows;
      const moved = rows.filter(({ shock_pct }) => shock_pct !== 0).map(({ asset, shock_pct }) => [asset, shock_pct]);
      expect(moved).toEqual(id === "usdc_depeg_2023_03" ? [["USDC", -12.1]] : []);
    }
    expect(run("stablecoins_down_10", [hold("USDT", 1_000), hold("BTC", 1_000)]).pnl_usd).toBe(-100);
    expect(run("all_crypto_down_50", [hold("USDT", 1_000), hold("BTC", 1_000)]).pnl_usd).toBe(-500);
  });
});

describe("falls that did not happen", () => {
  const assets = [
    hold("BTC", 10_000, { sigma: 0.02, volume_usd: 1e9 }),
    hold("SOL", -4_000, { sigma: 0.05, volume_usd: 20_000 }),
  ];

  test("shorts gain when the market falls", () => {
    expect(run("alts_down_60_btc_down_30", assets).pnl_usd).toBe(-3_000 + 2_400);
    expect(run("ftx_2022_11", assets).rows[1]?.pnl_usd).toBeCloseTo(4_000 * 0.622, 9);
  });

  test("with correlations of 1 the deviations add up, against longs and shorts", () => {
    expect(run("correlation_1_3_sigma", assets).pnl_usd).toBeCloseTo(-3 * (10_000 * 0.02 + 4_000 * 0.05), 9);
    expect(run("correlation_1_3_sigma", assets).rows.map(({ shock_pct }) => shock_pct)).toEqual([
      expect.closeTo(-6, 9),
      expect.closeTo(15, 9),
    ]);
  });

  test("leaving costs a fixed part and the root of the share of the volume", () => {
    const cost = 10_000 * (0.001 + Math.sqrt(1e-5) * 0.02) + 4_000 * (0.001 + Math.sqrt(0.2) * 0.05);
    const exit = run("liquidity_exit", assets);
    expect(exit.pnl_usd).toBeCloseTo(-cost, 9);
    expect(exit.unfilled).toEqual(["SOL"]);
    expect(getExitCost(hold("USDC", 1e6))).toBe(0.001);
  });

  test("a long position loses no more than its value, however thin the market; a short one can", () => {
    const thin = { sigma: 0.1, volume_usd: 1_000 };
    const [long] = run("liquidity_exit", [hold("NEW", 1e6, thin)]).rows;
    expect(long?.pnl_usd).toBeCloseTo(-990_000, 6);
    const [short] = run("liquidity_exit", [hold("NEW", -1e6, thin)]).rows;
    expect(short?.pnl_usd).toBeCloseTo(-1e6 * (0.001 + Math.sqrt(1_000) * 0.1), 6);
    expect(run("correlation_1_3_sigma", [hold("NEW", 1e6, { sigma: 0.5 })]).pnl_usd).toBeCloseTo(-990_000, 6);
  });

  test("an unknown result is null and counts for nothing; if all are null there is no figure", () => {
    const half = run("correlation_1_3_sigma", [hold("BTC", 10_000, { sigma: 0.02 }), hold("NEW", 500)]);
    expect(half.rows[1]).toEqual({ asset: "NEW", shock_pct: null, shock_source: "rule", pnl_usd: null });
    expect(half.pnl_usd).toBeCloseTo(-600, 9);
    expect(run("liquidity_exit", [hold("NEW", 500)]).pnl_usd).toBeNull();
  });
});

test("twice the money loses twice as much, in every scenario but that of leaving", () => {
  const assets = [hold("BTC", 1_000, { sigma: 0.02 }), hold("NEAR", 300, { sigma: 0.06, beta: 1.4 }), hold("USDC", 50)];
  const doubled = assets.map((one) => ({ ...one, value_usd: 2 * one.value_usd }));
  const all = (held: readonly StressedAsset[]) => [
    ...HISTORICAL_SCENARIOS.map((scenario) => runHistorical(scenario, held)),
    ...runHypothetical(held).filter(({ id }) => id !== "liquidity_exit"),
  ];
  for (const [index, { pnl_usd }] of all(assets).entries()) {
    expect(all(doubled)[index]?.pnl_usd).toBeCloseTo(2 * (pnl_usd ?? Number.NaN), 9);
  }
});
