/**
 * Every network the node can be paid on: the only place for ids, assets and EIP-712 domains.
 * Sources: developers.circle.com/stablecoins/usdc-contract-addresses; @x402/evm, @x402/svm and @x402/avm default
 * assets; chainagnostic.org CAIP-2.
 */
export interface Network {
  /** CAIP-2. */
  readonly id: string;
  /** Config table and chain family: `[wallets.base]`. */
  readonly wallet: "base" | "solana" | "algorand";
  /** `[chains.<name>]` whose RPC endpoints read this network. */
  readonly chain: string;
  readonly title: string;
  readonly testnet: boolean;
  /** Name in x402 version 1, or null where version 1 has none. */
  readonly v1_name: string | null;
  readonly asset: string;
  /** EIP-712 domain of the asset; EVM only. */
  readonly eip712?: { readonly name: string; readonly version: string; readonly chain_id: number };
  /** Longest time a product may take, because the signed payment dies. */
  readonly produce_ms_max: number;
  /** Explorer page of a chain transaction. */
  readonly explorerUrl: (transaction: string) => string;
}

export const NETWORKS: readonly Network[] = [
  {
    id: "eip155:8453",
    wallet: "base",
    chain: "base",
    title: "Base",
    testnet: false,
    v1_name: "base",
    asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    eip712: { name: "USD Coin", version: "2", chain_id: 8453 },
    produce_ms_max: 120_000,
    explorerUrl: (transaction) => `https://basescan.org/tx/${transaction}`,
  },
  {
    id: "eip155:84532",
    wallet: "base",
    chain: "base_sepolia",
    title: "Base Sepolia",
    testnet: true,
    v1_name: "base-sepolia",
    asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    eip712: { name: "USDC", version: "2", chain_id: 84532 },
    produce_ms_max: 120_000,
    explorerUrl: (transaction) => `https://sepolia.basescan.org/tx/${transaction}`,
  },
];

export const networkById = (id: string): Network | undefined => NETWORKS.find((network) => network.id === id);
export const networkByV1Name = (name: string): Network | undefined =>
  NETWORKS.find((network) => network.v1_name === name);
