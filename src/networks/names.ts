/**
 * Names of chains that parameters and configuration take, with the other names people use for them. A name that stands
 * here is a promise; every other network goes by the name viem has for it.
 */
export const CHAIN_NAMES = {
  ethereum: ["eth", "mainnet"],
  base: [],
  arbitrum: ["arb", "arbitrum-one"],
  optimism: ["op", "op-mainnet"],
  polygon: ["matic", "pol"],
  bsc: ["bnb", "binance-smart-chain"],
  avalanche: ["avax"],
  gnosis: ["xdai"],
  solana: ["sol", "solana-mainnet", "solana-mainnet-beta", "solana:mainnet"],
  algorand: ["algo", "algorand-mainnet", "algorand:mainnet"],
  bitcoin: ["btc"],
} as const;

export type ChainName = keyof typeof CHAIN_NAMES;
