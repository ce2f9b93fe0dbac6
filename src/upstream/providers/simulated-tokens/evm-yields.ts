import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { getOwn } from "../../../core/own.ts";
import { USDC } from "../dex-tokens.ts";
import { encodeAddress, encodeWord } from "../evm-rpc/multicall.ts";

/** By selector: stEthPerToken, getExchangeRate, exchangeRate, getRate, convertToAssets of a vault: growth a year. */
const SHARES: Readonly<Record<string, number>> = {
  "0x035faf82": 0.029,
  "0xe6aa216c": 0.027,
  "0x3ba0b9a9": 0.025,
  "0x679aefce": 0.031,
  "0x07a2d13a": 0.045,
};
const CONVERT = "0x07a2d13a";
/** Tokens whose shares are counted, and vaults that count in the 6 decimals of what they hold. */
const SHARE_TOKENS: readonly string[] = [
  "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0",
  "0xae78736cd615f374d3085123a210448e74fc6393",
  "0xbe9895146f7af43049ca1c1ae358b0541ea49704",
  "0xcd5fe23c85820f7b72d0926fc9b05b43e359b7ee",
];
const SMALL_VAULTS: readonly string[] = [
  ...["0xbeef01735c132ada46aa9aa4c54623caa92a64cb", "0xbeef010f9cb27031ad51e3333f9af9c6b1228183"],
  ...["0xee8f4ec5672f09119b96ab6fb59c27e1b7e44b61", "0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca"],
  ...["0x7bfa7c4f149e7415b73bdedfe609237e29cbf34a", "0x9fb7b4477576fe5b32be4c1843afb1e55f251b33"],
  ...["0xf42f5795d9ac7e9d757db633d693cd548cfd9169", "0x1a996cb54bb95462040408c06122d45d6cdb6096"],
];
/** Compound's token of a chain. */
const COMP: Readonly<Record<string, string>> = {
  ethereum: "0xc00e94cb662c3520282e6f5717214004a7f26888",
  base: "0x9e1028f5f1d5ede59748ffcee5532509976840e0",
  arbitrum: "0x354a6da3fcde098f8389cad84b0182725c6c91de",
};
/** Compound's markets: its unit, what was supplied in it, and what is paid a second for each 10 to the 15th. */
const COMETS: Readonly<Record<string, { readonly unit: bigint; readonly supplied: bigint; readonly speed: bigint }>> = {
  "0xc3d688b66703497daa19211eedff47f25384cdc3": { unit: 1_000_000n, supplied: 180_000_000n, speed: 0n },
  "0xb125e6687d4313864e53df431d5425969c15eb2f": { unit: 1_000_000n, supplied: 180_000_000n, speed: 231_481_481_481n },
  "0x9c4ec768c28520b50860ea7a15bd7213a9ff58bf": { unit: 1_000_000n, supplied: 180_000_000n, speed: 1_157_407_407_407n },
  "0x46e6b214b524310239732d51387075e0e70970bf": { unit: 10n ** 18n, supplied: 30_000n, speed: 0n },
};
/** Moonwell's markets on Base: their unit and what was supplied in it. */
const MOONWELL: Readonly<Record<string, { readonly unit: bigint; readonly supplied: bigint }>> = {
  "0xedc817a28e8b93b03976fbd4a3ddbc9f7d176c22": { unit: 1_000_000n, supplied: 90_000_000n },
  "0x628ff693426583d9a7fb391e54366292f509d457": { unit: 10n ** 18n, supplied: 20_000n },
};
const WELL = "0xa88594d404727625a9437c3f886c7643872296ae";
const OP = "0x4200000000000000000000000000000000000042";
/** How the addresses of a market's tokens begin: what was supplied, what is owed. */
const [SUPPLIED, OWED] = ["a7a7a7a7", "d0d0d0d0"];
const STABLES: readonly string[] = [
  ...Object.values(USDC).map((address) => address.toLowerCase()),
  "0xdac17f958d2ee523a2206206994597c13d831ec7",
];
const ORIGIN_MS = 1_700_000_000_000;
const [YEAR_MS, DAY_MS] = [31_536_000_000, 86_400_000];
const [WAD, SHARES_OUT] = [10n ** 18n, 2_000_000n * 10n ** 18n];

type Call = { readonly to: string; readonly data: string };
const big = (value: number): bigint => BigInt(Math.round(value * 1e9)) * 1_000_000_000n;
const words = (...values: readonly bigint[]): string => `0x${values.map(encodeWord).join("")}`;
const addressWord = (address: string): bigint => BigInt(`0x${encodeAddress(address)}`);
/** How many whole tokens of a market were supplied. */
const countWhole = (asset: string): bigint => (STABLES.includes(asset) ? 1_000_000_000n : 400_000n);
const decimalsOf = (asset: string): bigint => (STABLES.includes(asset) ? 6n : 18n);

/** A market of Aave's or a fork: the reserve's words, its two tokens, and what its controller pays. */
function callAave(world: SimulatedWorld, { chain, to, data, rate }: Call & { chain: string; rate: number }) {
  const selector = data.slice(0, 10);
  if (selector === "0x35ea6a75") {
    const asset = `0x${data.slice(34)}`;
    // Active, its decimals, and a cap of three times what was supplied, in whole tokens.
    const config = (1n << 56n) | (decimalsOf(asset) << 48n) | ((countWhole(asset) * 3n) << 116n);
    const all = [config, 10n ** 27n, BigInt(Math.round(rate * 1e12)) * 10n ** 15n, ...Array<bigint>(12).fill(0n)];
    all[8] = BigInt(`0x${SUPPLIED}${asset.slice(10)}`);
    all[10] = BigInt(`0x${OWED}${asset.slice(10)}`);
    return words(...all);
  }
  const side = [SUPPLIED, OWED].indexOf(to.slice(2, 10).toLowerCase());
  if (selector === "0x18160ddd" && side >= 0) {
    const known = STABLES.find((asset) => asset.slice(10) === to.slice(10).toLowerCase()) ?? "";
    const hour = Math.floor(world.now() / 3_600_000);
    const part = side === 0 ? 1 : 0.6 + 0.3 * world.noise(`owed ${to.slice(10)} ${hour}`);
    return words((countWhole(known) * 10n ** decimalsOf(known) * BigInt(Math.round(part * 1e6))) / 1_000_000n);
  }
  // Optimism's ether is paid OP beside it, for three weeks at a time.
  const is_paid = chain === "optimism" && data.endsWith("06", 74);
  if (selector === "0x6657732f") return is_paid ? words(32n, 1n, BigInt(OP)) : words(32n, 0n);
  if (selector !== "0x7eff4ba8") return undefined;
  const end_s = Math.ceil(world.now() / (21 * DAY_MS)) * 21 * (DAY_MS / 1000);
  return words(10n ** 30n, 12n * 10n ** 15n, BigInt(Math.floor(world.now() / 1000)), BigInt(end_s));
}

/** Compound's market of a chain and the contract of its rewards. */
function callComet({ chain, to, data, rate }: Call & { readonly chain: string; readonly rate: number }) {
  const selector = data.slice(0, 10);
  if (selector === "0x2289b6b8") return words(addressWord(getOwn(COMP, chain) ?? "0x0"), 10n ** 12n, 1n);
  const market = getOwn(COMETS, to.toLowerCase());
  if (!market) return undefined;
  const told: Readonly<Record<string, bigint>> = {
    "0x0bc47ad1": 0n,
    "0x7eb71131": big(0.8),
    "0xd955759d": BigInt(Math.round((rate / 31_536_000) * 1e18)),
    "0x18160ddd": market.supplied * market.unit,
    "0x189bb2f1": market.speed,
    "0x9364e18a": 1_000_000_000n,
    "0xaba7f15e": 10n ** 15n,
    "0xa20ed596": 1_000_000n,
  };
  const value = getOwn(told, selector);
  return value === undefined ? undefined : words(value);
}

/** A market of Moonwell's, three quarters lent out; its dollars are paid half a WELL a second beside it. */
function callMoonwell(world: SimulatedWorld, { to, data, rate }: Call & { readonly rate: number }) {
  const selector = data.slice(0, 10);
  const named = getOwn(MOONWELL, `0x${data.slice(34)}`);
  if (named && selector === "0x731f0c2b") return words(0n);
  if (named && selector === "0x02c3bcbb") return words(2n * named.supplied * named.unit);
  if (named && selector === "0x7e218f90") {
    if (named.unit > 1_000_000n) return words(32n, 0n);
    const end = BigInt(Math.ceil(world.now() / (28 * DAY_MS)) * 28 * (DAY_MS / 1000));
    return words(32n, 1n, 1n, addressWord(WELL), end, 10n ** 36n, 0n, 10n ** 36n, 0n, 5n * 10n ** 17n, 0n);
  }
  const market = getOwn(MOONWELL, to.toLowerCase());
  if (!market) return undefined;
  const atomic = market.supplied * market.unit;
  const told: Readonly<Record<string, bigint>> = {
    "0xd3bd2c72": BigInt(Math.round((rate / 31_536_000) * 1e18)),
    "0x8f840ddd": atomic / 100n,
    "0x3b1d21a2": atomic / 4n + atomic / 100n,
    "0x47bd3718": (3n * atomic) / 4n,
  };
  const value = getOwn(told, selector);
  return value === undefined ? undefined : words(value);
}

/** A share that only ever grows: its price, how many there are, and what they are worth. */
function callShare(world: SimulatedWorld, { to, data }: Call): string | undefined {
  const selector = data.slice(0, 10);
  const growthBy = (growth: number): bigint => big(1.05 * Math.exp((growth * (world.now() - ORIGIN_MS)) / YEAR_MS));
  const worth = (shares: bigint): bigint =>
    (shares * growthBy(SHARES[CONVERT] ?? 0)) / WAD / (SMALL_VAULTS.includes(to.toLowerCase()) ? 10n ** 12n : 1n);
  if (selector === "0x18160ddd") return SHARE_TOKENS.includes(to.toLowerCase()) ? words(SHARES_OUT) : undefined;
  if (selector === "0x01e1d114") return words(worth(SHARES_OUT));
  if (selector === CONVERT) return words(worth(BigInt(`0x${data.slice(10) || "0"}`)));
  const growth = SHARES[selector];
  return growth === undefined ? undefined : words(growthBy(growth));
}

/** What lending markets and vaults say; undefined for other calls. */
export function callYield(world: SimulatedWorld, chain: string, { to, data }: Call): string | undefined {
  const six_hours = Math.floor(world.now() / 21_600_000);
  const rate = 0.02 + 0.05 * world.noise(`yield ${to.toLowerCase()} ${data} ${six_hours}`);
  // Sky's rate: 4.5 % a year as a factor a second.
  if (data.startsWith("0x03607ceb")) return words(1_000_000_001_395_766_281_313_196_627n);
  const call = { chain, to, data, rate };
  return callAave(world, call) ?? callComet(call) ?? callMoonwell(world, call) ?? callShare(world, call);
}
