import type { TokenChain } from "../issuer-tokens.ts";

/** What a perfect judge would say: no trap may pass, no blue chip may be called one. */
export type TokenTruth = "honest" | "blue_chip" | "caution" | "trap";

/** Everything the simulated providers tell of one token, each in its own words. */
export interface SimulatedTokenFacts {
  /** Unique; the address of an invented token follows from it. */
  readonly id: string;
  readonly chain: TokenChain;
  readonly address: string;
  /** Who made it; follows from the id unless given. */
  readonly creator?: string;
  readonly truth: TokenTruth;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Whole tokens. */
  readonly supply: number;
  readonly price_usd: number;
  /** In minutes before now. */
  readonly age_min: number;
  readonly venue: "amm" | "curve" | "clmm";
  readonly liquidity_usd: number;
  readonly volume_h1_usd: number;
  readonly volume_h24_usd: number;
  readonly buys_h1: number;
  readonly sells_h1: number;
  /** Locked or burnt share of the pool's tokens, percent; null when no source states it. */
  readonly lp_locked_pct: number | null;
  /** Days until the lock ends; null: never. */
  readonly lp_unlocks_days: number | null;
  /** Percent of supply of the largest holders, without the pool. */
  readonly holders: readonly number[];
  readonly holder_count: number;
  readonly creator_pct: number;
  readonly prior_launches: number;
  readonly prior_rug: boolean;
  readonly insider_pct: number;
  /** Percent of supply bought in the first two slots by others than the creator. */
  readonly bundle_pct: number;
  /** Share of what the creator bought at the start that was sold since, 0 to 1. */
  readonly creator_sold: number;
  readonly verified: boolean;
  readonly has_link: boolean;
  /** 0 to 100, as RugCheck's normalised score and honeypot.is' level. */
  readonly alarm: number;
  readonly counterfeit: boolean;
  readonly malicious_creator: boolean;
  readonly rugged: boolean;
  /** Solana: powers over the mint. On EVM chains: whether the owner can mint, pause or block. */
  readonly mint_authority: boolean;
  readonly freeze_authority: boolean;
  readonly metadata_mutable: boolean;
  readonly permanent_delegate: boolean;
  readonly transfer_hook: boolean;
  readonly frozen_by_default: boolean;
  readonly non_transferable: boolean;
  readonly paused: boolean;
  /** What a transfer costs, basis points. */
  readonly fee_bps: number;
  /** EVM: owner() is not the zero address; null where there is no such function. */
  readonly owner: "active" | "renounced" | null;
  /** EVM: GoPlus has not seen who owns it. */
  readonly owner_unseen: boolean;
  readonly proxy: "none" | "active_admin" | "no_admin";
  readonly open_source: boolean;
  readonly hidden_owner: boolean;
  readonly owner_changes_balance: boolean;
  readonly selfdestruct: boolean;
  readonly cannot_sell_all: boolean;
  /** Fractions, as transfers really cost. */
  readonly buy_tax: number;
  readonly sell_tax: number;
  readonly sells: "works" | "reverts";
  /** What GoPlus and honeypot.is believe, where they lag behind the chain. */
  readonly opinions: { readonly sell_tax: number; readonly is_honeypot: boolean } | null;
}
