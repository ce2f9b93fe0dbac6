import type { PublishedYear } from "./types.ts";

/** The exchanges' own lists as an independent project collects them, cross-checked with the rules by a test. */
const COLLECTED = "exchange_calendars (Apache-2.0), 2026-07";

/**
 * Weekdays closed, and days that end early, as published. A year that is not here was not published when this was
 * written: China and India publish theirs in December.
 */
export const PUBLISHED: Readonly<Record<string, readonly PublishedYear[]>> = {
  XLON: [
    {
      year: 2026,
      closed: "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28",
      early: "12:30 12-24 12-31",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28",
      early: "12:30 12-24 12-31",
      source: COLLECTED,
    },
  ],
  XETR: [
    {
      year: 2026,
      closed: "01-01 04-03 04-06 05-01 12-24 12-25 12-31",
      early: "14:00 12-30",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 03-26 03-29 12-24 12-31",
      early: "14:00 12-30",
      source: COLLECTED,
    },
  ],
  XPAR: [
    {
      year: 2026,
      closed: "01-01 04-03 04-06 05-01 12-25",
      early: "14:05 12-24 12-31",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 03-26 03-29",
      early: "14:05 12-24 12-31",
      source: COLLECTED,
    },
  ],
  XAMS: [
    {
      year: 2026,
      closed: "01-01 04-03 04-06 05-01 12-25",
      early: "14:05 12-24 12-31",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 03-26 03-29",
      early: "14:05 12-24 12-31",
      source: COLLECTED,
    },
  ],
  XSWX: [
    {
      year: 2026,
      closed: "01-01 01-02 04-03 04-06 05-01 05-14 05-25 12-24 12-25 12-31",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 03-26 03-29 05-06 05-17 12-24 12-31",
      source: COLLECTED,
    },
  ],
  XMIL: [
    {
      year: 2026,
      closed: "01-01 04-03 04-06 05-01 12-24 12-25 12-31",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 03-26 03-29 12-24 12-31",
      source: COLLECTED,
    },
  ],
  XMAD: [
    {
      year: 2026,
      closed: "01-01 04-03 04-06 05-01 12-25",
      early: "14:00 12-24 12-31",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 03-26 03-29",
      early: "14:00 12-24 12-31",
      source: COLLECTED,
    },
  ],
  XSTO: [
    {
      year: 2026,
      closed: "01-01 01-06 04-03 04-06 05-01 05-14 06-19 12-24 12-25 12-31",
      early: "13:00 01-05 04-02 04-30 05-13 10-30",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 01-06 03-26 03-29 05-06 06-25 12-24 12-31",
      early: "13:00 01-05 03-25 04-30 05-05 11-05",
      source: COLLECTED,
    },
  ],
  XTKS: [
    {
      year: 2026,
      closed:
        "01-01 01-02 01-12 02-11 02-23 03-20 04-29 05-04 05-05 " +
        "05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23 12-31",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 01-11 02-11 02-23 03-22 04-29 05-03 05-04 05-05 07-19 08-11 09-20 09-23 10-11 11-03 11-23 12-31",
      source: COLLECTED,
    },
  ],
  XHKG: [
    {
      year: 2026,
      closed: "01-01 02-17 02-18 02-19 04-03 04-06 04-07 05-01 05-25 06-19 07-01 10-01 10-19 12-25",
      early: "12:00 02-16 12-24 12-31",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 02-08 02-09 03-26 03-29 04-05 05-13 06-09 07-01 09-16 10-01 10-08 12-27",
      early: "12:00 02-05 12-24 12-31",
      source: COLLECTED,
    },
  ],
  XSHG: [
    {
      year: 2026,
      closed:
        "01-01 01-02 02-16 02-17 02-18 02-19 02-20 02-23 04-06 " +
        "05-01 05-04 05-05 06-19 09-25 10-01 10-02 10-05 10-06 10-07",
      source: COLLECTED,
    },
  ],
  XNSE: [
    {
      year: 2026,
      closed: "01-15 01-26 03-03 03-26 03-31 04-03 04-14 05-01 05-28 06-26 09-14 10-02 10-20 11-10 11-24 12-25",
      source: COLLECTED,
    },
  ],
  XKRX: [
    {
      year: 2026,
      closed: "01-01 02-16 02-17 02-18 03-02 05-01 05-05 05-25 06-03 08-17 09-24 09-25 10-05 10-09 12-25 12-31",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 02-08 02-09 03-01 05-03 05-05 05-13 08-16 09-14 09-15 09-16 10-04 10-11 12-27 12-31",
      source: COLLECTED,
    },
  ],
  XTAI: [
    {
      year: 2026,
      closed:
        "01-01 02-12 02-13 02-16 02-17 02-18 02-19 02-20 02-27 04-03 04-06 05-01 06-19 09-25 09-28 10-09 10-26 12-25",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 02-04 02-05 02-08 02-09 02-10 03-01 04-05 04-30 06-09 09-15 09-28 10-11 10-25 12-31",
      source: COLLECTED,
    },
  ],
  XASX: [
    {
      year: 2026,
      closed: "01-01 01-26 04-03 04-06 06-08 12-25 12-28",
      early: "14:10 12-24 12-31",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 01-26 03-26 03-29 06-14 12-27 12-28",
      early: "14:10 12-24 12-31",
      source: COLLECTED,
    },
  ],
  XTSE: [
    {
      year: 2026,
      closed: "01-01 02-16 04-03 05-18 07-01 08-03 09-07 10-12 12-25 12-28",
      early: "13:00 12-24",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 02-15 03-26 05-24 07-01 08-02 09-06 10-11 12-27 12-28",
      early: "13:00 12-24",
      source: COLLECTED,
    },
  ],
  XNYS: [
    {
      year: 2026,
      closed: "01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25",
      early: "13:00 11-27 12-24",
      source: COLLECTED,
    },
    {
      year: 2027,
      closed: "01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24",
      early: "13:00 11-26",
      source: COLLECTED,
    },
  ],
};
