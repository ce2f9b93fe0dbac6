/** A year of birth as a list gives it: one year, or a range of which both ends belong to it. */
export interface BirthYears {
  readonly from: number;
  readonly to: number;
  /** Whether the list calls it approximate ("circa 1968"). */
  readonly is_approximate: boolean;
}

/** Years that an asked one may be off: registers of births are off by one. */
export const YEARS_OFF = 1;
/** The same where the list itself says that it is approximate. */
export const APPROXIMATE_YEARS_OFF = 5;

const YEAR = String.raw`(?<!\d)((?:1[89]|20)\d\d)(s?)(?!\d)`;
/** Day and month before the year that a range ends with, such as "31 Dec " or the UK's "dd/mm/". */
const DAY = String.raw`(?:(?:\d{1,2}|dd|mm)[ ./-]+){0,2}(?:[a-z]{3,9}\.?,? )?(?:\d{1,2}, )?`;
const ONLY_WORDS = `(?:(?:circa|about|around|early|mid|late|the) )*`;
const joined = (by: string): string =>
  `${YEAR}(?:-\\d\\d-\\d\\d)?\\s*(?:${by})\\s*${ONLY_WORDS}${DAY}${ONLY_WORDS}${YEAR}`;
const RANGE = new RegExp(joined("to|until|till|through|[-–—]"), "gi");
/** "1968 and 1970" are two years; only behind "between" are they the ends of a range. */
const BETWEEN = new RegExp(`between[^;]*?${joined("and")}`, "gi");
/** "1970-71", which is no month of 1970. */
const SHORT = /(?<!\d)(1[89]|20)(\d\d)[-–/](?!0\d|1[0-2])(\d\d)(?![\d-])/g;
const SINGLE = new RegExp(YEAR, "gi");
const APPROXIMATE =
  /\b(?:circa|ca?\.|ca? ?(?=(?:1[89]|20)\d\d(?!\d))|approx\w*|about|around|estimated|before|after)(?![a-z])|~/i;

/** Whether a text calls what it tells approximate. */
export const isCalledApproximate = (text: string): boolean => APPROXIMATE.test(text);

const DECADE_LAST = 9;

/** Years of birth in a list's own words: "17 Apr 1993", "1968 to 1973", "between 1952 and 1954", "1960s". */
export function readBirthYears(text: string): readonly BirthYears[] {
  const is_approximate = isCalledApproximate(text);
  const found: BirthYears[] = [];
  const add = (first: string, last: string, is_decade: boolean): string => {
    const [from, to] = [Number(first), Number(last) + (is_decade ? DECADE_LAST : 0)];
    found.push({ from: Math.min(from, to), to: Math.max(from, to), is_approximate });
    return " ";
  };
  const addRange = (_: string, ...[from = "", , to = "", decade = ""]: string[]): string =>
    add(from, to, decade !== "");
  text
    .replace(BETWEEN, addRange)
    .replace(SHORT, (all: string, century = "", from = "", to = "") =>
      Number(to) > Number(from) ? add(century + from, century + to, false) : all,
    )
    .replace(RANGE, addRange)
    .replace(SINGLE, (_: string, year: string, decade: string) => add(year, year, decade !== ""));
  return found;
}

/**
 * A range from a list's own fields. Where it has one end alone, that end is an approximate year: nobody is born "from
 * 1968 on". Fields without a year say nothing.
 */
export function readBirthRange(from: string, to: string): readonly BirthYears[] {
  const ends = [...readBirthYears(from), ...readBirthYears(to)];
  if (ends.length === 0) return [];
  return [
    {
      from: Math.min(...ends.map((one) => one.from)),
      to: Math.max(...ends.map((one) => one.to)),
      is_approximate: ends.length === 1 || ends.some((one) => one.is_approximate),
    },
  ];
}

/** For a column of text: "1971", a range "1977-1982", and "~" before what is approximate, joined by " ". */
export const renderBirthYears = (years: readonly BirthYears[]): string =>
  [
    ...new Set(
      years.map(
        ({ from, to, is_approximate }) => `${is_approximate ? "~" : ""}${from === to ? String(from) : `${from}-${to}`}`,
      ),
    ),
  ].join(" ");

/**
 * Whether a year lies within a listed one or a listed range, give or take `YEARS_OFF`, or `APPROXIMATE_YEARS_OFF` where
 * the list calls it approximate; null when none is listed. @param listed as `renderBirthYears` writes it.
 */
export function isBirthYearListed(listed: string, asked: number): boolean | null {
  const years = listed.split(" ").filter((one) => one !== "");
  if (years.length === 0) return null;
  return years.some((text) => {
    const [, mark, from, to = from] = /^(~?)(\d+)(?:-(\d+))?$/.exec(text) ?? [];
    const off = mark === "~" ? APPROXIMATE_YEARS_OFF : YEARS_OFF;
    return asked >= Number(from) - off && asked <= Number(to) + off;
  });
}
