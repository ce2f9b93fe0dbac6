/** What the program's exit codes mean; docs/operator/commands.md carries this table. */
export const EXIT = {
  ok: 0,
  /** Something went wrong while it ran; the last line says what. */
  failed: 1,
  /** The configuration or the command line is faulty; nothing was started. */
  config: 2,
  /** An audit found a broken invariant. */
  audit: 3,
  /** Of `recompute`: other code made it, or this program has no such product. */
  other_code: 3,
  /** Of `verify` and `verify-track-record`: nothing is wrong, but not all of it is proven. */
  partial: 3,
  /** A receipt does not prove what it should. */
  unproven: 4,
  /** Forced to stop by a second signal; what was in flight is recovered at the next start. */
  forced: 130,
} as const;
