/**
 * How often tests repeat what they repeat. "quick" is for every change. "full" is what the promises about money are
 * worth: `./build.sh test:full` takes it, for who changed the ledger, payments or storage. "long" is for machines that
 * have hours.
 */
export const EFFORT: "quick" | "full" | "long" = process.env.TEST_LONG
  ? "long"
  : process.env.TEST_FULL
    ? "full"
    : "quick";

/** A count by effort. */
export const repeat = (counts: { readonly quick: number; readonly full: number; readonly long: number }): number =>
  counts[EFFORT];
