/** The program's exit codes and their meaning; docs/operator/commands.md shows them as a table. */
export const EXIT = {
  ok: 0,
  /** Something failed while the command ran; the last line says what. */
  failed: 1,
  /** The configuration or the command line is faulty; nothing was started. */
  config: 2,
  /** An audit found a broken invariant. */
  audit: 3,
  /** From `recompute`: other code made the answer, or this program has no such product. */
  other_code: 3,
  /** From `verify` and `verify-track-record`: nothing is wrong, but not everything is proven. */
  partial: 3,
  /** A receipt does not prove what it should. */
  unproven: 4,
  /** A second signal forced the stop; the next start recovers the calls in progress. */
  forced: 130,
} as const;
