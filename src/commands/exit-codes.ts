/** What the program's exit codes mean; docs/operator.md carries this table. */
export const EXIT = {
  ok: 0,
  /** Something went wrong while it ran; the last line says what. */
  failed: 1,
  /** The configuration or the command line is faulty; nothing was started. */
  config: 2,
  /** An audit found a broken invariant. */
  audit: 3,
  /** Of `verify`: nothing is wrong, but not every receiving address is proven. */
  partial: 3,
  /** A receipt or a track record does not prove what it should. */
  unproven: 4,
  /** Forced to stop by a second signal; what was in flight is recovered at the next start. */
  forced: 130,
} as const;
