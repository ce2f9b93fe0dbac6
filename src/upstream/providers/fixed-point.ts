/** Exponents beyond this do not occur in price feeds; a larger one is a broken answer. */
const EXPONENT_MAX = 18;

/**
 * The decimal number value x 10^exponent, rounded once, as the nearest double. NaN when the exponent is beyond ±18.
 * @example scaleInteger(14748123456n, -8) // 147.48123456
 */
export function scaleInteger(value: bigint, exponent: number): number {
  if (!Number.isInteger(exponent) || Math.abs(exponent) > EXPONENT_MAX) return Number.NaN;
  return Number(`${value}e${exponent}`);
}
