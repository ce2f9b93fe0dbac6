import { expect, test } from "bun:test";
import { playContract } from "../../../../../test/helpers/play-contract.ts";
import { readers } from "./aave-v3.ts";

/** As in aave-dao/aave-v3-origin: IPool.getReserveData with DataTypes.ReserveDataLegacy, IRewardsDistributor. */
const RESERVE =
  "function getReserveData(address asset) view returns (uint256 configuration, uint128 liquidityIndex, " +
  "uint128 currentLiquidityRate, uint128 variableBorrowIndex, uint128 currentVariableBorrowRate, " +
  "uint128 currentStableBorrowRate, uint40 lastUpdateTimestamp, uint16 id, address aTokenAddress, " +
  "address stableDebtTokenAddress, address variableDebtTokenAddress, address interestRateStrategyAddress, " +
  "uint128 accruedToTreasury, uint128 unbacked, uint128 isolationModeTotalDebt)";
const SUPPLY = "function totalSupply() view returns (uint256)";
const BY_ASSET = "function getRewardsByAsset(address asset) view returns (address[])";
const DATA = "function getRewardsData(address asset, address reward) view returns (uint256, uint256, uint256, uint256)";

/** aEthUSDC, its debt token and the controller of bgd-labs/aave-address-book, AaveV3Ethereum. */
const A_TOKEN = "0x98C23E9d8f34FEFb1B7BD6a91B7FF122F4e16F5c";
const DEBT = "0x72E95b8931767C79bA4EeE721354d6E99a61D004";
const CONTROLLER = "0x8164Cc65827dcFe994AB23944CBC90e0aa80bFcb";
const [OP, ARB] = ["0x4200000000000000000000000000000000000042", "0x912CE59144191C1204E64559FE8253a0e49E6548"];
const END_S = 1_790_000_000n;

const [reader] = readers;
if (!reader) throw new Error("no reader");
/** Bits of DataTypes.ReserveConfigurationMap: decimals 48-55, active 56, frozen 57, paused 60, supply cap 116-151. */
const configure = (flags: bigint) => (6n << 48n) | (1n << 56n) | (2_000n << 116n) | flags;
const play = (flags: bigint, functions: Parameters<typeof playContract>[1] = {}) =>
  reader.read(
    playContract(reader, {
      [RESERVE]: () => [
        ...[configure(flags), 1n, 5n * 10n ** 25n, 2n, 3n, 4n, 5, 6, A_TOKEN, OP, DEBT, ARB, 7n, 8n, 9n],
      ],
      [SUPPLY]: (_, to) => (to === A_TOKEN.toLowerCase() ? 1_000_000_000n : 800_000_000n),
      [BY_ASSET]: ([asset], to) => (asset === A_TOKEN && to === CONTROLLER ? [OP, ARB] : null),
      [DATA]: ([asset, reward]) => (asset === A_TOKEN ? [1n, reward === OP ? 12n * 10n ** 15n : 0n, 2n, END_S] : null),
      ...functions,
    }),
  );

test("Aave: rate in ray, what is lent out, the cap and the flags of a reserve", () => {
  const read = play(1n << 60n);
  expect(read).toMatchObject({ is_paused: true, utilization_pct: 80, cap_used_pct: 50, locked: "1000000000" });
  // A rate of 5 % paid each second is e^0.05 - 1 in a year, to six digits.
  expect(read?.rate_apy_pct).toBeCloseTo(Math.expm1(0.05) * 100, 5);
  expect(play(1n << 57n)?.is_paused).toBe(true);
  // Borrowing enabled, in isolation, siloed, flash loans do not stop deposits.
  expect(play((1n << 58n) | (1n << 61n) | (1n << 62n) | (1n << 63n))?.is_paused).toBe(false);
  expect(play(0n, { [SUPPLY]: () => null })).toMatchObject({ utilization_pct: null, cap_used_pct: null, locked: null });
  expect(play(0n, { [RESERVE]: () => null })).toBeNull();
});

test("Aave: the controller's pay for holding the market's token, and until when; zero emissions do not count", () => {
  expect(play(0n)?.rewards).toEqual([{ token: OP, per_second: "12000000000000000", ends_at_ms: Number(END_S) * 1000 }]);
  expect(play(0n, { [BY_ASSET]: () => [] })?.rewards).toEqual([]);
  // What does not answer, or lists more than is read, is unknown.
  expect(play(0n, { [BY_ASSET]: () => null })?.rewards).toBeNull();
  expect(play(0n, { [DATA]: () => null })?.rewards).toBeNull();
  expect(play(0n, { [BY_ASSET]: () => Array(7).fill(OP) })?.rewards).toBeNull();
});

test("Aave: markets of four chains", () => {
  expect(readers.map(({ chain, symbol, decimals }) => `${chain} ${symbol} ${decimals}`)).toEqual([
    ...["ethereum USDC 6", "ethereum USDT 6", "ethereum WETH 18", "base USDC 6", "base WETH 18"],
    ...["arbitrum USDC 6", "arbitrum WETH 18", "optimism USDC 6", "optimism WETH 18"],
  ]);
});
