import type { CouponRules, Redemption } from "../coupons.ts";
import type { CouponState } from "../decide/coupons.ts";

/** The rows that commands of coupons depend on. */
export interface WantedCoupons {
  readonly ids: Set<string>;
  /** Coupons that are to be held, each with what its client and the budget are asked about. */
  readonly asked: { id: string; client: string; client_since: number; budget_since: number }[];
}

export const createWantedCoupons = (): WantedCoupons => ({ ids: new Set(), asked: [] });

/** As `lock_coupons` takes them; null when no row is wanted. */
export const renderWantedCoupons = ({ ids, asked }: WantedCoupons): object | null =>
  ids.size === 0 ? null : { ids: [...ids], asked };

/** What `lock_coupons` answers. */
export interface StoredCoupons {
  readonly rows: readonly { id: string; product: string; amount: string; state: "held" | "used" }[] | null;
  readonly budgets: readonly { id: string; client_has_one: boolean; spent: string }[] | null;
}

interface LockedCoupon {
  readonly product: string;
  readonly amount: bigint;
  readonly state: "held" | "used";
}

/** The coupons of a batch, as the commands decided so far leave them. */
export interface CouponRows {
  /** The state that decides about a coupon. */
  stateOf(redemption: Redemption, rules: CouponRules): CouponState;
  /** The coupon, if it is held. */
  held(id: string): LockedCoupon | null;
  hold(redemption: Redemption, at: number): void;
  use(id: string, at: number): void;
  /** As `write_coupons` takes them; null when nothing changed. */
  renderChanges(): object | null;
}

/** @param stored undefined when no row was asked for. */
export function createCouponRows(stored: StoredCoupons | undefined): CouponRows {
  const coupons = new Map<string, LockedCoupon>();
  for (const { id, product, amount, state } of stored?.rows ?? []) {
    coupons.set(id, { product, amount: BigInt(amount), state });
  }
  const budgets = new Map((stored?.budgets ?? []).map(({ id, ...budget }) => [id, budget]));
  const held: (Redemption & { readonly at: number })[] = [];
  const used: object[] = [];
  return {
    stateOf({ id, client }, { client_since_ms, budget_since_ms }) {
      const budget = budgets.get(id);
      // Those of this batch are not among what was read.
      const own = held.filter((one) => one.client === client && one.at >= client_since_ms * 1000);
      const since = held.filter(({ at }) => at >= budget_since_ms * 1000);
      return {
        is_taken: coupons.has(id),
        client_has_one: budget?.client_has_one === true || own.length > 0,
        spent: since.reduce((sum, { amount }) => sum + amount, BigInt(budget?.spent ?? 0)),
      };
    },
    held(id) {
      const coupon = coupons.get(id);
      return coupon?.state === "held" ? coupon : null;
    },
    hold(redemption, at) {
      const { id, product, amount } = redemption;
      coupons.set(id, { product, amount, state: "held" });
      held.push({ ...redemption, at });
    },
    use(id, at) {
      const coupon = coupons.get(id);
      if (coupon === undefined) return;
      coupons.set(id, { ...coupon, state: "used" });
      used.push({ id, at, product: coupon.product, amount: coupon.amount });
    },
    renderChanges: () => (held.length + used.length === 0 ? null : { held, used }),
  };
}
