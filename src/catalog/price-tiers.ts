import { type OptionRule, type OptionRules, text, WORK } from "./option-rules.ts";

/** Prices that depend on the value of one parameter. */
export interface PriceTiers {
  /** A parameter with a closed list of values. */
  readonly param: string;
  /** Decimal USD by value; of all other values `price_usd` is the price. */
  readonly prices: Readonly<Record<string, string>>;
}

/** A price that follows from the parameters of a call. */
export interface Pricing<P> {
  /** How, for people: "the sum of its items". */
  readonly by: string;
  /** Atomic USDC, above 0; null where the parameters do not say enough. Pure: asked wherever a call is priced. */
  readonly price: (params: P) => bigint | null;
}

/** Every option of `priced`. */
export const PRICING_OPTIONS: OptionRules<Pricing<never>> = { by: text("the sum of its items"), price: WORK };

const PRICES: OptionRule = {
  what: 'prices by value, each a text, such as { deep: "0.25" }',
  holds: (value) => typeof value === "object" && value !== null && Object.values(value).every(text().holds),
};

/** Every option of `tiers`. */
export const TIER_OPTIONS: OptionRules<PriceTiers> = { param: text("depth"), prices: PRICES };
