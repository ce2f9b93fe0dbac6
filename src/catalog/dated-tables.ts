/** A table of dates that the program ships and that ends, because its publisher prints a year at a time. */
export interface DatedTable {
  /** What it holds, in a few words. */
  readonly what: string;
  /** The last day it covers, with what the operator added, YYYY-MM-DD. */
  readonly last_day: string;
  /** The key of the configuration that adds to it. */
  readonly extend: string;
}

/** One that ends soon, or has ended. */
export interface EndingTable extends DatedTable {
  /** Negative when it has ended. */
  readonly days_left: number;
}

const DAY_MS = 86_400_000;
/** A list of next year is out by then, and a newer version of the program can have it. */
const WARN_DAYS = 120;

/** The product or plugin that ships such tables. */
interface Dated {
  readonly dated?: ((config: never) => readonly DatedTable[]) | undefined;
}

/** Tables that end within 120 days, the first one first. `configOf` is what a run reads of a plugin's table. */
export function listEndingTables<P extends Dated>(
  plugins: readonly P[],
  configOf: (plugin: P) => unknown,
  now_ms: number,
): readonly EndingTable[] {
  const today_ms = Math.floor(now_ms / DAY_MS) * DAY_MS;
  return plugins
    .flatMap((plugin) => plugin.dated?.(configOf(plugin) as never) ?? [])
    .map((table) => ({ ...table, days_left: Math.round((Date.parse(table.last_day) - today_ms) / DAY_MS) }))
    .filter(({ days_left }) => days_left <= WARN_DAYS)
    .sort((a, b) => a.days_left - b.days_left);
}

/** For the operator: what ends, when, and what to do. */
export const renderEndingTable = ({ what, last_day, extend, days_left }: EndingTable): string =>
  days_left < 0
    ? `${what}: known until ${last_day}, which is over; ${extend} adds more`
    : `${what}: known until ${last_day}, ${days_left} days from now; ${extend} adds more`;
