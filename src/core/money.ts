/** Money is a bigint count of atomic USDC (6 decimals). Decimal strings exist only at the borders. */

export const USDC_DECIMALS = 6;
const SCALE = 10n ** BigInt(USDC_DECIMALS);
const USD = /^(0|[1-9]\d{0,11})(?:\.(\d{1,6}))?$/;
/** x402 section 1.1: decimal digits, no sign, no leading zero, at most 78 digits. */
const ATOMIC = /^(0|[1-9]\d{0,77})$/;

/**
 * Reads a decimal USD string as atomic USDC.
 * @throws RangeError when it is not a plain decimal with at most 6 places.
 * @example parseUSD("0.01") // 10000n
 */
export function parseUSD(text: string): bigint {
  const match = USD.exec(text);
  if (!match) throw new RangeError(`"${text}" is not a USD amount such as "0.01" (at most 6 decimals)`);
  return BigInt(match[1] ?? "0") * SCALE + BigInt((match[2] ?? "").padEnd(USDC_DECIMALS, "0"));
}

/** Writes atomic USDC as a decimal USD string with at least 2 and at most 6 places: 10000n -> "0.01". */
export function renderUSD(atomic: bigint): string {
  const number = Number(atomic);
  // In whole numbers, which is exact here and takes half the time: every call paid by key reports what is left.
  if (number >= 0 && Number.isSafeInteger(number)) return renderWhole(number);
  const sign = atomic < 0n ? "-" : "";
  const value = atomic < 0n ? -atomic : atomic;
  const places = (value % SCALE).toString().padStart(USDC_DECIMALS, "0").replace(/0+$/, "").padEnd(2, "0");
  return `${sign}${value / SCALE}.${places}`;
}

function renderWhole(atomic: number): string {
  const rest = atomic % 1_000_000;
  let places = rest;
  let digits = USDC_DECIMALS;
  for (; digits > 2 && places % 10 === 0; digits -= 1) places /= 10;
  return `${(atomic - rest) / 1_000_000}.${String(places).padStart(digits, "0")}`;
}

/** An atomic amount from the wire, or null when the text is not one. */
export const parseAtomic = (text: unknown): bigint | null =>
  typeof text === "string" && ATOMIC.test(text) ? BigInt(text) : null;

/** The smaller of two amounts. */
export function least(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

/** The larger of two amounts. */
export function most(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
