import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { linearRegression } from "simple-statistics";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import { fc } from "../../../../test/helpers/properties.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import { NodeError } from "../../../core/errors.ts";
import { writeByTemplates } from "../../../grounding/write-blocks.ts";
import { type Bar, DAY_MS } from "../../../upstream/providers/bars.ts";
import type { BarSeries } from "../../../upstream/series/bar-series.ts";
import { UNIVERSE_20 } from "../universe/universe.ts";
import { getGross, getInverseVolWeights, getMultiplier, getPortfolioSigma } from "./allocation.ts";
import { computeCopilot as draft, redactCopilot } from "./compute.ts";
import { type CopilotInputs, rewindCopilot } from "./fetch.ts";
import { computeAllocation, getChanges } from "./profiles.ts";
import { planCopilot } from "./prose.ts";
import { CopilotSchema } from "./schema.ts";
import { vector } from "./vector.ts";

const computeCopilot = asSold(CopilotSchema, draft);

const VOLS = [0.45, 0.6, 0.8];
const CORRELATIONS = [
  [1, 0.85, 0.75],
  [0.85, 1, 0.8],
  [0.75, 0.8, 1],
];
/** Daily, in all: year / 365. */
const COVARIANCE = VOLS.map((a, i) => VOLS.map((b, j) => (a * b * (CORRELATIONS[i]?.[j] ?? 0)) / 365));

const END_MS = Date.UTC(2026, 8, 30);
const next = parkMiller(21);
const market = Array.from({ length: 639 }, () => 0.07 * (next() - 0.48));

function createBars(returns: readonly number[]): Bar[] {
  let close = 100;
  return [0, ...returns].map((value, index) => {
    const open = close;
    close *= Math.exp(value);
    const t_ms = END_MS - (returns.length - index) * DAY_MS;
    return { t_ms, open, high: Math.max(open, close) * 1.001, low: Math.min(open, close) * 0.999, close, volume: 1 };
  });
}

const coins = UNIVERSE_20.map((symbol, index) => ({
  symbol,
  bars: createBars(market.map((one) => (1 + index / 8) * one + (index === 0 ? 0 : 0.03 * (next() - 0.5)))),
}));

const createInputs = (): CopilotInputs => ({
  market: { bitcoin: coins[0]?.bars ?? [], universe: coins.map(({ bars }) => bars.slice(-400)) },
  series: coins.slice(0, 3).map(
    ({ symbol, bars }): BarSeries => ({
      symbol,
      interval: "1d",
      provider: "kraken",
      fetched_at_ms: END_MS + DAY_MS,
      bars: bars.slice(-368),
    }),
  ),
});

describe("the published vector", () => {
  const weights = getInverseVolWeights(VOLS) ?? [];
  const sigma = getPortfolioSigma(weights, COVARIANCE) * Math.sqrt(365);

  test("weights by 1 / volatility, and their volatility", () => {
    expect(weights).toEqual([0.432432, 0.324324, 0.243243].map((weight) => expect.closeTo(weight, 6)));
    expect(sigma).toBeCloseTo(0.543473, 6);
  });

  test.each([
    ["conservative", 0.15, 0.193202, [0.083547, 0.06266, 0.046995, 0.806798]],
    ["balanced", 0.3, 0.386404, [0.167093, 0.12532, 0.09399, 0.613596]],
    ["aggressive", 0.5, 0.644006, [0.278489, 0.208867, 0.15665, 0.355994]],
  ] as const)("%s in a sideways market", (id, target, expected, shares) => {
    const gross = getGross(target, getMultiplier("chop", false), sigma);
    expect(gross).toBeCloseTo(expected, 6);
    const exact = [...weights.map((weight) => weight * gross), 1 - gross];
    expect(exact).toEqual(shares.map((share) => expect.closeTo(share, 6)));
    const inputs = { covariance: COVARIANCE, returns: [[], [], []], regime: "chop", is_extreme: false } as const;
    const profile = computeAllocation(inputs)?.profiles.find((one) => one.id === id);
    expect(Object.values(profile?.weights ?? {})).toEqual(shares.map((share) => expect.closeTo(share, 4)));
    expect(profile?.expected_vol_pct).toBeCloseTo(100 * target * 0.7, 2);
  });

  test("an asset that a scenario's table lacks falls by its beta over the last 180 days", () => {
    const bitcoin = market.slice(0, 365);
    const noise = parkMiller(5);
    const sol = bitcoin.map((value) => 2 * value + 0.2 * (noise() - 0.5));
    const { m: beta } = linearRegression(bitcoin.map((value, day) => [value, sol[day] ?? Number.NaN]).slice(-180));
    const returns = [bitcoin, bitcoin, sol];
    const inputs = { covariance: COVARIANCE, returns, regime: "bull", is_extreme: false } as const;
    const [BTC = 0, ETH = 0, SOL = 0] = weights.map((weight) => weight * getGross(0.5, 1, sigma));
    const { worst_scenarios } = computeAllocation(inputs)?.profiles.find(({ id }) => id === "aggressive") ?? {};
    const covid = worst_scenarios?.find(({ id }) => id === "covid_2020_03_12");
    expect(covid?.pnl_pct).toBeCloseTo(-39.5 * BTC - 44.6 * ETH - beta * 39.5 * SOL, 2);
  });

  test("multipliers", () => {
    expect([getMultiplier("bull", false), getMultiplier("chop", false), getMultiplier("bear", false)]).toEqual([
      1, 0.7, 0.4,
    ]);
    expect(getMultiplier("bear", true)).toBeCloseTo(0.32, 12);
  });
});

describe("laws", () => {
  const vols = fc.array(fc.double({ min: 0.01, max: 3, noNaN: true }), { minLength: 3, maxLength: 6 });

  test("weights sum to 1 and stay below the cap, and the calmer asset weighs at least as much", () => {
    fc.assert(
      fc.property(vols, (values) => {
        const weights = getInverseVolWeights(values) ?? [];
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
        for (const [i, weight] of weights.entries()) {
          expect(weight).toBeLessThanOrEqual(0.6 + 1e-9);
          for (const [j, other] of weights.entries()) {
            if ((values[i] ?? 0) < (values[j] ?? 0)) expect(weight).toBeGreaterThanOrEqual(other - 1e-9);
          }
        }
      }),
    );
  });

  test("scale of the volatilities does not matter; uncapped weights x volatility are equal", () => {
    fc.assert(
      fc.property(vols, fc.double({ min: 0.1, max: 9, noNaN: true }), (values, scale) => {
        const weights = getInverseVolWeights(values) ?? [];
        const scaled = getInverseVolWeights(values.map((value) => value * scale)) ?? [];
        for (const [index, weight] of weights.entries()) expect(scaled[index]).toBeCloseTo(weight, 9);
        const open = weights.flatMap((weight, index) => (weight < 0.6 - 1e-9 ? [weight * (values[index] ?? 0)] : []));
        expect(Math.max(...open) - Math.min(...open)).toBeLessThan(1e-9);
      }),
    );
  });

  test("the cap's excess goes to the others in proportion", () => {
    expect(getInverseVolWeights([0.1, 0.8, 0.4])).toEqual([
      0.6,
      expect.closeTo(0.4 / 3, 12),
      expect.closeTo(0.8 / 3, 12),
    ]);
    // The second one passes the cap only once the first one's excess is handed on.
    const [a = 0, b = 0, c = 0] = getInverseVolWeights([0.01, 0.012, 1], 0.45) ?? [];
    expect([a, b]).toEqual([0.45, 0.45]);
    expect(c).toBeCloseTo(0.1, 12);
  });

  test("nothing is borrowed, and without movement nothing is bought", () => {
    expect([getGross(0.5, 1, 0.1), getGross(0.3, 1, 0)]).toEqual([1, 0]);
    expect([getInverseVolWeights([0.5, 0, 0.5]), getInverseVolWeights([0.5, Number.NaN, 0.5])]).toEqual([null, null]);
    expect(() => getInverseVolWeights([0.5], 0.6)).toThrow(RangeError);
  });
});

describe("the answer", () => {
  const inputs = createInputs();
  const { data, as_of_ms, warnings } = computeCopilot(inputs);

  test("matches its schema, grows in risk, and adds up", () => {
    expect([...Value.Errors(CopilotSchema, data)]).toEqual([]);
    expect([as_of_ms, warnings]).toEqual([END_MS + DAY_MS, []]);
    const gross = data.profiles.map(({ gross_frac }) => gross_frac);
    expect(gross).toEqual([...gross].sort((a, b) => a - b));
    for (const {
      weights,
      expected_vol_pct,
      var95_1d_pct,
      var95_30d_pct,
      worst_scenarios,
      worst_scenario_pct,
    } of data.profiles) {
      expect(weights.BTC + weights.ETH + weights.SOL + weights.USDC).toBeCloseTo(1, 3);
      expect(var95_1d_pct).toBeCloseTo((1.6448536 * expected_vol_pct) / Math.sqrt(365), 1);
      expect(var95_30d_pct).toBeCloseTo(var95_1d_pct * Math.sqrt(30), 0);
      expect(worst_scenarios).toHaveLength(5);
      expect(worst_scenario_pct).toBe(Math.min(...worst_scenarios.map(({ pnl_pct }) => pnl_pct)));
    }
  });

  test("a mostly USDC portfolio fears the day USDC fell", () => {
    const careful = computeAllocation({
      covariance: COVARIANCE,
      returns: [[], [], []],
      regime: "bear",
      is_extreme: true,
    });
    const [first] = careful?.profiles ?? [];
    expect(first?.worst_scenarios.map(({ id }) => id)).toContain("usdc_depeg_2023_03");
  });

  test("changes are against the same rules a day earlier", () => {
    const earlier = computeCopilot(rewindCopilot(inputs)).data;
    const changes = data.changes_since_yesterday ?? [];
    expect(changes.length).toBeGreaterThan(0);
    for (const { id, asset, from_frac, to_frac } of changes) {
      expect(earlier.profiles.find((one) => one.id === id)?.weights[asset]).toBe(from_frac);
      expect(data.profiles.find((one) => one.id === id)?.weights[asset]).toBe(to_frac);
    }
  });

  test("a step is large from 20 % of the weight or 5 points on", () => {
    const base = computeAllocation({
      covariance: COVARIANCE,
      returns: [[], [], []],
      regime: "chop",
      is_extreme: false,
    });
    const calm = computeAllocation({
      covariance: COVARIANCE,
      returns: [[], [], []],
      regime: "bull",
      is_extreme: false,
    });
    if (!base || !calm) throw new Error("no allocation");
    expect(getChanges(base, base)).toEqual([]);
    expect(
      getChanges(calm, base)
        .filter(({ id }) => id === "conservative")
        .map(({ rebalance }) => rebalance),
    ).toEqual([true, true, true, true]);
  });

  test("nothing after the day is looked at", () => {
    const wild = (bars: readonly Bar[]) =>
      bars.map((bar, index) =>
        index === bars.length - 1 ? { ...bar, close: bar.close * 3, high: bar.high * 3 } : bar,
      );
    const changed: CopilotInputs = {
      market: { bitcoin: wild(inputs.market.bitcoin), universe: inputs.market.universe.map(wild) },
      series: inputs.series.map((one) => ({ ...one, bars: wild(one.bars) })),
    };
    expect(computeCopilot(rewindCopilot(changed)).data).toEqual(computeCopilot(rewindCopilot(inputs)).data);
  });

  test("the words keep to their facts, and follow each of them", () => {
    expect(expectGrounded(planCopilot(data, "2026-10-01"))).toBeGreaterThan(12);
    const { written } = writeByTemplates(planCopilot(vector.data, vector.as_of));
    expect<unknown>([vector.data.blocks, vector.data.facts]).toEqual([written.blocks, written.facts]);
  });

  test("the preview shows the balanced profile", () => {
    const shown = redactCopilot(data);
    expect(Value.Check(CopilotSchema, shown)).toBe(true);
    expect(shown.profiles.map(({ id }) => id)).toEqual(["balanced"]);
    expect([shown.changes_since_yesterday, shown.blocks, shown.facts]).toEqual([null, [], []]);
  });
});

describe("too little", () => {
  const inputs = createInputs();
  const refused = (broken: CopilotInputs) => expect(() => computeCopilot(broken)).toThrow(NodeError);

  test("a coin of the three, a year of bars, Bitcoin's years, or movement is lacking: no answer", () => {
    refused({ ...inputs, series: inputs.series.slice(0, 2) });
    refused({ ...inputs, series: inputs.series.map((one) => ({ ...one, bars: one.bars.slice(-300) })) });
    refused({ ...inputs, market: { ...inputs.market, bitcoin: inputs.market.bitcoin.slice(-600) } });
    refused({ ...inputs, market: { bitcoin: [], universe: [] } });
    const still = inputs.series.map((one) =>
      one.symbol === "SOL" ? { ...one, bars: one.bars.map((bar) => ({ ...bar, close: 1 })) } : one,
    );
    refused({ ...inputs, series: still });
  });

  test("the refusal says to come back in ten minutes, and that nothing was charged", () => {
    let thrown: unknown;
    try {
      computeCopilot({ ...inputs, series: [] });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "upstream_unavailable", status: 503, options: { retry_after_s: 600 } });
    expect((thrown as NodeError).message).toEndWith("Nothing was charged.");
  });

  test("without the day before there are no changes, with a warning", () => {
    const short = { ...inputs, market: { ...inputs.market, bitcoin: inputs.market.bitcoin.slice(-620) } };
    const { data, warnings } = computeCopilot(short);
    expect(data.changes_since_yesterday).toBeNull();
    expect(warnings).toEqual([
      "blocks.changes: its facts are missing",
      "changes_since_yesterday: the bars do not reach back a day further",
    ]);
  });
});
