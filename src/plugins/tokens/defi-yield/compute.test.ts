import { describe, expect, test } from "bun:test";
import { toFunctionSelector } from "viem";
import { isAddress } from "../../../core/eth-address.ts";
import { annualise, compoundRate, readYield, SELECTORS, YIELD_READERS } from "../shared/yields/readers.ts";
import { getDrawdown, getGrowth } from "./compute.ts";

const DAY_MS = 86_400_000;
const word = (value: bigint) => value.toString(16).padStart(64, "0");

describe("reading contracts", () => {
  test("selectors are those of the functions, addresses have their checksums, names are unique", () => {
    const selectors: Readonly<Record<string, string>> = SELECTORS;
    expect(selectors).toEqual({
      reserve: toFunctionSelector("getReserveData(address)"),
      ssr: toFunctionSelector("ssr()"),
      assets: toFunctionSelector("convertToAssets(uint256)"),
      steth: toFunctionSelector("stEthPerToken()"),
      rocket: toFunctionSelector("getExchangeRate()"),
      coinbase: toFunctionSelector("exchangeRate()"),
      etherfi: toFunctionSelector("getRate()"),
      utilization: toFunctionSelector("getUtilization()"),
      supply_rate: toFunctionSelector("getSupplyRate(uint256)"),
    });
    expect(YIELD_READERS.filter(({ contract }) => !isAddress(contract))).toEqual([]);
    expect(new Set(YIELD_READERS.map(({ id }) => id)).size).toBe(YIELD_READERS.length);
    expect(new Set(YIELD_READERS.map(({ project }) => project)).size).toBeGreaterThanOrEqual(12);
  });

  test("rates become yields: 5 % paid every second are 5.127 %", () => {
    expect(compoundRate(0.05)).toBeCloseTo(5.127109, 4);
    const pool = [word(1n << 60n), word(0n), word(5n * 10n ** 25n), ...Array(12).fill(word(0n))];
    expect(readYield("aave_pool", pool)).toMatchObject({ is_paused: true });
    expect(readYield("aave_pool", pool)?.rate_apy_pct).toBeCloseTo(5.127109, 4);
    // Sky's rate of 4.5 % a year as the contract keeps it.
    expect(readYield("savings_rate", [word(1_000000001395766281313196627n)])?.rate_apy_pct).toBeCloseTo(4.5, 3);
    expect(readYield("comet", [word(1_585_489_599n)])?.rate_apy_pct).toBeCloseTo(5.127109, 4);
    expect(readYield("share_price", [word(12n * 10n ** 17n)])).toMatchObject({ share_price: 1.2 });
    for (const words of [null, [], [word(0n)]]) expect(readYield("share_price", words)).toBeNull();
    expect(readYield("aave_pool", [word(1n)])).toBeNull();
  });

  test("shares: growth over the days there really were, and the largest fall", () => {
    expect(annualise(1.0007, 1, 7)).toBeCloseTo((1.0007 ** (365 / 7) - 1) * 100, 9);
    const sample = (days_ago: number, share_price: number) => ({
      ...{ at_ms: 0, rate_apy_pct: null, share_price, is_paused: null, block_at_ms: 1e12 - days_ago * DAY_MS },
    });
    const samples = [sample(8, 1), sample(1, 1.0006), sample(0, 1.0008)];
    expect(getGrowth({ samples }, 7)).toBeCloseTo(annualise(1.0008, 1, 8), 9);
    expect(getGrowth({ samples }, 30)).toBeNull();
    expect(getDrawdown([1, 1.1, 0.99, 1.2])).toBeCloseTo(10, 9);
    expect(getDrawdown([])).toBeNull();
  });
});
