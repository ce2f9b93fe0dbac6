/**
 * How often tests repeat what they repeat. "quick" is for every change. "full" is what the promises about money are
 * worth: test/run.ts takes it by itself when the ledger, payments or storage differ from those it was last run with.
 * "long" is for machines that have hours.
 */
export const EFFORT: "quick" | "full" | "long" = process.env.TEST_LONG
  ? "long"
  : process.env.TEST_FULL
    ? "full"
    : "quick";

/** A count by effort. */
export const repeat = (counts: { readonly quick: number; readonly full: number; readonly long: number }): number =>
  counts[EFFORT];
