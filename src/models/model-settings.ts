import type { ModelClass, ModelUse } from "../catalog/model.ts";

/** One configured model. */
export interface ModelSettings {
  readonly id: string;
  /** Without a trailing slash; /chat/completions is below it. */
  readonly base_url: string;
  /** What its host calls it. */
  readonly model: string;
  readonly api_key: string | null;
  /** Empty: good for everything. */
  readonly classes: readonly ModelClass[];
  readonly uses: readonly ModelUse[];
  readonly context_tokens: number;
  /** USD a million tokens, which is the same number of picodollars (1e-12 USD) a token times 1e6: see `Picodollars`. */
  readonly price_in: Picodollars;
  readonly price_out: Picodollars;
  readonly daily_max: Picodollars | null;
  readonly timeout_ms: number;
  readonly parallel: number;
  readonly is_local: boolean;
}

/**
 * Whole 1e-12 USD, in a double: exact up to 9,007 USD. A price of 0.15 USD a million tokens is 150,000 of them a token,
 * so that costs are products of whole numbers.
 */
export type Picodollars = number;

export const PICODOLLARS_PER_USD = 1e12;
/** A price in the smallest unit of USDC (1e-6 USD) a million tokens is as many picodollars a token. */
export const toPicodollarsPerToken = (atomic_per_million: bigint): Picodollars => Number(atomic_per_million);
/** An amount in the smallest unit of USDC. */
export const toPicodollars = (atomic: bigint): Picodollars => Number(atomic) * 1e6;
