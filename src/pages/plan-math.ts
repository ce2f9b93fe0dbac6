import type { SurfaceProduct } from "../surfaces/types.ts";

/** A prepaid plan beside the price of single calls. Money is atomic USDC. */
export interface ShownPlan {
  readonly plan: SurfaceProduct;
  /** What a call comes to out of this plan; null for a pass, where it depends on how much is called. */
  readonly call_atomic: bigint | null;
  /** From so many calls on the plan costs less than paying one by one; null where it never does. */
  readonly break_even_calls: bigint | null;
}

const atomicOf = (usd: string): bigint => {
  const [whole = "0", part = ""] = usd.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0").slice(0, 6));
};

/**
 * What each plan means for a call of one price. A balance is debited the call's price and was cheaper than its face
 * value; a pass pays once its price is passed. Rounded up: a fraction of a call cannot be made.
 */
export function comparePlans(plans: readonly SurfaceProduct[], call_atomic: bigint): readonly ShownPlan[] {
  return plans.map((plan) => {
    const price = BigInt(plan.price_atomic);
    const credit_usd = plan.plan?.credit_usd ?? null;
    if (credit_usd === null) {
      const calls = call_atomic > 0n ? price / call_atomic + 1n : null;
      return { plan, call_atomic: null, break_even_calls: calls };
    }
    const credit = atomicOf(credit_usd);
    if (credit <= 0n || call_atomic <= 0n) return { plan, call_atomic: null, break_even_calls: null };
    // Spent whole, the balance buys credit / call calls for its price; it is cheaper once those cost more one by one.
    const calls = price / call_atomic + 1n;
    const affordable = credit / call_atomic;
    return {
      plan,
      call_atomic: (call_atomic * price + credit - 1n) / credit,
      break_even_calls: calls <= affordable ? calls : null,
    };
  });
}
