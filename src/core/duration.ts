const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
export const DURATION_PATTERN = "^(0|[1-9][0-9]{0,8})(ms|s|m|h|d)$";
const DURATION = new RegExp(DURATION_PATTERN);

/**
 * Reads a duration with a unit as milliseconds.
 * @throws RangeError when it is not a whole number followed by ms, s, m, h or d.
 * @example parseDuration("15m") // 900000
 */
export function parseDuration(text: string): number {
  const match = DURATION.exec(text);
  if (!match) throw new RangeError(`"${text}" is not a duration such as "15m" (units: ms, s, m, h, d)`);
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
}
