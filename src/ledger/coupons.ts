import type { ResultOf } from "./decide/results.ts";
import type { Promised } from "./promised.ts";

export interface Redemption {
  /** The coupon's own id. */
  readonly id: string;
  /** Keyed hash of the client's network. */
  readonly client: string;
  readonly product: string;
  readonly amount: bigint;
}

export interface CouponRules {
  /** A coupon given to this client since then (ms) blocks another. */
  readonly client_since_ms: number;
  /** What all coupons since `budget_since_ms` may cost together. */
  readonly budget: bigint;
  readonly budget_since_ms: number;
}

export type RedeemResult = ResultOf<"coupon_hold">;

export interface CouponQueries {
  /** What would keep any coupon of this client from being taken now; null when nothing does. */
  findObstacle(client: string, rules: CouponRules): Exclude<RedeemResult, "held" | "used_before"> | null;
}

/** First calls that are free: each coupon once, each client network once a day, the node within its budget. */
export interface CouponCommands {
  /** Takes the coupon for a call that is about to be produced. */
  hold(redemption: Redemption, rules: CouponRules): Promise<RedeemResult>;
  /** The call was answered: the node bears its price. */
  use(id: string): Promise<number>;
  /** The call failed: the coupon can be used again. */
  release(id: string): Promise<void>;
  /** After a start: coupons held by calls that never ended are free again. */
  recover(): Promise<number>;
}

export type Coupons = CouponCommands & Promised<CouponQueries>;
