import { type Unusable, unusable } from "../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "./clock-skew.ts";

/** A Pyth price, however it was obtained. Prices in USD, already scaled. */
export interface PythPrice {
  readonly feed_id: string;
  readonly price: number;
  /** Pyth's confidence interval: about one standard error. */
  readonly conf: number;
  readonly exponent: number;
  readonly publish_time_ms: number;
  readonly ema_price: number | null;
  readonly ema_conf: number | null;
  /** "full" when a ledger checked the guardians' signatures; null when nobody did before us. */
  readonly verification: "full" | null;
  readonly path: "solana_push_feed" | "hermes" | "evm_contract";
  /** Ledger account or contract it was read from. */
  readonly account: string | null;
  readonly publish_slot: number | null;
  readonly slot_kind: "solana_posted_slot" | "pythnet_slot" | null;
  /** Solana slot at which the account was read. */
  readonly context_slot: number | null;
}

type Checked = Pick<PythPrice, "price" | "conf" | "publish_time_ms" | "ema_price" | "ema_conf" | "publish_slot">;

/** Why a decoded price must not be used, whatever path it came by, or undefined. Its age is for the caller to judge. */
export function findPythFault(read: Checked, now_ms: number): Unusable | undefined {
  const { price, conf, publish_time_ms, ema_price, ema_conf, publish_slot } = read;
  if (!(price > 0)) return unusable("the price is not above 0");
  if (!(conf >= 0 && conf < price)) return unusable("the confidence interval reaches the price");
  if (ema_price !== null && !(ema_price > 0)) return unusable("the average price is not above 0");
  if (ema_conf !== null && !(ema_conf >= 0)) return unusable("the average's interval cannot be read");
  if (!Number.isSafeInteger(publish_time_ms) || publish_time_ms <= 0)
    return unusable("the publish time cannot be read");
  if (publish_time_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("the publish time lies in the future");
  if (publish_slot !== null && !Number.isSafeInteger(publish_slot)) return unusable("the slot cannot be read");
  return undefined;
}

/** The newest of several reads of one feed; undefined without any. */
export const getNewest = (prices: readonly PythPrice[]): PythPrice | undefined =>
  prices.reduce<PythPrice | undefined>(
    (newest, price) => (newest && newest.publish_time_ms >= price.publish_time_ms ? newest : price),
    undefined,
  );
