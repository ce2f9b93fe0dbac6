import { createVaultReader } from "../share-price.ts";

const PAID = { pays_elsewhere: "FLUID by Merkle roots" };
const USDC = { ...PAID, project: "fluid", symbol: "fUSDC", underlying: "USDC", decimals: 6, is_stable: true };

/** Fluid's fTokens (Instadapp/fluid-contracts-public, deployments), vaults with shares of the underlying's decimals. */
export const readers = [
  createVaultReader({ ...USDC, chain: "ethereum", contract: "0x9Fb7b4477576Fe5B32be4C1843aFB1e55F251B33" }),
  createVaultReader({ ...USDC, chain: "base", contract: "0xf42f5795D9ac7e9D757dB633D693cD548Cfd9169" }),
  createVaultReader({ ...USDC, chain: "arbitrum", contract: "0x1A996cb54bb95462040408C06122D45D6Cdb6096" }),
  createVaultReader({
    ...PAID,
    project: "fluid",
    symbol: "fWETH",
    underlying: "WETH",
    chain: "base",
    contract: "0x9272D6153133175175Bc276512B2336BE3931CE9",
  }),
];
