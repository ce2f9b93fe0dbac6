import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { encodeWord } from "../evm-rpc/multicall.ts";

/** By selector: convertToAssets, stEthPerToken, getExchangeRate, exchangeRate, getRate: growth a year. */
const SHARES: Readonly<Record<string, number>> = {
  "0x07a2d13a": 0.045,
  "0x035faf82": 0.029,
  "0xe6aa216c": 0.027,
  "0x3ba0b9a9": 0.025,
  "0x679aefce": 0.031,
};
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
    const words = [0n, 10n ** 27n, BigInt(Math.round(rate * 1e12)) * 10n ** 15n, ...Array<bigint>(12).fill(0n)];
    return `0x${words.map(encodeWord).join("")}`;
  }
  if (selector === "0x03607ceb") return `0x${encodeWord(1_000_000_001_395_766_281_313_196_627n)}`;
  if (selector === "0x7eb71131") return `0x${encodeWord(big(0.8))}`;
  if (selector === "0xd955759d") return `0x${encodeWord(BigInt(Math.round((rate / 31_536_000) * 1e18)))}`;
  const growth = SHARES[selector];
  return growth === undefined
    ? undefined
    : `0x${encodeWord(big(1.05 * Math.exp((growth * (world.now() - ORIGIN_MS)) / YEAR_MS)))}`;
}
