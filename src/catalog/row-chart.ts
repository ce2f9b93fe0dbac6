import type { Bars, Chart } from "./chart.ts";

const ROWS_MAX = 20;
const NAME_CHARS_MAX = 24;

export interface RowChart<R> extends Pick<Bars, "title" | "about" | "unit"> {
  /** The name of a row, and the length of its bar; a row without a value has no bar. */
  readonly bar: (row: R) => readonly [name: string, value: number | null];
}

const cut = (name: string): string => (name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX - 1)}…` : name);

/**
 * The picture of a table: one bar for each of its first 20 rows that have a value, in the order of the table. None
 * where fewer than two have one, for there is nothing to compare then.
 */
export function drawRows<R>(rows: readonly R[] | null, { bar, title, about, unit }: RowChart<R>): readonly Chart[] {
  const bars = (rows ?? []).flatMap((row) => {
    const [name, value] = bar(row);
    return value === null || name === "" ? [] : [{ name: cut(name), value }];
  });
  if (bars.length < 2) return [];
  return [{ kind: "bars", title, about, unit, bars: bars.slice(0, ROWS_MAX) }];
}
