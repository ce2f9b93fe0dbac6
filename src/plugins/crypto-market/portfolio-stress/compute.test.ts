import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { linearRegression, sampleCorrelation } from "simple-statistics";
import { asSold } from "../../../../test/helpers/settled.ts";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import { NodeError, UpstreamError } from "../../../core/errors.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import type { BarSeries } from "../../../upstream/series/bar-series.ts";
import { computePortfolioStress as draft } from "./compute.ts";
import { rewindPortfolioStress, type StressInputs } from "./fetch.ts";
import { StressSchema } from "./schema.ts";

const computePortfolioStress = asSold(StressSchema, draft);

const END_MS = Date.UTC(2026, 8, 30);
const NOW_MS = END_MS + 1.5 * DAY_MS;

function createSeries(symbol: string, returns: readonly number[]): BarSeries {
  let close = 100;
  const bars = [0, ...returns].map((value, index) => {
    close *= Math.exp(value);
    const t_ms = END_MS - (returns.length - index) * DAY_MS;
    return { t_ms, open: close, high: close, low: close, close, volume: 1 };
  });
  return { symbol, interval: "1d", provider: "kraken", fetched_at_ms: NOW_MS, bars };
}

const next = parkMiller(3);
const bitcoin = Array.from({ length: 366 }, () => 0.06 * (next() - 0.5));
const near = bitcoin.map((value) => 1.4 * value + 0.05 * (next() - 0.5));
const SERIES = [
  createSeries("BTC", bitcoin),
  createSeries("NEAR", near),
  createSeries(
    "ETH",
    near.map((v) => v / 2),
  ),
];

const price = (price_usd: number) => ({ price_usd, source: "oracle-consensus", at_ms: NOW_MS });

const createInputs = (rest: Partial<StressInputs> = {}): StressInputs => ({
  positions: [
    { asset: "BTC", quantity: 0.5 },
    { asset: "ETH", quantity: 4 },
  ],
  prices: new Map([
    ["BTC", price(64_000)],
    ["ETH", price(2_000)],
    ["NEAR", price(5)],
    ["USDC", price(0.9999)],
    ["NEW", price(2)],
  ]),
  volumes_usd: new Map([
    ["BTC", 1e9],
    ["ETH", 5e8],
    ["NEAR", 1e6],
  ]),
  errors: [],
  unread: [],
  cell_faults: [],
  series: SERIES,
  ...rest,
});

function run(rest: Partial<StressInputs> = {}) {
  const computed = computePortfolioStress(createInputs(rest));
  expect([...Value.Errors(StressSchema, computed.data)]).toEqual([]);
  return computed;
}

describe("the published portfolio: half a bitcoin at 64,000 and 4 ether at 2,000", () => {
  const { data, warnings, as_of_ms } = run();

  test("is worth 40,000", () => {
    expect([data.value_usd, data.gross_usd]).toEqual([40_000, 40_000]);
    expect(data.positions.map(({ weight_frac }) => weight_frac)).toEqual([0.8, 0.2]);
    expect([warnings, as_of_ms]).toEqual([[], NOW_MS]);
  });

  test.each([
    ["covid_2020_03_12", -16_208, -40.52],
    ["terra_2022_05", -11_272, -28.18],
    ["ftx_2022_11", -10_640, -26.6],
    ["selloff_2026_02", -12_616, -31.54],
    ["all_crypto_down_50", -20_000, -50],
    ["alts_down_60_btc_down_30", -14_400, -36],
  ])("%s", (id, pnl_usd, pnl_pct) => {
    expect(data.scenarios.find((one) => one.id === id)).toMatchObject({
      pnl_usd,
      pnl_gross_pct: pnl_pct,
      pnl_net_pct: pnl_pct,
    });
  });

  test("its worst scenario is the one with the largest loss", () => {
    const worst = Math.min(...data.scenarios.map(({ pnl_usd }) => pnl_usd ?? 0));
    expect(data.scenarios.find(({ id }) => id === data.worst_scenario)?.pnl_usd).toBe(worst);
    expect(data.worst_scenario).toBe("bear_2021_22");
  });

  test("risk is that of the last 365 daily returns", () => {
    const results = bitcoin
      .slice(-365)
      .map((value, day) => 32_000 * value + 8_000 * ((near.slice(-365)[day] ?? 0) / 2));
    const sorted = [...results].sort((a, b) => a - b);
    const place = 364 * 0.05;
    const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    const historical = data.var?.[0]?.rows.find(({ method, horizon_d }) => method === "historical" && horizon_d === 1);
    expect(historical?.var_usd).toBeCloseTo(-(low + (place % 1) * (high - low)), 1);
    expect(data.correlation_to_btc).toBeCloseTo(sampleCorrelation(results, bitcoin.slice(-365)), 3);
    expect(data.history_days).toBe(365);
    const ten = data.var?.[0]?.rows.find(({ method, horizon_d }) => method === "normal" && horizon_d === 10);
    const one = data.var?.[0]?.rows.find(({ method, horizon_d }) => method === "normal" && horizon_d === 1);
    expect(ten?.var_usd).toBeCloseTo((one?.var_usd ?? 0) * Math.sqrt(10), 1);
    expect((data.component_var ?? []).reduce((sum, { share_frac }) => sum + share_frac, 0)).toBeCloseTo(1, 3);
    expect(data.diversification_ratio).toBeGreaterThan(1);
  });
});

test("a scenario's worst asset is the one that loses most dollars, whatever the order of the positions", () => {
  const positions = [
    { asset: "ETH", quantity: 4 },
    { asset: "BTC", quantity: 0.5 },
    { asset: "NEAR", quantity: 200 },
  ];
  for (const order of [positions, positions.toReversed()]) {
    const { data } = run({ positions: order });
    const worstOf = (wanted: string) => data.scenarios.find(({ id }) => id === wanted)?.worst_asset;
    // Half of 8,000, 32,000 and 1,000; 60 % of 8,000 and of 1,000 against 30 % of 32,000.
    expect(worstOf("all_crypto_down_50")).toBe("BTC");
    expect(worstOf("alts_down_60_btc_down_30")).toBe("BTC");
    // No stablecoin is held, so nothing is lost.
    expect(worstOf("stablecoins_down_10")).toBeNull();
  }
  // 60 % of 20,000 are more than 30 % of 32,000.
  const { data } = run({ positions: [...positions.slice(1), { asset: "ETH", quantity: 10 }] });
  expect(data.scenarios.find(({ id }) => id === "alts_down_60_btc_down_30")?.worst_asset).toBe("ETH");
});

test("an asset without a figure falls by its 180-day beta times Bitcoin's fall", () => {
  const { data } = run({ positions: [{ asset: "NEAR", quantity: 100 }] });
  const rows = bitcoin.slice(-180).map((value, day) => [value, near.slice(-180)[day] ?? 0]);
  const row = data.scenarios.find(({ id }) => id === "terra_2022_05")?.rows[0];
  expect(row?.shock_source).toBe("beta");
  expect(row?.shock_pct).toBeCloseTo(linearRegression(rows).m * -26.9, 1);
});

test.each([
  ["falls when Bitcoin rises", -0.4, 1, "positions.NEAR.beta: measured -0.40, 1 is assumed"],
  ["moves five times as much", 5, 3, "positions.NEAR.beta: measured 5.00, cut to 3"],
])("an asset that %s never loses nothing in a crash, and the beta used is shown", (_, slope, beta, warning) => {
  const own = createSeries(
    "NEAR",
    bitcoin.map((value) => slope * value),
  );
  const { data, warnings } = run({
    positions: [{ asset: "NEAR", quantity: 100 }],
    series: [...SERIES.slice(0, 1), own],
  });
  expect(data.positions[0]?.beta).toBe(beta);
  expect(warnings).toEqual([warning]);
  const ftx = data.scenarios.find(({ id }) => id === "ftx_2022_11");
  expect(ftx?.rows[0]?.shock_pct).toBeCloseTo(-25.2 * beta, 2);
  expect(data.scenarios.filter(({ kind, pnl_usd }) => kind === "historical" && pnl_usd === 0)).toHaveLength(1);
});

test("the deviation of a year is that of a day times the root of 365, in percent of the gross value", () => {
  const { data } = run();
  const normal = data.var
    ?.find(({ confidence }) => confidence === 0.95)
    ?.rows.find(({ method }) => method === "normal");
  // The 5 % quantile of a standard normal distribution turns the loss of a day back into its deviation.
  const sigma_usd = (normal?.var_usd ?? Number.NaN) / 1.6448536269514729;
  expect(data.sigma_annual_pct).toBeCloseTo((100 * sigma_usd * Math.sqrt(365)) / 40_000, 2);
});

test("a short gains what a long loses; weights are of the gross value", () => {
  const { data } = run({
    positions: [
      { asset: "BTC", quantity: 0.5 },
      { asset: "ETH", quantity: -4 },
    ],
  });
  expect([data.value_usd, data.gross_usd]).toEqual([24_000, 40_000]);
  expect(data.scenarios.find(({ id }) => id === "covid_2020_03_12")).toMatchObject({
    pnl_usd: -9_072,
    pnl_gross_pct: -22.68,
    pnl_net_pct: -37.8,
  });
  expect(data.component_var?.[1]?.share_frac).toBeLessThan(0);
});

test("a portfolio that is worth nothing in sum still has its risk", () => {
  const { data } = run({
    positions: [
      { asset: "BTC", quantity: 1 },
      { asset: "ETH", quantity: -32 },
    ],
  });
  expect([data.value_usd, data.gross_usd]).toEqual([0, 128_000]);
  expect(data.sigma_annual_pct).toBeGreaterThan(0);
});

describe("degraded", () => {
  test("without candles the scenarios are still shown, the risk is null", () => {
    const { data, warnings } = run({ series: [] });
    expect(data.scenarios.find(({ id }) => id === "covid_2020_03_12")?.pnl_usd).toBe(-16_208);
    expect(data).toMatchObject({ var: null, component_var: null, sigma_annual_pct: null, no_history: ["BTC", "ETH"] });
    expect(data.scenarios.find(({ id }) => id === "correlation_1_3_sigma")?.pnl_usd).toBeNull();
    expect(warnings.some((warning) => warning.startsWith("component_var, sigma_annual_pct"))).toBe(true);
  });

  test("an asset with 119 bars has no history: beta 1, not in the risk", () => {
    const series = [...SERIES, createSeries("NEW", near.slice(-118))];
    const { data, warnings } = run({
      series,
      positions: [
        { asset: "BTC", quantity: 1 },
        { asset: "NEW", quantity: 10 },
      ],
    });
    expect(data.no_history).toEqual(["NEW"]);
    expect(data.component_var?.map(({ asset }) => asset)).toEqual(["BTC"]);
    expect(data.scenarios.find(({ id }) => id === "ftx_2022_11")?.rows[1]).toMatchObject({ shock_pct: -25.2 });
    expect(data.history_days).toBe(365);
    expect(warnings.join()).toContain("nobody has 120 daily bars of NEW");
  });

  test("with 120 bars it has one, and the risk is of the days that all have", () => {
    const series = [...SERIES, createSeries("NEW", near.slice(-119))];
    const { data, warnings } = run({
      series,
      positions: [
        { asset: "BTC", quantity: 1 },
        { asset: "NEW", quantity: 10 },
      ],
    });
    expect([data.no_history, data.history_days]).toEqual([[], 119]);
    expect(warnings).toContain("var: 119 instead of 365 daily returns");
  });

  test("an asset without a price is named and is in no other figure", () => {
    const { data, warnings } = run({
      positions: [
        { asset: "BTC", quantity: 1 },
        { asset: "XYZ", quantity: 9 },
      ],
    });
    expect(data.unpriced).toEqual(["XYZ"]);
    expect(data.positions[1]).toMatchObject({ priced: false, price_usd: null, value_usd: null, source: null });
    expect(data.scenarios.every(({ rows }) => rows.every(({ asset }) => asset !== "XYZ"))).toBe(true);
    expect(warnings[0]).toContain("XYZ");
  });

  test("stablecoins alone do not move and have no risk to state", () => {
    const { data } = run({ positions: [{ asset: "USDC", quantity: 1_000 }] });
    expect(data.var).toBeNull();
    expect(data.worst_scenario).toBe("usdc_depeg_2023_03");
    expect(data.scenarios.find(({ id }) => id === "usdc_depeg_2023_03")?.pnl_net_pct).toBe(-12.1);
    expect(JSON.stringify(data)).not.toMatch(/NaN|-0[,}]/);
  });

  test("a constant price has no shares and no ratio", () => {
    const { data } = run({
      series: [
        createSeries(
          "BTC",
          bitcoin.map(() => 0),
        ),
      ],
      positions: [{ asset: "BTC", quantity: 1 }],
    });
    expect(data).toMatchObject({ component_var: null, diversification_ratio: null, sigma_annual_pct: 0 });
  });

  test("no price at all is refused: the buyer's fault when the asset is unlisted, else the upstreams'", () => {
    const of = (errors: readonly unknown[]) => {
      try {
        run({ positions: [{ asset: "XYZ", quantity: 1 }], errors });
      } catch (error) {
        if (error instanceof NodeError) return error;
        throw error;
      }
      throw new Error("was not refused");
    };
    expect([of([]).code, of([]).status]).toEqual(["no_priced_asset", 422]);
    expect(of([new UpstreamError("upstream_timeout", "hyperliquid", "slow")]).status).toBe(503);
  });
});

test("a table that the node's own closes contradict is said to be so", () => {
  expect(run({ cell_faults: ["scenarios.x: off"] }).warnings).toEqual(["scenarios.x: off"]);
});

describe("a day earlier", () => {
  test("prices are the closes of that day, and nothing later is looked at", () => {
    const rewound = rewindPortfolioStress(createInputs());
    if (!rewound) throw new Error("no earlier view");
    const later = SERIES.map((one) => ({
      ...one,
      bars: one.bars.map((bar, index) => (index === one.bars.length - 1 ? { ...bar, close: 9 * bar.close } : bar)),
    }));
    const again = rewindPortfolioStress(createInputs({ series: later }));
    if (!again) throw new Error("no earlier view");
    const computed = computePortfolioStress(rewound);
    expect(computePortfolioStress(again)).toEqual(computed);
    expect(computed.as_of_ms).toBe(END_MS);
    expect(computed.data.positions[0]?.price_usd).toBeCloseTo(SERIES[0]?.bars.at(-2)?.close ?? Number.NaN, 5);
  });

  test("is missing when an asset has no close of that day", () => {
    expect(rewindPortfolioStress(createInputs({ positions: [{ asset: "USDC", quantity: 1 }] }))).toBeNull();
  });
});
