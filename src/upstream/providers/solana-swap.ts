/** An exact amount of one token of Solana for another. */
export interface SolanaSwap {
  readonly input_mint: string;
  readonly output_mint: string;
  /** What is spent, in its smallest unit. */
  readonly amount: bigint;
}
