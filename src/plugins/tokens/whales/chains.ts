/**
 * Chains whose token transfers are scanned by logs. Blocks nearer to the head than `confirmations` are left for the
 * next run; rows of a block that is no longer in the chain are taken back (blocks.ts).
 */
export const SCANNED = {
  ethereum: { confirmations: 12, span: 25, block_s: 12 },
  base: { confirmations: 60, span: 150, block_s: 2 },
} as const;
export type ScannedChain = keyof typeof SCANNED;
export const SCANNED_CHAINS = Object.keys(SCANNED) as readonly ScannedChain[];

/** Bitcoin is read by whole blocks: at most three at once, of up to 4 MB each. */
const BITCOIN = { confirmations: 1, span: 3, block_s: 600 } as const;

/** Chains that are read block by block. */
export const BLOCK_CHAINS = [...SCANNED_CHAINS, "bitcoin"] as const;
export type BlockChain = (typeof BLOCK_CHAINS)[number];
export const PACE: Readonly<
  Record<BlockChain, { readonly confirmations: number; readonly span: number; readonly block_s: number }>
> = { ...SCANNED, bitcoin: BITCOIN };

/** Every chain with large movements. Solana's are trades in watched pools, read by signature. */
export const WHALE_CHAINS = [...BLOCK_CHAINS, "solana"] as const;
export type WhaleChain = (typeof WHALE_CHAINS)[number];

/** Chains whose swaps are read: of Solana a sample, by signatures of watched pools. A slot of it takes 0.4 s. */
export const TRADE_CHAINS = [...SCANNED_CHAINS, "solana"] as const;
export type TradeChain = (typeof TRADE_CHAINS)[number];
export const BLOCK_S: Readonly<Record<TradeChain, number>> = {
  ethereum: SCANNED.ethereum.block_s,
  base: SCANNED.base.block_s,
  solana: 0.4,
};

/** A scan older than this is out of date. Two hours without a block of Bitcoin happen once in three years. */
export const SILENT_MAX_MS: Readonly<Record<WhaleChain, number>> = {
  ethereum: 20 * 60_000,
  base: 20 * 60_000,
  bitcoin: 120 * 60_000,
  solana: 20 * 60_000,
};

/** Least that is stored, US dollars. */
export const STORED_MIN_USD = 100_000;

/** How deep a chain is read, and how many blocks at once. */
export interface Pace {
  readonly confirmations: number;
  readonly span: number;
}

/** Blocks taken back are read again together with what came since, unless that is more than so many spans. */
const SPANS_MAX = 3;

/**
 * The blocks since the last scan that are deep enough, at most a span; null before the first.
 * @param pace with `lost_from`, the first block whose rows were taken back, the stretch reaches back to it.
 */
export function getStretchOf(pace: Pace & { readonly lost_from?: number | null }, head: number, last_block = 0) {
  const { confirmations, span, lost_from = null } = pace;
  const to_block = head - confirmations;
  const usual = to_block - span + 1;
  const oldest = lost_from === null ? usual : Math.max(Math.min(usual, lost_from), to_block - SPANS_MAX * span + 1);
  const from_block = Math.max(last_block + 1, oldest);
  return from_block > to_block ? null : { from_block, to_block };
}

export const getStretch = (chain: BlockChain, head: number, last_block = 0) =>
  getStretchOf(PACE[chain], head, last_block);
