import { expect, test } from "bun:test";
import { playContract } from "../../../../../test/helpers/play-contract.ts";
import { compoundRate } from "../protocol.ts";
import { readers } from "./moonwell.ts";

/** Signatures as in moonwell-fi/moonwell-contracts-v2: MTokenInterfaces, Comptroller, MultiRewardDistributorCommon. */
const OF_MARKET = {
  supplyRatePerTimestamp: 1_500_000_000n,
  getCash: 26_000_000n,
  totalBorrows: 75_000_000n,
  totalReserves: 1_000_000n,
};
const PAUSED = "function mintGuardianPaused(address market) view returns (bool)";
const CAP = "function supplyCaps(address market) view returns (uint256)";
const CONFIGS =
  "function getAllMarketConfigs(address market) view returns ((address owner, address emissionToken, " +
  "uint256 endTime, uint224 supplyGlobalIndex, uint32 supplyGlobalTimestamp, uint224 borrowGlobalIndex, " +
  "uint32 borrowGlobalTimestamp, uint256 supplyEmissionsPerSec, uint256 borrowEmissionsPerSec)[])";
const [WELL, USDC] = ["0xA88594D404727625A9437C3f886C7643872296AE", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"];
const OWNER = "0x8b621804a7637b781e2BbD58e256a591F2dF7d51";
const END_S = 1_790_000_000n;

const [reader] = readers;
if (!reader) throw new Error("no reader");
const configOf = (emissionToken: string | undefined, supplyEmissionsPerSec: bigint) => ({
  owner: OWNER,
  emissionToken,
  endTime: END_S,
  supplyGlobalIndex: 3n,
  supplyGlobalTimestamp: 4,
  borrowGlobalIndex: 5n,
  borrowGlobalTimestamp: 6,
  supplyEmissionsPerSec,
  borrowEmissionsPerSec: 9n,
});
const play = (
  told: Partial<Record<keyof typeof OF_MARKET, bigint | null>> = {},
  functions: Parameters<typeof playContract>[1] = {},
) =>
  reader.read(
    playContract(reader, {
      ...Object.fromEntries(
        Object.entries({ ...OF_MARKET, ...told }).map(([name, value]) => [
          `function ${name}() view returns (uint256)`,
          () => value,
        ]),
      ),
      [PAUSED]: ([market]) => (market === reader.contract ? false : null),
      [CAP]: ([market]) => (market === reader.contract ? 200_000_000n : null),
      [CONFIGS]: () => [configOf(WELL, 7n), configOf(USDC, 0n)],
      ...functions,
    }),
  );

test("Moonwell: a rate a second, what is lent out of what was supplied, the cap and the guardian's pause", () => {
  const read = play();
  expect(read?.rate_apy_pct).toBeCloseTo(compoundRate(1.5e-9 * 31_536_000), 9);
  // 26 in cash and 75 lent, less 1 of the protocol's own.
  expect(read).toMatchObject({ locked: "100000000", utilization_pct: 75, cap_used_pct: 50, is_paused: false });
  expect(play({}, { [PAUSED]: () => true, [CAP]: () => 0n })).toMatchObject({ is_paused: true, cap_used_pct: null });
  expect(play({ totalReserves: null })).toMatchObject({ locked: null, utilization_pct: null, cap_used_pct: null });
  expect(play({ supplyRatePerTimestamp: null })).toBeNull();
});

test("Moonwell: the distributor's pay to suppliers, each token until its end; zero emissions do not count", () => {
  expect(play()?.rewards).toEqual([
    { token: (WELL ?? "").toLowerCase(), per_second: "7", ends_at_ms: Number(END_S) * 1000 },
  ]);
  expect(play({}, { [CONFIGS]: () => [] })?.rewards).toEqual([]);
  expect(play({}, { [CONFIGS]: () => null })?.rewards).toBeNull();
  expect(play({}, { [CONFIGS]: () => Array(7).fill(configOf(WELL, 7n)) })?.rewards).toBeNull();
});
