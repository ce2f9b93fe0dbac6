/** Networks whose addresses, transactions and nodes are of one kind. */
export type ChainFamily = "evm" | "solana" | "algorand" | "bitcoin";

/** Something networks are paid in. */
export interface KnownAsset {
  /** As its issuer calls it: a bridged copy is never called like what it copies. */
  readonly symbol: string;
  /** Contract, mint or asset id, as its issuer writes it. */
  readonly asset: string;
  readonly decimals: number;
  /** EIP-712 domain its payments are signed with; null if it has no domain, or it is unknown. */
  readonly domain: { readonly name: string; readonly version: string } | null;
  /** Whether Circle itself issues it there. */
  readonly is_circle: boolean;
  /** It takes no signed authorization (EIP-3009), only Permit2. */
  readonly permit2_only?: boolean;
}

/** What is known of one network. */
export interface KnownNetwork {
  /** CAIP-2. */
  readonly id: string;
  /** Plain name, in lower case with hyphens: base-sepolia. */
  readonly name: string;
  readonly title: string;
  readonly family: ChainFamily;
  readonly testnet: boolean;
  /** Name in x402 version 1, or null if version 1 has no name for it. */
  readonly v1_name: string | null;
  /** Of EVM networks; null elsewhere. */
  readonly chain_id: number | null;
  /** Longer spellings of the id, which mean the same network wherever an id may stand. */
  readonly aliases: readonly string[];
  /** What fees are paid in; null where nobody told. */
  readonly coin: { readonly symbol: string; readonly decimals: number } | null;
  /** The first is what a price in dollars means there. */
  readonly assets: readonly KnownAsset[];
  /** Explorer page of a transaction; null where no explorer is known. */
  readonly explorerUrl: ((transaction: string) => string) | null;
}

/** A row of the generated table: what does not follow from the chain's number. */
export interface EvmRow extends Pick<KnownNetwork, "name" | "title" | "v1_name" | "testnet" | "coin" | "assets"> {
  readonly chain_id: number;
  /** Address of the explorer, without a slash at its end. */
  readonly explorer: string | null;
}
