/** Rounds to a number of decimals; never gives -0. */
export const roundTo = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;

/** Rounds to so many figures that count; never gives -0. */
export const roundToDigits = (value: number, digits: number): number => Number(value.toPrecision(digits)) + 0;
