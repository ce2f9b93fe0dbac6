import type { CouponRules, RedeemResult, Redemption } from "../coupons.ts";
import { decideCouponHold, decideCouponUse } from "../decide/coupons.ts";
import type { DecidedCommand } from "./decided-command.ts";

/** Takes a coupon for a call that is about to be produced. */
export const holdCouponOn = (redemption: Redemption, rules: CouponRules): DecidedCommand => ({
  want({ coupons }) {
    const { id, client } = redemption;
    const { client_since_ms, budget_since_ms } = rules;
    coupons.ids.add(id);
    coupons.asked.push({ id, client, client_since: client_since_ms * 1000, budget_since: budget_since_ms * 1000 });
  },
  decide(rows): RedeemResult {
    const state = rows.coupons.stateOf(redemption, rules);
    const { result } = decideCouponHold({ amount: redemption.amount, budget: rules.budget }, state);
    if (result === "held") rows.coupons.hold(redemption, rows.tick());
    return result;
  },
});

/** Its answer is the number of the call. */
export const useCouponOn = (id: string): DecidedCommand => ({
  want: ({ coupons }) => void coupons.ids.add(id),
  decide(rows): number {
    const { transfers } = decideCouponUse(id, rows.coupons.held(id));
    const at = rows.tick();
    rows.post(transfers, at);
    rows.coupons.use(id, at);
    return at;
  },
});
