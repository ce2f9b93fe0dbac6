import { requireAsset } from "../../networks/find.ts";

/** Chains on which exchange pools are asked, in the order of answers. */
export const EVM_DEX_CHAINS = ["ethereum", "base", "arbitrum", "optimism", "polygon"] as const;
export const DEX_CHAINS = [...EVM_DEX_CHAINS, "solana"] as const;
export type EVMDexChain = (typeof EVM_DEX_CHAINS)[number];
export type DexChain = (typeof DEX_CHAINS)[number];

export const DEX_ASSETS = ["ETH", "BTC", "LINK", "UNI", "AAVE"] as const;
export type DexAsset = (typeof DEX_ASSETS)[number];

/** One token contract or mint. */
export interface DexToken {
  readonly asset: DexAsset;
  /**
   * Whose promise it is. Tokens of one asset under two names are different credit risks: a trade that buys one and
   * sells the other is not closed.
   */
  readonly wrapper: string;
  readonly address: string;
  /** As listed. What the chain itself says is checked against it before a quote is believed. */
  readonly decimals: number;
}

export const USDC_DECIMALS = 6;

/** Circle's own USDC, never a bridged copy. */
export const USDC: Readonly<Record<DexChain, string>> = {
  ethereum: requireAsset("ethereum", "USDC"),
  base: requireAsset("base", "USDC"),
  arbitrum: requireAsset("arbitrum", "USDC"),
  optimism: requireAsset("optimism", "USDC"),
  polygon: requireAsset("polygon", "USDC"),
  solana: requireAsset("solana", "USDC"),
};

/** What gas is paid in, wrapped so that pools trade it. Solana's is asked for by its mint. */
export const NATIVE: Readonly<Record<DexChain, { readonly address: string; readonly decimals: number }>> = {
  ethereum: { address: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", decimals: 18 },
  base: { address: "0x4200000000000000000000000000000000000006", decimals: 18 },
  arbitrum: { address: "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1", decimals: 18 },
  optimism: { address: "0x4200000000000000000000000000000000000006", decimals: 18 },
  polygon: { address: "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270", decimals: 18 },
  solana: { address: "So11111111111111111111111111111111111111112", decimals: 9 },
};

type Listed = readonly [asset: DexAsset, wrapper: string, address: string, decimals: number];
const list = (rows: readonly Listed[]): readonly DexToken[] =>
  rows.map(([asset, wrapper, address, decimals]) => ({ asset, wrapper, address, decimals }));

const CBBTC = "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf";

/**
 * Addresses as in Uniswap's default token list and Across' constants. Solana's ether is issued by Wormhole alone, so it
 * has a separate name.
 */
export const DEX_TOKENS: Readonly<Record<DexChain, readonly DexToken[]>> = {
  ethereum: list([
    ["ETH", "WETH", NATIVE.ethereum.address, 18],
    ["BTC", "cbBTC", CBBTC, 8],
    ["BTC", "WBTC", "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599", 8],
    ["LINK", "LINK", "0x514910771AF9Ca656af840dff83E8264EcF986CA", 18],
    ["UNI", "UNI", "0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984", 18],
    ["AAVE", "AAVE", "0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9", 18],
  ]),
  base: list([
    ["ETH", "WETH", NATIVE.base.address, 18],
    ["BTC", "cbBTC", CBBTC, 8],
    ["UNI", "UNI", "0xc3De830EA07524a0761646a6a4e4be0e114a3C83", 18],
  ]),
  arbitrum: list([
    ["ETH", "WETH", NATIVE.arbitrum.address, 18],
    ["BTC", "cbBTC", CBBTC, 8],
    ["BTC", "WBTC", "0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f", 8],
  ]),
  optimism: list([
    ["ETH", "WETH", NATIVE.optimism.address, 18],
    ["BTC", "WBTC", "0x68f180fcCe6836688e9084f035309E29Bf0A2095", 8],
  ]),
  polygon: list([
    ["ETH", "WETH", "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619", 18],
    ["BTC", "WBTC", "0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6", 8],
    ["LINK", "LINK", "0x53E0bca35eC356BD5ddDFebbD1Fc0fD03FaBad39", 18],
    ["UNI", "UNI", "0xb33EaAd8d922B1083446DC23f610c2567fB5180f", 18],
    ["AAVE", "AAVE", "0xD6DF932A45C0f255f85145f286eA0b292B21C90B", 18],
  ]),
  solana: list([
    ["ETH", "whETH", "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs", 8],
    ["BTC", "cbBTC", "cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij", 8],
  ]),
};
