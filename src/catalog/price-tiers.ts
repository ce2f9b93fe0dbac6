/** Prices that depend on the value of one parameter. */
export interface PriceTiers {
  /** A parameter with a closed list of values. */
  readonly param: string;
  /** Decimal USD by value; of all other values `price_usd` is the price. */
  readonly prices: Readonly<Record<string, string>>;
}
