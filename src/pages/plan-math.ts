import type { SurfaceProduct } from "../surfaces/types.ts";

/** A prepaid plan compared with single calls. Money is atomic USDC. */
export interface ShownPlan {
  readonly plan: SurfaceProduct;
  /** Cost of a call under this plan; null for a pass, where it depends on the number of calls. */
  readonly call_atomic: bigint | null;
  /** Number of calls from which the plan is cheaper than single payments; null if it never is. */
  readonly break_even_calls: bigint | null;
}

const atomicOf = (usd: string): bigint => {
  const [whole = "0", part = ""] = usd.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0").slice(0, 6));
};

/**
 * Compares each plan with single calls of one price. A balance is debited the call's price, and costs less than its
 * face value; a pass is cheaper once the calls would cost more than the pass. Numbers of calls are rounded up.
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
    // The whole balance buys credit / call calls; the plan is cheaper once these would cost more one by one.
    const calls = price / call_atomic + 1n;
    const affordable = credit / call_atomic;
    return {
      plan,
      call_atomic: (call_atomic * price + credit - 1n) / credit,
      break_even_calls: calls <= affordable ? calls : null,
    };
  });
}
