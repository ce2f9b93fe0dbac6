/** Rounds to a number of decimals; never gives -0. */
export const roundTo = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;

const PRICE_DIGITS = 8;

/** Rounds a price to 8 significant digits. */
export const roundPrice = (price: number): number => Number(price.toPrecision(PRICE_DIGITS));
