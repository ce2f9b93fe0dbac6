import { EVM_ROWS } from "./evm.gen.ts";
import type { EvmRow, KnownAsset, KnownNetwork } from "./types.ts";

/**
 * Every network the node knows. EVM networks are generated from the official packages; the others are few, and their
 * packages are heavy. Sources: developers.circle.com/stablecoins (USDC and EURC contract addresses), @x402/svm and
 * @x402/avm default assets, chainagnostic.org CAIP-2.
 */

const toEvmNetwork = ({ explorer, ...row }: EvmRow): KnownNetwork => ({
  ...row,
  id: `eip155:${row.chain_id}`,
  family: "evm",
  aliases: [],
  explorerUrl: explorer === null ? null : (transaction) => `${explorer}/tx/${transaction}`,
});

const token = (symbol: string, asset: string, is_circle = false): KnownAsset => ({
  symbol,
  asset,
  decimals: 6,
  domain: null,
  is_circle,
});

const SOL = { symbol: "SOL", decimals: 9 };
/** CAIP-2 of Solana: the first 32 characters of the genesis hash. */
const SOLANA: readonly KnownNetwork[] = [
  {
    id: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    name: "solana",
    title: "Solana",
    v1_name: "solana",
    family: "solana",
    testnet: false,
    chain_id: null,
    aliases: [],
    coin: SOL,
    assets: [
      token("USDC", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", true),
      token("EURC", "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr", true),
      token("USDT", "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"),
      token("USDG", "2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH"),
      token("PYUSD", "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"),
      token("CASH", "CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH"),
    ],
    explorerUrl: (transaction) => `https://solscan.io/tx/${transaction}`,
  },
  {
    id: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
    name: "solana-devnet",
    title: "Solana devnet",
    v1_name: "solana-devnet",
    family: "solana",
    testnet: true,
    chain_id: null,
    coin: SOL,
    aliases: [],
    assets: [
      token("USDC", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU", true),
      token("USDG", "4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7"),
      token("PYUSD", "CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM"),
    ],
    explorerUrl: (transaction) => `https://solscan.io/tx/${transaction}?cluster=devnet`,
  },
  {
    id: "solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z",
    name: "solana-testnet",
    title: "Solana testnet",
    v1_name: null,
    family: "solana",
    testnet: true,
    chain_id: null,
    aliases: [],
    coin: SOL,
    assets: [token("USDC", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU", true)],
    explorerUrl: (transaction) => `https://solscan.io/tx/${transaction}?cluster=testnet`,
  },
];

const ALGO = { symbol: "ALGO", decimals: 6 };
const CAIP_CHARS = 32;
const toUrlSafe = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_");

/**
 * CAIP-2 of Algorand: the first 32 characters of the genesis hash in url-safe base64. The aliases are the whole hash,
 * which older packages use: in both alphabets, with and without the sign that fills it up.
 */
function spellAlgorand(genesis_hash: string): Pick<KnownNetwork, "id" | "aliases"> {
  const bare = genesis_hash.replace(/=+$/, "");
  const whole = [genesis_hash, toUrlSafe(genesis_hash), bare, toUrlSafe(bare)];
  return {
    id: `algorand:${toUrlSafe(genesis_hash).slice(0, CAIP_CHARS)}`,
    aliases: [...new Set(whole)].map((hash) => `algorand:${hash}`),
  };
}

/** In standard base64, as Algorand's nodes name them. */
export const ALGORAND_GENESIS = {
  main: "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=",
  test: "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=",
} as const;

const ALGORAND: readonly KnownNetwork[] = [
  {
    ...spellAlgorand(ALGORAND_GENESIS.main),
    name: "algorand",
    title: "Algorand",
    v1_name: null,
    family: "algorand",
    testnet: false,
    chain_id: null,
    coin: ALGO,
    assets: [token("USDC", "31566704", true)],
    explorerUrl: (transaction) => `https://allo.info/tx/${transaction}`,
  },
  {
    ...spellAlgorand(ALGORAND_GENESIS.test),
    name: "algorand-testnet",
    title: "Algorand testnet",
    v1_name: null,
    family: "algorand",
    testnet: true,
    chain_id: null,
    coin: ALGO,
    assets: [token("USDC", "10458941", true)],
    explorerUrl: (transaction) => `https://testnet.explorer.perawallet.app/tx/${transaction}`,
  },
];

const BITCOIN: KnownNetwork = {
  id: "bip122:000000000019d6689c085ae165831e93",
  name: "bitcoin",
  title: "Bitcoin",
  v1_name: null,
  family: "bitcoin",
  testnet: false,
  chain_id: null,
  aliases: [],
  assets: [],
  coin: { symbol: "BTC", decimals: 8 },
  explorerUrl: (transaction) => `https://mempool.space/tx/${transaction}`,
};

export const KNOWN_NETWORKS: readonly KnownNetwork[] = [...EVM_ROWS.map(toEvmNetwork), ...SOLANA, ...ALGORAND, BITCOIN];
