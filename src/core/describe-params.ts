const CHARS_MAX = 120;

const renderValue = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/**
 * Parameters in one line for people, such as "pair=EURUSD, days=30"; "no parameters" for an empty object. A line that
 * is longer than `chars_max` is cut, and ends with "…".
 */
export function describeParams(params: Readonly<Record<string, unknown>>, chars_max = CHARS_MAX): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "no parameters";
  const line = given.map(([name, value]) => `${name}=${renderValue(value)}`).join(", ");
  return line.length <= chars_max ? line : `${line.slice(0, chars_max - 1).toWellFormed()}…`;
}
