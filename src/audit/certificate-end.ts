const DAY_MS = 86_400_000;

/** Fewer, and its renewal has failed: certificates are renewed a month before their end. */
export const CERTIFICATE_DAYS_MIN = 14;

/** Whole days until a certificate ends; below 0 once it has. */
export const countDaysLeft = (end_ms: number, now_ms: number): number => Math.floor((end_ms - now_ms) / DAY_MS);
