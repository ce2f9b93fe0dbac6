import type { AccessMethod } from "../../calls/access.ts";
import { refuseSince } from "../../calls/changes.ts";
import type { Slots } from "../../calls/slots.ts";
import type { WorkBudget } from "../../calls/work-budget.ts";
import { costOf, targetOf } from "../../calls/work-budget.ts";
import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { Runner } from "../../catalog/runner.ts";
import type { Clock } from "../../core/clock.ts";
import type { RedeemResult } from "../../ledger/coupons.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { PaymentRefusal } from "../refusal.ts";
import type { CouponCodes } from "./coupon-codes.ts";

/** What a first call may be, and what all of them may cost. */
export interface WelcomeTerms {
  readonly enabled: boolean;
  /** Atomic USDC. */
  readonly max_price: bigint;
  /** Product paths; empty is every product within the price. */
  readonly eligible: readonly string[];
  /** What the node gives away in 24 hours, atomic USDC. */
  readonly daily_budget: bigint;
  readonly ttl_ms: number;
}

export const isEligible = (product: CatalogProduct, { enabled, max_price, eligible }: WelcomeTerms): boolean =>
  enabled &&
  product.definition.plan === undefined &&
  product.price_atomic <= max_price &&
  (eligible.length === 0 || eligible.includes(product.path));

export interface CouponAccessOptions {
  readonly ledger: Ledger;
  readonly runner: Runner;
  readonly clock: Clock;
  readonly slots: Slots;
  readonly codes: CouponCodes;
  readonly terms: WelcomeTerms;
  readonly work: WorkBudget;
  /** What an address is counted as; null when it is not limited. */
  readonly limitOf: (client: string) => string | null;
}

const DAY_MS = 86_400_000;
const STANDARD = 1;

const refuseCoupon = (reason: string, hint: string, retryable = false): PaymentRefusal =>
  new PaymentRefusal("invalid_coupon", { reason, retryable, same_payment: false, hint });

const WHY: Readonly<
  Record<Exclude<RedeemResult, "held">, readonly [reason: string, hint: string, retryable: boolean]>
> = {
  used_before: ["used", "This coupon was used. Nothing was charged: pay for the call, or buy a key.", false],
  client_used_one: ["one_a_day", "Your network had its free call within the last 24 hours.", true],
  budget_spent: ["budget_spent", "This node's free calls of the last 24 hours are given away.", true],
};

/** Why a coupon of this client would not be taken now, in words; null when it would. */
export async function explainNoCoupon(
  ledger: Pick<Ledger, "coupons">,
  terms: WelcomeTerms,
  { client, now_ms }: { readonly client: string; readonly now_ms: number },
): Promise<{ readonly reason: string; readonly hint: string } | null> {
  const obstacle = await ledger.coupons.findObstacle(client, rulesAt(terms, now_ms));
  if (obstacle === null) return null;
  const [reason, hint] = WHY[obstacle];
  return { reason, hint };
}

const rulesAt = ({ daily_budget: budget }: WelcomeTerms, now_ms: number) => {
  const since_ms = now_ms - DAY_MS;
  return { client_since_ms: since_ms, budget, budget_since_ms: since_ms };
};

/** A first call that is free. A call that fails does not use the coupon up. */
export function createCouponAccess(options: CouponAccessOptions): AccessMethod {
  const { ledger, runner, clock, slots, codes, terms } = options;
  return {
    id: "coupon",
    isPresent: (headers, product) => product.definition.plan === undefined && headers.has("x-coupon"),
    async serve({ headers, client, product, request }) {
      if (request.since !== undefined) throw refuseSince("A coupon pays for a first call: there is nothing before it.");
      const coupon = codes.read(headers.get("x-coupon") ?? "");
      const now_ms = clock.now();
      if (!coupon) throw refuseCoupon("unknown_coupon", "This is no coupon of this node: GET /welcome gives one.");
      if (coupon.expires_at_ms <= now_ms) throw refuseCoupon("expired", "This coupon has ended: GET /welcome again.");
      if (!codes.isFor(coupon, client)) {
        throw refuseCoupon("other_network", "This coupon was given to another network: GET /welcome from yours.");
      }
      if (!isEligible(product, terms)) {
        throw refuseCoupon("not_eligible", `${product.path} is not among the free first calls: see GET /welcome.`);
      }
      const redemption = { id: coupon.id, client: coupon.client, product: product.id, amount: product.price_atomic };
      const rules = rulesAt(terms, now_ms);
      const by = { holder: coupon.client, network: options.limitOf(client), target: targetOf({ product, request }) };
      return options.work.run(by, costOf({ product, request }), () =>
        slots.run({ priority: STANDARD, holder: coupon.client }, async () => {
          options.work.assertLeft(by);
          const result = await ledger.coupons.hold(redemption, rules);
          if (result !== "held") throw refuseCoupon(...WHY[result]);
          const { body } = await runner.produce(product, request, "guest").catch(async (error: unknown) => {
            await ledger.coupons.release(coupon.id);
            throw error;
          });
          const call_id = await ledger.coupons.use(coupon.id);
          return { body, headers: { "X-Receipt-Id": `call_${call_id}` } };
        }),
      );
    },
  };
}
