import type { ISODate } from "./dates.ts";

/** A year and its days, "2026 01-28 03-18". */
const readDays = (...years: readonly string[]): readonly ISODate[] =>
  years.flatMap((line) => {
    const [year = "", ...days] = line.split(" ");
    return days.map((day) => `${year}-${day}`);
  });

/**
 * Days on which the Copom decides, as the Banco Central do Brasil publishes them in June of the year before
 * (bcb.gov.br/controleinflacao/calendarioreunioescopom). Those of 2027 were read from public copies of that list
 * (2026-11), since the bank's page cannot be read by programs.
 */
export const COPOM_DATES: readonly ISODate[] = readDays(
  "2025 01-29 03-19 05-07 06-18 07-30 09-17 11-05 12-10",
  "2026 01-28 03-18 04-29 06-17 08-05 09-16 11-04 12-09",
  "2027 01-27 03-17 04-28 06-16 08-04 09-22 10-27 12-08",
);

/** Last days of the Bank of Japan's Monetary Policy Meetings (boj.or.jp/en/mopo/mpmsche_minu); copies of 2026-10. */
export const BOJ_DATES: readonly ISODate[] = readDays(
  "2026 01-23 03-19 04-28 06-16 07-31 09-18 10-30 12-18",
  "2027 01-22 03-18 04-28 06-11 07-22 09-22 10-29 12-17",
);

/** Days the Bank of England announces Bank Rate (bankofengland.co.uk/monetary-policy/upcoming-mpc-dates). */
export const BOE_DATES: readonly ISODate[] = readDays(
  "2026 02-05 03-19 04-30 06-18 07-30 09-17 11-05 12-17",
  "2027 02-04 03-18 04-29 06-17 07-29 09-16 11-04 12-16",
);
/** The Bank of England calls the days of this year and later provisional. */
export const BOE_PROVISIONAL_FROM: ISODate = "2027-01-01";
