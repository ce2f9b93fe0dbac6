import { renderTime } from "intel-node";

/** A sentence about a chain's scan. */
export interface ScanNote {
  readonly chain: string;
  readonly at_ms: number;
  readonly what: string;
}

/** What happened to the scans of a window, newest first: a chain's newest sentence, and how many there were. */
export function describeNotes(notes: readonly ScanNote[], field: string): readonly string[] {
  const by_chain = Map.groupBy(notes, ({ chain }) => chain);
  return [...by_chain].flatMap(([chain, [newest, ...older]]) => {
    if (!newest) return [];
    const more = older.length === 0 ? "" : `, and ${older.length} more times something else or the same`;
    return [`${field}.${chain}: at ${renderTime(newest.at_ms)}: ${newest.what}${more}`];
  });
}
