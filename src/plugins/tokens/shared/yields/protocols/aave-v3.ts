import { NATIVE, USDC } from "intel-node/providers/dex-tokens";
import { createAaveReaders } from "../aave-market.ts";

const USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
/** Aave's own list of deployments (bgd-labs/aave-address-book). */
const POOLS = {
  ethereum: "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2",
  base: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5",
  arbitrum: "0x794a61358D6845594F94dc1DB02A252b5b4814aD",
  optimism: "0x794a61358D6845594F94dc1DB02A252b5b4814aD",
} as const;
const PROJECT = "aave-v3";

export const readers = (["ethereum", "base", "arbitrum", "optimism"] as const).flatMap((chain) =>
  createAaveReaders(
    { project: PROJECT, chain, pool: POOLS[chain] },
    { USDC: USDC[chain], ...(chain === "ethereum" ? { USDT } : {}), WETH: NATIVE[chain].address },
  ),
);
