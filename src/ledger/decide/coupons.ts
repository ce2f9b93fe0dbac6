import { assertInvariant } from "../../core/errors.ts";
import { ACCOUNTS } from "../transfers.ts";
import { type Decision, NO_TRANSFERS, type ResultOf } from "./results.ts";

/** The state that decides about a coupon. Amounts in atomic USDC. */
export interface CouponState {
  /** Whether it is held or used. */
  readonly is_taken: boolean;
  /** Whether its client's network got one in the time in which it may have one. */
  readonly client_has_one: boolean;
  /** What the coupons of the budget's time cost together. */
  readonly spent: bigint;
}

/** Takes a coupon of a price for a call, within a budget: each once, and each client one. */
export function decideCouponHold(
  { amount, budget }: { readonly amount: bigint; readonly budget: bigint },
  { is_taken, client_has_one, spent }: CouponState,
): Decision<ResultOf<"coupon_hold">> {
  if (is_taken) return { result: "used_before", transfers: NO_TRANSFERS };
  if (client_has_one) return { result: "client_used_one", transfers: NO_TRANSFERS };
  return { result: spent + amount > budget ? "budget_spent" : "held", transfers: NO_TRANSFERS };
}

/** What keeps any coupon of a client from being taken: that of the smallest price. Null when nothing does. */
export function obstacleOf(
  budget: bigint,
  state: Omit<CouponState, "is_taken">,
): Exclude<ResultOf<"coupon_hold">, "held" | "used_before"> | null {
  const { result } = decideCouponHold({ amount: 1n, budget }, { is_taken: false, ...state });
  return result === "client_used_one" || result === "budget_spent" ? result : null;
}

/**
 * The call of a coupon was answered: the node bears its price.
 * @throws InvariantError when the coupon is not held.
 */
export function decideCouponUse(
  id: string,
  held: { readonly amount: bigint } | null,
): Decision<ResultOf<"coupon_use">> {
  assertInvariant(held !== null, `I4: coupon ${id} is not held`);
  const [from, to] = [ACCOUNTS.welcome, ACCOUNTS.calls];
  return { result: "used", transfers: [{ kind: "coupon", reference: `coupon:${id}`, from, to, amount: held.amount }] };
}
