/** Other people's clocks may be ahead of ours by this much before a date counts as wrong. */
export const CLOCK_SKEW_MAX_MS = 60_000;
