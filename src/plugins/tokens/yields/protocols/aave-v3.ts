import { NATIVE, USDC } from "intel-node/providers/dex-tokens";
import { createAaveReaders } from "../aave-market.ts";

const USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
/** Aave's own list of deployments (bgd-labs/aave-address-book): POOL and DEFAULT_INCENTIVES_CONTROLLER. */
const DEPLOYED = {
  ethereum: ["0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2", "0x8164Cc65827dcFe994AB23944CBC90e0aa80bFcb"],
  base: ["0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", "0xf9cc4F0D883F1a1eb2c253bdb46c254Ca51E1F44"],
  arbitrum: ["0x794a61358D6845594F94dc1DB02A252b5b4814aD", "0x929EC64c34a17401F460460D4B9390518E5B473e"],
  optimism: ["0x794a61358D6845594F94dc1DB02A252b5b4814aD", "0x929EC64c34a17401F460460D4B9390518E5B473e"],
} as const;

export const readers = (["ethereum", "base", "arbitrum", "optimism"] as const).flatMap((chain) => {
  const [pool, controller] = DEPLOYED[chain];
  return createAaveReaders(
    { project: "aave-v3", chain, pool, controller },
    { USDC: USDC[chain], ...(chain === "ethereum" ? { USDT } : {}), WETH: NATIVE[chain].address },
  );
});
