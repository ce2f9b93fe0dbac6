/** Twice the sponsored update interval: from here on the price is marked stale. */
export const STALE_AFTER_MS = 120_000;

/** A price older than this is not sold. */
export const AGE_MAX_MS = 900_000;
