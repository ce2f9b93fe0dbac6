import { parseDuration } from "../core/duration.ts";
import { parseUSD } from "../core/money.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { Plan } from "./plan.ts";

/** So many calls of one product. */
export interface PlannedCalls {
  readonly product: CatalogProduct;
  readonly count: bigint;
}

/** The cost of planned calls when they are paid with one kind of plan. */
export interface PlanOffer {
  readonly kind: "credits" | "pass";
  readonly product: CatalogProduct;
  readonly plan: Plan;
  /** How often the plan is bought. */
  readonly purchases: bigint;
  /** Atomic: the purchases, and the calls no key pays for. */
  readonly total: bigint;
  /** Atomic: balance left when every call is made; null for a pass. */
  readonly left: bigint | null;
}

export interface PriceQuote {
  /** Atomic: the cost of paying for every call on its own. */
  readonly single: bigint;
  /** Atomic: the part that a key does not pay for, because it buys plans. */
  readonly without_key: bigint;
  /** Balances first, then passes; each in the order given. */
  readonly offers: readonly PlanOffer[];
  /** The lowest total; single calls before balances before passes when it is the same. */
  readonly cheapest: { readonly kind: "single"; readonly total: bigint } | PlanOffer;
}

const ceilDiv = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

/**
 * Prices planned calls: one payment each, by every balance, by every pass. A plan is bought as often as the calls and
 * the period need it, with calls spread evenly over the period: a pass that is bought again goes on where it ended, a
 * balance that is bought again before its end keeps what is left. Without a period a pass is bought once.
 */
export function priceCalls(
  calls: readonly PlannedCalls[],
  plans: readonly CatalogProduct[],
  period_ms: number | null,
): PriceQuote {
  const sum = (some: readonly PlannedCalls[]) =>
    some.reduce((all, one) => all + one.product.price_atomic * one.count, 0n);
  const single = sum(calls);
  const without_key = sum(calls.filter(({ product }) => product.definition.plan !== undefined));
  const by_key = single - without_key;
  const offers =
    by_key === 0n ? [] : plans.flatMap((product) => offerPlan(product, { by_key, without_key, period_ms }));
  const ordered = [...offers.filter(({ kind }) => kind === "credits"), ...offers.filter(({ kind }) => kind === "pass")];
  const one_by_one: PriceQuote["cheapest"] = { kind: "single", total: single };
  const cheapest = ordered.reduce<PriceQuote["cheapest"]>(
    (best, one) => (one.total < best.total ? one : best),
    one_by_one,
  );
  return { single, without_key, offers: ordered, cheapest };
}

interface Needed {
  readonly by_key: bigint;
  readonly without_key: bigint;
  readonly period_ms: number | null;
}

function offerPlan(product: CatalogProduct, { by_key, without_key, period_ms }: Needed): readonly PlanOffer[] {
  const { plan } = product.definition;
  if (!plan) return [];
  const periods =
    plan.duration === null || period_ms === null
      ? 1n
      : ceilDiv(BigInt(period_ms), BigInt(Math.max(1, parseDuration(plan.duration))));
  const total = (purchases: bigint) => purchases * product.price_atomic + without_key;
  if (plan.pass) return [{ kind: "pass", product, plan, purchases: periods, total: total(periods), left: null }];
  const credit = plan.credit_usd === null ? 0n : parseUSD(plan.credit_usd);
  if (credit === 0n) return [];
  const fills = ceilDiv(by_key, credit);
  const purchases = fills > periods ? fills : periods;
  // So many purchases of so little are no plan anybody follows, and no whole number that JSON can carry.
  if (purchases > BigInt(Number.MAX_SAFE_INTEGER)) return [];
  return [{ kind: "credits", product, plan, purchases, total: total(purchases), left: purchases * credit - by_key }];
}
