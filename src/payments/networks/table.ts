/**
 * Every network the node can be paid on: the only place for ids, assets and EIP-712 domains.
 * Sources: developers.circle.com/stablecoins/usdc-contract-addresses; @x402/evm, @x402/svm and @x402/avm default
 * assets; chainagnostic.org CAIP-2.
 */
export interface Network {
  /** CAIP-2. */
  readonly id: string;
  /** Other spellings of the same id that facilitators and buyers use. */
  readonly aliases?: readonly string[];
  /** Config table and chain family: `[wallets.base]`. */
  readonly wallet: "base" | "solana" | "algorand";
  /** `[chains.<name>]` whose RPC endpoints read this network. */
  readonly chain: string;
  readonly title: string;
  readonly testnet: boolean;
  /** Name in x402 version 1, or null where version 1 has none. */
  readonly v1_name: string | null;
  readonly asset: string;
  /** What a transaction of this chain is called by: whatever a facilitator names must look like it. */
  readonly transaction_pattern: RegExp;
  /** EIP-712 domain of the asset; EVM only. */
  readonly eip712?: { readonly name: string; readonly version: string; readonly chain_id: number };
  /** Longest time a product may take, because the signed payment dies. */
  readonly produce_ms_max: number;
  /** After so long a transaction that was reported as settled is known to the chain, or there is reason for doubt. */
  readonly doubt_after_ms: number;
  /** Explorer page of a chain transaction. */
  readonly explorerUrl: (transaction: string) => string;
}

const EVM_TRANSACTION = /^0x[0-9a-fA-F]{64}$/;
/** Base58 of a 64-byte Ed25519 signature. */
const SOLANA_TRANSACTION = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
/** Base32 of a SHA-512/256. */
const ALGORAND_TRANSACTION = /^[A-Z2-7]{52}$/;

export const NETWORKS: readonly Network[] = [
  {
    id: "eip155:8453",
    wallet: "base",
    chain: "base",
    title: "Base",
    testnet: false,
    v1_name: "base",
    asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    transaction_pattern: EVM_TRANSACTION,
    eip712: { name: "USD Coin", version: "2", chain_id: 8453 },
    produce_ms_max: 120_000,
    doubt_after_ms: 30_000,
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
    transaction_pattern: EVM_TRANSACTION,
    eip712: { name: "USDC", version: "2", chain_id: 84532 },
    produce_ms_max: 120_000,
    doubt_after_ms: 30_000,
    explorerUrl: (transaction) => `https://sepolia.basescan.org/tx/${transaction}`,
  },
  {
    // CAIP-2 of Solana: the first 32 characters of the genesis hash.
    id: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    wallet: "solana",
    chain: "solana",
    title: "Solana",
    testnet: false,
    v1_name: "solana",
    asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    transaction_pattern: SOLANA_TRANSACTION,
    produce_ms_max: 35_000,
    doubt_after_ms: 60_000,
    explorerUrl: (transaction) => `https://solscan.io/tx/${transaction}`,
  },
  {
    id: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
    wallet: "solana",
    chain: "solana_devnet",
    title: "Solana devnet",
    testnet: true,
    v1_name: "solana-devnet",
    asset: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
    transaction_pattern: SOLANA_TRANSACTION,
    produce_ms_max: 35_000,
    doubt_after_ms: 60_000,
    explorerUrl: (transaction) => `https://solscan.io/tx/${transaction}?cluster=devnet`,
  },
  {
    // CAIP-2 of Algorand: the first 32 characters of the genesis hash in url-safe base64. The aliases are the whole
    // hash, which older packages use, in both alphabets.
    id: "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k",
    aliases: [
      "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=",
      "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8",
    ],
    wallet: "algorand",
    chain: "algorand",
    title: "Algorand",
    testnet: false,
    v1_name: null,
    asset: "31566704",
    transaction_pattern: ALGORAND_TRANSACTION,
    produce_ms_max: 12_000,
    doubt_after_ms: 15_000,
    explorerUrl: (transaction) => `https://allo.info/tx/${transaction}`,
  },
  {
    id: "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe",
    aliases: [
      "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=",
      "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9_cOUJOiI=",
      "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9_cOUJOiI",
    ],
    wallet: "algorand",
    chain: "algorand_testnet",
    title: "Algorand testnet",
    testnet: true,
    v1_name: null,
    asset: "10458941",
    transaction_pattern: ALGORAND_TRANSACTION,
    produce_ms_max: 12_000,
    doubt_after_ms: 15_000,
    explorerUrl: (transaction) => `https://testnet.explorer.perawallet.app/tx/${transaction}`,
  },
];

const BY_ID = new Map(
  NETWORKS.flatMap((network) => [network.id, ...(network.aliases ?? [])].map((id) => [id, network])),
);

/** The network an id means, in whichever of its spellings. */
export const networkById = (id: string): Network | undefined => BY_ID.get(id);
export const networkByV1Name = (name: string): Network | undefined =>
  NETWORKS.find((network) => network.v1_name === name);
