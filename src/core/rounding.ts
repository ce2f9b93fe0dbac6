/** Rounds to a number of decimals; never gives -0. */
export const roundTo = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;

/** The same of a figure that may be missing. */
export const roundOrNull = (value: number | null, decimals: number): number | null =>
  value === null ? null : roundTo(value, decimals);

const PRICE_DIGITS = 8;

/** Rounds a price to 8 significant digits. */
export const roundPrice = (price: number): number => Number(price.toPrecision(PRICE_DIGITS));
