import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { fc } from "../../../../test/helpers/properties.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import type { Scan } from "../dex/stored-scan.ts";
import { computeMultiChain as draft, getTripResult } from "./compute.ts";
import { MultiChainSchema } from "./schema.ts";

const computeMultiChain = asSold(MultiChainSchema, draft);

const buy = (chain: Scan["buys"][number]["chain"], amount: number, change: Partial<Scan["buys"][number]> = {}) => ({
  chain,
  asset: "ETH" as const,
  wrapper: "WETH",
  source: "uniswap_v3" as const,
  amount,
  fee_tier: 500,
  gas_usd: 0.05,
  ...change,
});
const sell = (
  [from_chain, chain]: readonly [Scan["buys"][number]["chain"], Scan["buys"][number]["chain"]],
  usdc_out: number,
  change: Partial<Scan["sells"][number]> = {},
) => ({
  chain,
  asset: "ETH" as const,
  wrapper: "WETH",
  from_chain,
  from_wrapper: "WETH",
  usdc_out,
  fee_tier: 3_000,
  gas_usd: 0.05,
  ...change,
});

const SCAN: Scan = {
  as_of_ms: 1_790_000_000_000,
  read_at_ms: 1_790_000_004_000,
  notional_usd: 10_000,
  buys: [buy("base", 4), buy("arbitrum", 3.99)],
  sells: [
    sell(["base", "base"], 9_985),
    sell(["arbitrum", "arbitrum"], 9_990),
    sell(["base", "arbitrum"], 10_052.31),
    sell(["arbitrum", "base"], 9_950),
  ],
  mids: [],
  bridges: [
    { from: "arbitrum", to: "base", fast_bps: 1.3, standard_bps: 0 },
    { from: "base", to: "arbitrum", fast_bps: null, standard_bps: 0 },
  ],
  missing: [],
  sources: [],
};

describe("a round trip", () => {
  test("gains 50.91 bps net of 52.31 gross, 1.3 for the bridge and 0.10 USD of gas", () => {
    const result = getTripResult({ paid: 10_000, got: 10_052.31, bridge_bps: 1.3, gas_usd: 0.1 });
    expect(result.gross_bps).toBeCloseTo(52.31, 8);
    expect(result.gas_bps).toBeCloseTo(0.1, 12);
    expect(result.net_bps).toBeCloseTo(50.91, 8);
  });

  test("is the same whatever the notional when everything scales with it, and falls with every cost", () => {
    const amounts = fc.record({
      paid: fc.double({ min: 1, max: 1e6, noNaN: true }),
      ratio: fc.double({ min: 0.5, max: 1.5, noNaN: true }),
      bridge_bps: fc.double({ min: 0, max: 20, noNaN: true }),
      gas_ratio: fc.double({ min: 0, max: 0.01, noNaN: true }),
      scale: fc.double({ min: 0.01, max: 100, noNaN: true }),
    });
    fc.assert(
      fc.property(amounts, ({ paid, ratio, bridge_bps, gas_ratio, scale }) => {
        const at = (size: number, extra = 0) =>
          getTripResult({ paid: size, got: size * ratio, bridge_bps: bridge_bps + extra, gas_usd: size * gas_ratio });
        const [one, other, dearer] = [at(paid).net_bps ?? 0, at(paid * scale).net_bps ?? 0, at(paid, 1).net_bps ?? 0];
        expect(other).toBeCloseTo(one, 6);
        expect(dearer).toBeCloseTo(one - 1, 6);
      }),
    );
  });

  test("with an unknown cost has no net", () => {
    expect(getTripResult({ paid: 1, got: 2, bridge_bps: null, gas_usd: 0 }).net_bps).toBeNull();
    expect(getTripResult({ paid: 1, got: 2, bridge_bps: 0, gas_usd: null })).toMatchObject({ net_bps: null });
  });
});

describe("a scan", () => {
  test("becomes rows, best net first, with the bridge of the way back", () => {
    const { data, as_of_ms, warnings } = computeMultiChain(SCAN);
    expect([...Value.Errors(MultiChainSchema, data)]).toEqual([]);
    expect(as_of_ms).toBe(SCAN.as_of_ms);
    expect(warnings).toEqual([]);
    expect(data.rows).toEqual([
      {
        asset: "ETH",
        wrapper: "WETH",
        buy_chain: "base",
        sell_chain: "arbitrum",
        buy_price: 2_500,
        sell_price: 2_513.0775,
        gross_bps: 52.31,
        bridge_bps: 1.3,
        gas_bps: 0.1,
        net_bps: 50.91,
        fee_tier_buy: 500,
        fee_tier_sell: 3_000,
        bridge_seconds_est: null,
      },
      expect.objectContaining({ buy_chain: "arbitrum", gross_bps: -50, bridge_bps: 0, gas_bps: 0.1, net_bps: -50.1 }),
    ]);
    expect(data).toMatchObject({ best_net_bps: 50.91, executable: true, notional_usd: 10_000 });
  });

  test("shows each chain's middle and what a trip on it alone costs", () => {
    const { per_chain } = computeMultiChain(SCAN).data;
    // sqrt(10000/4 x 9985/4) and 1 - 9985/10000
    expect(per_chain[0]).toEqual({
      asset: "ETH",
      wrapper: "WETH",
      chain: "base",
      mid_usd: 2_498.1243,
      round_trip_cost_bps: 15,
      source: "uniswap_v3",
    });
    expect(per_chain.some(({ chain, round_trip_cost_bps }) => chain === "arbitrum" && round_trip_cost_bps === 10)).toBe(
      true,
    );
  });

  test("takes the fee of its own route: fees to another end or from another start do not count", () => {
    const others = [
      { from: "arbitrum" as const, to: "ethereum" as const, fast_bps: 7, standard_bps: 7 },
      { from: "ethereum" as const, to: "base" as const, fast_bps: 8, standard_bps: 8 },
    ];
    const { data } = computeMultiChain({ ...SCAN, bridges: [...others, ...SCAN.bridges] });
    expect(data).toEqual(computeMultiChain(SCAN).data);
    // With only those there is no fee for either trip.
    expect(computeMultiChain({ ...SCAN, bridges: others }).data.rows).toMatchObject([
      { bridge_bps: null },
      { bridge_bps: null },
    ]);
  });

  test("is bought with the wrapper that is sold, on the chain it comes from", () => {
    const decoys = [buy("base", 5, { wrapper: "wstETH" }), buy("ethereum", 6)];
    const sells = SCAN.sells.slice(2, 3);
    const { rows } = computeMultiChain({ ...SCAN, buys: [...decoys, ...SCAN.buys], sells }).data;
    // 10,000 / 4 and 10,052.31 / 4
    expect(rows).toMatchObject([{ buy_chain: "base", buy_price: 2_500, sell_price: 2_513.0775 }]);
    expect(computeMultiChain({ ...SCAN, buys: decoys, sells }).data.rows).toEqual([]);
  });

  test("that only gains before costs is not executable", () => {
    const sells = [sell(["base", "arbitrum"], 10_001)];
    const { data } = computeMultiChain({ ...SCAN, sells });
    expect(data.rows?.[0]).toMatchObject({ gross_bps: 1, net_bps: -0.4 });
    expect(data).toMatchObject({ executable: false, best_net_bps: -0.4 });
  });

  test("never nets two wrappers: such trips are flagged, apart, and do not count as executable", () => {
    const buys = [buy("ethereum", 0.15, { asset: "BTC", wrapper: "WBTC" })];
    const sells = [sell(["ethereum", "base"], 11_000, { asset: "BTC", wrapper: "cbBTC", from_wrapper: "WBTC" })];
    const bridges = [{ from: "base" as const, to: "ethereum" as const, fast_bps: 1, standard_bps: 0 }];
    const { data } = computeMultiChain({ ...SCAN, buys, sells, bridges });
    expect(data).toMatchObject({ rows: [], best_net_bps: null, executable: false });
    expect(data.wrapper_mismatch_rows).toMatchObject([
      { buy_wrapper: "WBTC", sell_wrapper: "cbBTC", wrapper_mismatch: true, gross_bps: 1_000 },
    ]);
  });

  test("without a cost has no net for that trip, ranks it last and says so", () => {
    const { data, warnings } = computeMultiChain({ ...SCAN, bridges: SCAN.bridges.slice(1) });
    expect(data.rows?.map(({ net_bps }) => net_bps)).toEqual([-50.1, null]);
    expect(data).toMatchObject({ best_net_bps: -50.1, executable: false });
    expect(warnings).toEqual(["rows[].bridge_bps: Circle's fee is not known", "rows[].net_bps: a cost is not known"]);
    const no_gas = computeMultiChain({ ...SCAN, buys: SCAN.buys.map((one) => ({ ...one, gas_usd: null })) });
    expect(no_gas.data).toMatchObject({ best_net_bps: null, executable: false });
    expect(no_gas.warnings.join()).toContain("gas_bps");
  });

  test("gives the same answer in whatever order the chains were read", () => {
    const shuffled = fc.tuple(
      fc.shuffledSubarray(SCAN.sells, { minLength: 4 }),
      fc.shuffledSubarray(SCAN.buys, { minLength: 2 }),
    );
    fc.assert(
      fc.property(shuffled, ([sells, buys]) => {
        expect(computeMultiChain({ ...SCAN, sells, buys }).data.rows).toEqual(computeMultiChain(SCAN).data.rows);
      }),
    );
  });

  test("that is minutes old says so: pools have moved since", () => {
    const warningsAt = (age_ms: number) => computeMultiChain(SCAN, { now_ms: SCAN.as_of_ms + age_ms }).warnings;
    expect(warningsAt(120_000)).toEqual([]);
    expect(warningsAt(301_000)).toEqual(["rows: the pools were read 301 s ago and have moved since"]);
  });

  test("shows a pool table's price as such, and never trades on it", () => {
    const token = { chain: "polygon", asset: "ETH", wrapper: "WETH" } as const;
    const mids = [{ ...token, mid_usd: 2_600, source: "geckoterminal" as const }];
    const { data } = computeMultiChain({ ...SCAN, mids, missing: [{ chain: "polygon", reason: "down" }] });
    expect(data.per_chain.at(-1)).toMatchObject({ source: "geckoterminal", round_trip_cost_bps: null, mid_usd: 2_600 });
    expect(JSON.stringify(data.rows)).not.toContain("polygon");
  });
});
