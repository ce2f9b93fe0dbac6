import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { USDC } from "../dex-tokens.ts";
import { encodeWord } from "../evm-rpc/multicall.ts";

/** By selector: convertToAssets, stEthPerToken, getExchangeRate, exchangeRate, getRate: growth a year. */
const SHARES: Readonly<Record<string, number>> = {
  "0x07a2d13a": 0.045,
  "0x035faf82": 0.029,
  "0xe6aa216c": 0.027,
  "0x3ba0b9a9": 0.025,
  "0x679aefce": 0.031,
};
/** How the addresses of a market's tokens begin: what was supplied, what is owed. */
const [SUPPLIED, OWED] = ["a7a7a7a7", "d0d0d0d0"];
const STABLES: readonly string[] = [
  ...Object.values(USDC).map((address) => address.toLowerCase()),
  "0xdac17f958d2ee523a2206206994597c13d831ec7",
];
const ORIGIN_MS = 1_700_000_000_000;
const YEAR_MS = 31_536_000_000;
const big = (value: number): bigint => BigInt(Math.round(value * 1e9)) * 1_000_000_000n;

/** What lending markets and vaults say; undefined for other calls. Shares only ever grow. */
export function callYield(
  world: SimulatedWorld,
  { to, data }: { readonly to: string; readonly data: string },
): string | undefined {
  const selector = data.slice(0, 10);
  const hour = Math.floor(world.now() / 3_600_000);
  const rate = 0.02 + 0.05 * world.noise(`yield ${to.toLowerCase()} ${data} ${Math.floor(hour / 6)}`);
  if (selector === "0x35ea6a75") {
    const asset = `0x${data.slice(34)}`;
    const decimals = STABLES.includes(asset) ? 6n : 18n;
    // Active, its decimals, and a cap of three billion whole tokens.
    const config = (1n << 56n) | (decimals << 48n) | (3_000_000_000n << 116n);
    const words = [config, 10n ** 27n, BigInt(Math.round(rate * 1e12)) * 10n ** 15n, ...Array<bigint>(12).fill(0n)];
    words[8] = BigInt(`0x${SUPPLIED}${asset.slice(10)}`);
    words[10] = BigInt(`0x${OWED}${asset.slice(10)}`);
    return `0x${words.map(encodeWord).join("")}`;
  }
  const side = [SUPPLIED, OWED].indexOf(to.slice(2, 10).toLowerCase());
  if (selector === "0x18160ddd" && side >= 0) {
    const whole = 1_000_000_000 * (side === 0 ? 1 : 0.6 + 0.3 * world.noise(`owed ${to.slice(10)} ${hour}`));
    const decimals = STABLES.some((asset) => asset.slice(10) === to.slice(10).toLowerCase()) ? 6 : 18;
    return `0x${encodeWord(BigInt(Math.round(whole)) * 10n ** BigInt(decimals))}`;
  }
  if (selector === "0x0bc47ad1") return `0x${encodeWord(0n)}`;
  if (selector === "0x03607ceb") return `0x${encodeWord(1_000_000_001_395_766_281_313_196_627n)}`;
  if (selector === "0x7eb71131") return `0x${encodeWord(big(0.8))}`;
  if (selector === "0xd955759d") return `0x${encodeWord(BigInt(Math.round((rate / 31_536_000) * 1e18)))}`;
  const growth = SHARES[selector];
  return growth === undefined
    ? undefined
    : `0x${encodeWord(big(1.05 * Math.exp((growth * (world.now() - ORIGIN_MS)) / YEAR_MS)))}`;
}
