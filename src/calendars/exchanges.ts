import { getOwn } from "../core/own.ts";
import { B3_RULES, isAshWednesday } from "./brazil.ts";
import { addDays, isWeekend, weekdayOf } from "./dates.ts";
import {
  AUTUMNAL_EQUINOX,
  CHRISTMAS_TWO_DAYS,
  daysByRules,
  EASTER_MONDAY,
  easter,
  except,
  fixed,
  from,
  GOOD_FRIDAY,
  type HolidayRule,
  japanese,
  nth,
  once,
  since,
  VERNAL_EQUINOX,
} from "./holiday-rules.ts";
import { PUBLISHED } from "./published.ts";
import type { Exchange, SessionHours } from "./types.ts";

const [MONDAY, THURSDAY, FRIDAY] = [1, 4, 5];
const LAST_YEAR = 2035;
/** Before anything here begins. */
const ALWAYS = "2000-01-01";

const hours = (...sessions: readonly SessionHours[]) => [{ since: ALWAYS, sessions }];
const CHRISTMAS_AND_BOXING: readonly HolidayRule[] = [fixed(12, 25), fixed(12, 26)];
/** Good Friday, Easter Monday, 1 May, Christmas: what the continent's exchanges share (the TARGET days). */
const TARGET: readonly HolidayRule[] = [fixed(1, 1), GOOD_FRIDAY, EASTER_MONDAY, fixed(5, 1), ...CHRISTMAS_AND_BOXING];
const YEAR_ENDS = { days: (year: number) => [`${year}-12-24`, `${year}-12-31`] };

/** Up to 2012 it was the Friday after a Thursday's 4 July that ended early, and not the day before. */
function independenceEve(year: number): readonly string[] {
  const weekday = weekdayOf(`${year}-07-04`);
  if (weekday === THURSDAY && year < 2013) return [`${year}-07-05`];
  // 3 July ends early when both it and the 4th are weekdays.
  return isWeekend(`${year}-07-04`) || weekday === MONDAY ? [] : [`${year}-07-03`];
}

/** NYSE Rule 7.2 and its announcements; the single days are in its list of special closings. */
const NEW_YORK = daysByRules(
  [
    // New Year's Day on a Saturday is not made up for: the Friday before belongs to the old year's books.
    fixed(1, 1, "sunday_to_monday"),
    nth(1, MONDAY, 3),
    nth(2, MONDAY, 3),
    GOOD_FRIDAY,
    nth(5, MONDAY, -1),
    since(2022, fixed(6, 19, "nearest_weekday")),
    fixed(7, 4, "nearest_weekday"),
    nth(9, MONDAY, 1),
    nth(11, THURSDAY, 4),
    fixed(12, 25, "nearest_weekday"),
    once("2001-09-11", "2001-09-12", "2001-09-13", "2001-09-14", "2004-06-11", "2007-01-02"),
    once("2012-10-29", "2012-10-30", "2018-12-05", "2025-01-09"),
  ],
  [
    {
      time: "13:00",
      days: (year) => [
        ...from(11, 23, FRIDAY)(year),
        `${year}-12-24`,
        ...independenceEve(year),
        ...once("2003-12-26")(year),
      ],
    },
  ],
);

/** Bank holidays in England and Wales (gov.uk/bank-holidays), with those that a proclamation moved or added. */
const LONDON = daysByRules(
  [
    fixed(1, 1, "next_monday"),
    GOOD_FRIDAY,
    EASTER_MONDAY,
    except(nth(5, MONDAY, 1), "2020-05-04"),
    except(nth(5, MONDAY, -1), "2002-05-27", "2012-05-28", "2022-05-30"),
    nth(8, MONDAY, -1),
    CHRISTMAS_TWO_DAYS,
    once("2002-06-03", "2002-06-04", "2011-04-29", "2012-06-04", "2012-06-05", "2020-05-08"),
    once("2022-06-02", "2022-06-03", "2022-09-19", "2023-05-08"),
  ],
  [{ time: "12:30", last_before: ["12-25", "01-01"] }],
);

/** Friday between 19 and 25 June. */
const MIDSUMMER_EVE = from(6, 19, FRIDAY);
/** The Friday before the Saturday of All Saints, between 31 October and 6 November. */
const ALL_SAINTS_EVE: HolidayRule = (year) => from(10, 30, FRIDAY)(year);

const STOCKHOLM = daysByRules(
  [
    ...[fixed(1, 1), fixed(1, 6), GOOD_FRIDAY, EASTER_MONDAY, fixed(5, 1), easter(39), fixed(6, 6), MIDSUMMER_EVE],
    ...[fixed(12, 24), ...CHRISTMAS_AND_BOXING, fixed(12, 31)],
  ],
  [
    {
      time: "13:00",
      days: (year) => [`${year}-01-05`, ...easter(-3, 38)(year), `${year}-04-30`, ...ALL_SAINTS_EVE(year)],
    },
  ],
);

const TOKYO = daysByRules([
  japanese(
    ...[fixed(1, 1), nth(1, MONDAY, 2), fixed(2, 11), fixed(2, 23), VERNAL_EQUINOX, fixed(4, 29)],
    ...[fixed(5, 3), fixed(5, 4), fixed(5, 5), nth(7, MONDAY, 3), fixed(8, 11), nth(9, MONDAY, 3), AUTUMNAL_EQUINOX],
    ...[nth(10, MONDAY, 2), fixed(11, 3), fixed(11, 23)],
  ),
  ...[fixed(1, 2), fixed(1, 3), fixed(12, 31)],
]);

const TORONTO = daysByRules(
  [
    fixed(1, 1, "next_monday"),
    since(2008, nth(2, MONDAY, 3)),
    GOOD_FRIDAY,
    from(5, 18, MONDAY),
    fixed(7, 1, "next_monday"),
    nth(8, MONDAY, 1),
    nth(9, MONDAY, 1),
    nth(10, MONDAY, 2),
    CHRISTMAS_TWO_DAYS,
  ],
  [{ time: "13:00", days: since(2010, fixed(12, 24)) }],
);

const SYDNEY = daysByRules(
  [
    ...[fixed(1, 1, "next_monday"), fixed(1, 26, "next_monday"), GOOD_FRIDAY, EASTER_MONDAY, fixed(4, 25)],
    ...[nth(6, MONDAY, 2), CHRISTMAS_TWO_DAYS],
  ],
  [{ time: "14:10", last_before: ["12-25", "01-01"] }],
);

const CONTINENT = daysByRules(TARGET, [{ time: "14:05", ...YEAR_ENDS }]);
/** Closed on both eves in 2021; in the two years after they fell on weekends. */
const MADRID = daysByRules([...TARGET, once("2021-12-24", "2021-12-31")], [{ time: "14:00", ...YEAR_ENDS }]);
const CLOSED_AT_YEAR_ENDS = [fixed(12, 24), fixed(12, 31)];
const XETRA = daysByRules([...TARGET, ...CLOSED_AT_YEAR_ENDS], [{ time: "14:00", days: fixed(12, 30) }]);
const MILAN = daysByRules([...TARGET, ...CLOSED_AT_YEAR_ENDS, fixed(8, 15)]);
const ZURICH = daysByRules([...TARGET, ...CLOSED_AT_YEAR_ENDS, fixed(1, 2), easter(39, 50), fixed(8, 1)]);

const byRule = (first_year: number, source: string, daysOf: NonNullable<Exchange["rule"]>["daysOf"]) => ({
  rule: { first_year, last_year: LAST_YEAR, source, daysOf },
});
const published = (mic: string) => getOwn(PUBLISHED, mic) ?? [];
const B3_ASH_WEDNESDAY: readonly SessionHours[] = [["13:00", "17:55"]];
const KOREA_EXAM_DAY: readonly SessionHours[] = [["10:00", "16:30"]];
/** On the first day of a year Korea opens an hour later, and closes when it always does. */
const KOREA_FIRST_DAY: readonly SessionHours[] = [["10:00", "15:30"]];
/** The first weekday after New Year's Day. */
const isFirstWeekday = (date: string): boolean =>
  /-01-0[234]$/.test(date) && !isWeekend(date) && (date.endsWith("-02") || isWeekend(addDays(date, -1)));

/** One exchange in a line or two: code, name, zone, hours, then what is special. */
const one = (mic: string, name: string, more: Omit<Exchange, "mic" | "name" | "published">): Exchange => ({
  mic,
  name,
  published: published(mic),
  ...more,
});
const CET = hours(["09:00", "17:30"]);

/** Rules hold from the year in which today's began; nobody should read an older year out of them. */
export const EXCHANGES: readonly Exchange[] = [
  one("XNYS", "New York", {
    zone: "America/New_York",
    hours: hours(["09:30", "16:00"]),
    extended: { pre: "04:00", post: "20:00", post_early: "17:00" },
    ...byRule(2000, "NYSE Rule 7.2; nyse.com, special closings", NEW_YORK),
  }),
  one("XLON", "London", {
    zone: "Europe/London",
    hours: hours(["08:00", "16:30"]),
    ...byRule(2000, "gov.uk/bank-holidays", LONDON),
  }),
  one("XETR", "Xetra", { zone: "Europe/Berlin", hours: CET, ...byRule(2022, "Xetra trading calendar", XETRA) }),
  one("XPAR", "Paris", { zone: "Europe/Paris", hours: CET, ...byRule(2003, "Euronext trading calendar", CONTINENT) }),
  one("XAMS", "Amsterdam", {
    zone: "Europe/Amsterdam",
    hours: CET,
    ...byRule(2003, "Euronext trading calendar", CONTINENT),
  }),
  one("XSWX", "Zurich", { zone: "Europe/Zurich", hours: CET, ...byRule(2006, "SIX trading calendar", ZURICH) }),
  one("XMIL", "Milan", { zone: "Europe/Rome", hours: CET, ...byRule(2006, "Borsa Italiana calendar", MILAN) }),
  one("XMAD", "Madrid", { zone: "Europe/Madrid", hours: CET, ...byRule(2017, "BME trading calendar", MADRID) }),
  one("XSTO", "Stockholm", { zone: "Europe/Stockholm", hours: CET, ...byRule(2006, "Nasdaq Nordic", STOCKHOLM) }),
  one("XTKS", "Tokyo", {
    zone: "Asia/Tokyo",
    hours: [
      {
        since: ALWAYS,
        sessions: [
          ["09:00", "11:30"],
          ["12:30", "15:00"],
        ],
      },
      {
        since: "2024-11-05",
        sessions: [
          ["09:00", "11:30"],
          ["12:30", "15:30"],
        ],
      },
    ],
    ...byRule(2022, "Act on National Holidays; JPX", TOKYO),
  }),
  one("XHKG", "Hong Kong", { zone: "Asia/Hong_Kong", hours: hours(["09:30", "12:00"], ["13:00", "16:00"]) }),
  one("XSHG", "Shanghai", { zone: "Asia/Shanghai", hours: hours(["09:30", "11:30"], ["13:00", "15:00"]) }),
  one("XNSE", "India", { zone: "Asia/Kolkata", hours: hours(["09:15", "15:30"]) }),
  one("XKRX", "Korea", {
    zone: "Asia/Seoul",
    hours: hours(["09:00", "15:30"]),
    specialOf: (date) => (isFirstWeekday(date) ? KOREA_FIRST_DAY : undefined),
    special: [{ date: "2026-11-19", sessions: KOREA_EXAM_DAY, source: "KRX: an hour later on the day of the exam" }],
  }),
  one("XTAI", "Taiwan", { zone: "Asia/Taipei", hours: hours(["09:00", "13:30"]) }),
  one("XASX", "Sydney", {
    zone: "Australia/Sydney",
    hours: hours(["10:00", "16:00"]),
    ...byRule(2023, "ASX trading calendar", SYDNEY),
  }),
  one("XTSE", "Toronto", {
    zone: "America/Toronto",
    hours: hours(["09:30", "16:00"]),
    ...byRule(2008, "TMX trading calendar", TORONTO),
  }),
  one("BVMF", "B3", {
    zone: "America/Sao_Paulo",
    hours: hours(["10:00", "17:55"]),
    specialOf: (date) => (isAshWednesday(date) ? B3_ASH_WEDNESDAY : undefined),
    ...byRule(2022, "B3 and ANBIMA holiday lists", daysByRules(B3_RULES)),
  }),
];
