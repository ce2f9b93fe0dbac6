import { type OptionRule, type OptionRules, text } from "./option-rules.ts";

/** Prices that depend on the value of one parameter. */
export interface PriceTiers {
  /** A parameter with a closed list of values. */
  readonly param: string;
  /** Decimal USD by value; of all other values `price_usd` is the price. */
  readonly prices: Readonly<Record<string, string>>;
}

const PRICES: OptionRule = {
  what: 'prices by value, each a text, such as { deep: "0.25" }',
  holds: (value) => typeof value === "object" && value !== null && Object.values(value).every(text().holds),
};

/** Every option of `tiers`. */
export const TIER_OPTIONS: OptionRules<PriceTiers> = { param: text("depth"), prices: PRICES };
