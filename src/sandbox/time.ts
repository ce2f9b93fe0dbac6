/** The last second of the year 9999: sandbox time ends there. */
export const TIME_MS_MAX = 253_402_300_799_000;
