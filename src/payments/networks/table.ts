import { requireNetwork } from "../../networks/find.ts";
import type { ChainFamily, KnownNetwork } from "../../networks/types.ts";

/**
 * Every network the node can be paid on. What is known of a network (ids, asset, EIP-712 domain, explorer) is in
 * src/networks; here stands only what being paid on it takes.
 */
export type WalletFamily = "base" | "solana" | "algorand";

export interface Network {
  /** CAIP-2. */
  readonly id: string;
  /** Other spellings of the same id that facilitators and buyers use. */
  readonly aliases: readonly string[];
  /** Config table and chain family: `[wallets.base]`. */
  readonly wallet: WalletFamily;
  /** Whether it is paid to that wallet only where the operator names it in `[wallets.<wallet>] networks`. */
  readonly opt_in: boolean;
  /** `[chains.<name>]` whose RPC endpoints read this network. */
  readonly chain: string;
  readonly title: string;
  readonly testnet: boolean;
  /** Name in x402 version 1, or null if version 1 has no name for it. */
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
  /** What fees are paid in. */
  readonly coin: { readonly symbol: string; readonly decimals: number };
  /** Explorer page of a chain transaction. */
  readonly explorerUrl: (transaction: string) => string;
}

/** One line of the table: a network by its name in src/networks, and whose address is paid there. */
export interface PayableRow {
  readonly name: string;
  readonly wallet: WalletFamily;
}

type Habits = Pick<Network, "transaction_pattern" | "produce_ms_max" | "doubt_after_ms">;

/** What all networks of a family have in common. */
const HABITS: Readonly<Record<Exclude<ChainFamily, "bitcoin">, Habits>> = {
  evm: { transaction_pattern: /^0x[0-9a-fA-F]{64}$/, produce_ms_max: 120_000, doubt_after_ms: 30_000 },
  // Base58 of a 64-byte Ed25519 signature.
  solana: { transaction_pattern: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/, produce_ms_max: 35_000, doubt_after_ms: 60_000 },
  // Base32 of a SHA-512/256.
  algorand: { transaction_pattern: /^[A-Z2-7]{52}$/, produce_ms_max: 12_000, doubt_after_ms: 15_000 },
};

/**
 * The networks each wallet's table is named for. An address of the Ethereum family is somebody's on every EVM network,
 * or nobody's: a contract wallet exists on one alone. So no other network is paid to it unless the operator says so.
 */
const OWN: Readonly<Record<WalletFamily, readonly string[]>> = {
  base: ["base", "base-sepolia"],
  solana: ["solana", "solana-devnet"],
  algorand: ["algorand", "algorand-testnet"],
};

/** What Circle's USDC signs with there. @throws Error where nobody told: no buyer could sign. */
function domainOf({ title, chain_id }: KnownNetwork, asset: KnownNetwork["assets"][number]): Pick<Network, "eip712"> {
  if (chain_id === null) return {};
  if (asset.domain === null) throw new Error(`what USDC signs with on ${title} is not known`);
  return { eip712: { ...asset.domain, chain_id } };
}

/** A network the node can be paid on. @throws Error when too little is known of it. */
export function definePayable({ name, wallet }: PayableRow): Network {
  const known = requireNetwork(name);
  const { id, aliases, title, testnet, v1_name, family, coin, assets, explorerUrl } = known;
  const usdc = assets.find(({ symbol, is_circle }) => is_circle && symbol === "USDC");
  if (family === "bitcoin" || !usdc || !coin || !explorerUrl) throw new Error(`nobody can be paid in USDC on ${title}`);
  return {
    id,
    aliases,
    title,
    testnet,
    v1_name,
    wallet,
    coin,
    explorerUrl,
    chain: name.replaceAll("-", "_"),
    opt_in: !OWN[wallet].includes(name),
    asset: usdc.asset,
    ...domainOf(known, usdc),
    ...HABITS[family],
  };
}

/** The table: a further EVM network is one line, and off until an operator names it. */
const ROWS: readonly PayableRow[] = [
  { name: "base", wallet: "base" },
  { name: "base-sepolia", wallet: "base" },
  { name: "solana", wallet: "solana" },
  { name: "solana-devnet", wallet: "solana" },
  { name: "algorand", wallet: "algorand" },
  { name: "algorand-testnet", wallet: "algorand" },
];

export const NETWORKS: readonly Network[] = ROWS.map(definePayable);

const BY_ID = new Map(NETWORKS.flatMap((network) => [network.id, ...network.aliases].map((id) => [id, network])));

/** The network an id means, in whichever of its spellings. */
export const networkById = (id: string): Network | undefined => BY_ID.get(id);
export const networkByV1Name = (name: string): Network | undefined =>
  NETWORKS.find((network) => network.v1_name === name);
