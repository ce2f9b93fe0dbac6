import { expect, test } from "bun:test";
import { playContract } from "../../../../../test/helpers/play-contract.ts";
import { YEAR_SECONDS } from "../protocol.ts";
import { readers } from "./compound-v3.ts";

const COMP = "0x9e1028F5F1D5eDE59748FFceE5532509976840E0";
/** Signatures as in compound-finance/comet, CometMainInterface.sol, CometExtInterface.sol, CometRewards.sol. */
const GETTERS = {
  getUtilization: 8n * 10n ** 17n,
  isSupplyPaused: 0n,
  totalSupply: 550_801_738_000_000n,
  baseTrackingSupplySpeed: 1_747_685_185_185n,
  baseMinForRewards: 1_000_000_000_000n,
  trackingIndexScale: 10n ** 15n,
  baseAccrualScale: 1_000_000n,
};
const RATE = "function getSupplyRate(uint256 utilization) view returns (uint64)";
const CONFIG =
  "function rewardConfig(address comet) view returns (address token, uint64 rescaleFactor, bool shouldUpscale, " +
  "uint256 multiplier)";
const OLD_CONFIG = CONFIG.replace(", uint256 multiplier", "");

const [, base] = readers;
if (!base) throw new Error("no reader");
const play = (
  told: Partial<Record<keyof typeof GETTERS, bigint | null>> = {},
  config: Parameters<typeof playContract>[1] = {},
) =>
  base.read(
    playContract(base, {
      ...Object.fromEntries(
        Object.entries({ ...GETTERS, ...told }).map(([name, value]) => [
          `function ${name}() view returns (uint256)`,
          () => value,
        ]),
      ),
      [RATE]: ([utilization]) => (utilization === 8n * 10n ** 17n ? 317_100_000n : 0n),
      [CONFIG]: ([comet]) => (comet === base.contract ? [COMP, 10n ** 12n, true, 10n ** 18n] : null),
      ...config,
    }),
  );

test("Compound: the documented rate of about 1 %, asked for at the utilisation of now", () => {
  const read = play({ isSupplyPaused: 1n });
  // docs.compound.finance/interest-rates: 317100000 is roughly an APR of 1 %.
  expect(Math.log1p((read?.rate_apy_pct ?? 0) / 100) * 100).toBeCloseTo(1.0000066, 6);
  expect(read).toMatchObject({ is_paused: true, utilization_pct: 80, cap_used_pct: null, locked: "550801738000000" });
  expect(play({ getUtilization: null })).toBeNull();
});

test("Compound: rewards of the worked example that is published, and of the market's own configuration", () => {
  // bitsbyblocks.com, COMP rewards of Compound V3: a speed of 1,747,685,185,185 at a scale of 1e15, COMP at 54.17,
  // 550,801,738 USDC at 0.99998462. A day: 86,400 times the speed by the scale, 151 COMP.
  const [flow] = play()?.rewards ?? [];
  expect(flow).toMatchObject({ token: COMP.toLowerCase(), ends_at_ms: null });
  const a_day = (Number(flow?.per_second) * 86_400) / 1e18;
  expect(a_day).toBeCloseTo(151, 6);
  const apr_pct = ((a_day * 365 * 54.17) / (550_801_738 * 0.99998462)) * 100;
  expect(apr_pct).toBeCloseTo(0.5421, 4);
  expect((Number(flow?.per_second) * YEAR_SECONDS) / 1e18).toBeCloseTo(151 * 365, 3);
  // deployments/base/usdc/configuration.json: 231_481_481_481e0, 20 COMP a day.
  const [on_base] = play({ baseTrackingSupplySpeed: 231_481_481_481n })?.rewards ?? [];
  expect((Number(on_base?.per_second) * 86_400) / 1e18).toBeCloseTo(20, 6);
});

test("Compound: rewards without a multiplier are the same, halved by one of a half, and scaled down", () => {
  const old = play({}, { [OLD_CONFIG]: () => [COMP, 10n ** 12n, true] })?.rewards;
  expect(old).toEqual(play()?.rewards ?? []);
  const half = play({}, { [CONFIG]: () => [COMP, 10n ** 12n, true, 5n * 10n ** 17n] })?.rewards;
  expect(BigInt(half?.[0]?.per_second ?? 0) * 2n).toBe(BigInt(old?.[0]?.per_second ?? 1));
  const down = play(
    { baseAccrualScale: 10n ** 18n },
    { [CONFIG]: () => [COMP, 10n ** 6n, false, 10n ** 18n] },
  )?.rewards;
  // Accrued in 18 decimals, paid in 12.
  expect(down?.[0]?.per_second).toBe("1747685185");
});

test("Compound: no speed, or too little supplied, pays none; a contract that does not say leaves it unknown", () => {
  expect(play({ baseTrackingSupplySpeed: 0n })?.rewards).toEqual([]);
  expect(play({ totalSupply: 999_999_999_999n })?.rewards).toEqual([]);
  expect(play({ baseTrackingSupplySpeed: null })?.rewards).toBeNull();
  expect(play({}, { [CONFIG]: () => null })?.rewards).toBeNull();
});
