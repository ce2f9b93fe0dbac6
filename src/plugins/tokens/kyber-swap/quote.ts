/** An exact amount of one token for another, amounts in the smallest unit. */
export interface SwapRequest {
  readonly chain: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly decimals_in: number;
  readonly decimals_out: number;
}

export interface SwapHop {
  readonly venue: string;
  readonly pool: string | null;
  /** Part of the amount, percent; null behind the first hop. */
  readonly share_pct: number | null;
  readonly token_in: string;
  readonly token_out: string;
}

/** What a route pays, net of pool fees and the service's own; gas apart. */
export interface SwapQuote {
  /** Provider id. */
  readonly provider: string;
  readonly amount_out: bigint;
  readonly gas_usd: number | null;
  readonly provider_impact_pct: number | null;
  readonly route: readonly SwapHop[];
}

/** The least that may arrive: floor of out x (10,000 - slippage) / 10,000. */
export const getMinOut = (out: bigint, slippage_bps: number): bigint => (out * BigInt(10_000 - slippage_bps)) / 10_000n;

/** Amount in whole tokens. */
export const toUnits = (amount: bigint, decimals: number): number => Number(amount) / 10 ** decimals;

/** How much worse than the middle a price is, percent. */
export const getImpact = (effective: number, mid: number | null): number | null =>
  mid === null || mid <= 0 ? null : (1 - effective / mid) * 100;

/** Output less gas, as far as gas is known, for choosing between quotes. */
export function getNetOut(quote: SwapQuote, decimals: number, out_usd: number | null): number {
  const gross = toUnits(quote.amount_out, decimals);
  return quote.gas_usd === null || out_usd === null || out_usd <= 0 ? gross : gross - quote.gas_usd / out_usd;
}

/**
 * A decimal text as an amount in the smallest unit; null when it is not a number or has more decimals than the token.
 */
export function parseAmount(text: string, decimals: number): bigint | null {
  const [, whole = "", part = ""] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text) ?? [];
  if (whole === "" || part.length > decimals) return null;
  const amount = BigInt(whole + part.padEnd(decimals, "0"));
  return amount > 0n ? amount : null;
}
