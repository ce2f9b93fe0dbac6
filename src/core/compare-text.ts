/**
 * Order of two texts by their UTF-16 code units: the same on every machine, where `localeCompare` follows the locale of
 * the process and the tables of its build.
 */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
