/**
 * A token's amount in whole units as an exact decimal text, without zeros at its end.
 * @example renderUnits(1_500_000n, 6) // "1.5"
 */
export function renderUnits(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}
