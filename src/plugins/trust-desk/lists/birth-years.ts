/** A year of birth as a list gives it: one year, or a range that includes both ends. */
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

/** What a range is open to: "before 1980" and "1970 or later" leave all the years that `YEAR` reads. */
const FIRST_YEAR = 1800;
const LAST_YEAR = 2099;

const YEAR = String.raw`(?<!\d)((?:1[89]|20)\d\d)(s?)(?!\d)`;
/** Day and month before a year, such as "31 Dec " or the UK's "dd/mm/". */
const DAY = String.raw`(?:(?:\d{1,2}|dd|mm)[ ./-]+){0,2}(?:[a-z]{3,9}\.?,? )?(?:\d{1,2}, )?`;
const ONLY_WORDS = `(?:(?:circa|about|around|early|mid|late|the) )*`;
const joined = (by: string): string =>
  `${YEAR}(?:-\\d\\d-\\d\\d)?\\s*(?:${by})\\s*${ONLY_WORDS}${DAY}${ONLY_WORDS}${YEAR}`;
const RANGE = new RegExp(joined("-?to-?|until|till|through|[-/~]"), "gi");
/** "1968 and 1970" are two years; only behind "between" are they the ends of a range. */
const BETWEEN = new RegExp(`between[^;]*?${joined("and|&")}`, "gi");
/** "1970-71", which is not a month of 1970. */
const SHORT = /(?<!\d)(1[89]|20)(\d\d)[-/](?!0\d|1[0-2])(\d\d)(?![\d-])/g;
/** A range with one end; looked for behind those with two. */
const UNTIL = new RegExp(
  `(?:(?<!not )before|prior to|not? (?:later than|after)|up to|until|till|by) ${DAY}${YEAR}|` +
    `${YEAR} or (?:before|earlier)`,
  "gi",
);
const SINCE = new RegExp(
  `(?:(?<!not )after|since|from|not? (?:earlier than|before)) ${DAY}${YEAR}|${YEAR} (?:or (?:after|later)|onwards?)`,
  "gi",
);
const SINGLE = new RegExp(YEAR, "gi");
const APPROXIMATE = new RegExp(
  [
    String.raw`\b(?:circa|ca?\.|ca? ?(?=(?:1[89]|20)\d\d(?!\d))|approx\w*|about|around|estimated)(?![a-z])`,
    String.raw`\b(?:probabl[ey]|possibl[ey]|perhaps|maybe|presumably)\b`,
    String.raw`(?<=\d)\?|\+/-|[~\u00b1]`,
  ].join("|"),
  "i",
);
/** Years that are not of a birth: an age at some time, what a passport says of itself. */
const OTHER = /\b(?:aged?|years? old|years? of age|as (?:of|at)|issued|expire[sd]?)\b[^;()]*/gi;

/** One spelling of what lists spell in many ways: hyphens, "1950's", 1957/09/15, "1942~1945". */
const normalize = (text: string): string =>
  text
    .replace(OTHER, " ")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/(?<=\d{4})['\u2019]s/g, "s")
    .replace(/(?<!\d)(\d{4})\/(\d\d)\/(\d\d)(?!\d)/g, "$1-$2-$3")
    .replace(/(?<=\d{4}) ?~ ?(?=\d{4})/g, "-");

/** Whether a text calls its date approximate. */
export const isCalledApproximate = (text: string): boolean => APPROXIMATE.test(normalize(text));

const DECADE_LAST = 9;

/** Years of birth in a list's own words: "17 Apr 1993", "1968 to 1973", "between 1952 and 1954", "1960s". */
export function readBirthYears(words: string): readonly BirthYears[] {
  const text = normalize(words);
  const is_approximate = APPROXIMATE.test(text);
  const found: BirthYears[] = [];
  const add = (first: string, last: string, is_decade: boolean): string => {
    const [from, to] = [Number(first), Number(last) + (is_decade ? DECADE_LAST : 0)];
    found.push({ from: Math.min(from, to), to: Math.max(from, to), is_approximate });
    return " ";
  };
  const addRange = (_: string, ...[from = "", , to = "", decade = ""]: string[]): string =>
    add(from, to, decade !== "");
  const addUntil = (_: string, ...[before, decade, or_before, or_decade]: (string | undefined)[]): string =>
    add(`${FIRST_YEAR}`, before ?? or_before ?? "", (decade || or_decade || "") !== "");
  const addSince = (_: string, ...[after, , or_after]: (string | undefined)[]): string =>
    add(after ?? or_after ?? "", `${LAST_YEAR}`, false);
  text
    .replace(BETWEEN, addRange)
    .replace(SHORT, (all: string, century = "", from = "", to = "") =>
      Number(to) > Number(from) ? add(century + from, century + to, false) : all,
    )
    .replace(RANGE, addRange)
    .replace(UNTIL, addUntil)
    .replace(SINCE, addSince)
    .replace(SINGLE, (_: string, year: string, decade: string) => add(year, year, decade !== ""));
  return found;
}

/**
 * A range from a list's own fields. Where it has one end alone it is open to the other side: a list that says "1980 at
 * the latest" does not speak against 1950. Fields without a year say nothing.
 */
export function readBirthRange(from: string, to: string): readonly BirthYears[] {
  const [first, last] = [readBirthYears(from), readBirthYears(to)];
  const ends = [...first, ...last];
  if (ends.length === 0) return [];
  return [
    {
      from: first.length === 0 ? FIRST_YEAR : Math.min(...ends.map((one) => one.from)),
      to: last.length === 0 ? LAST_YEAR : Math.max(...ends.map((one) => one.to)),
      is_approximate: ends.some((one) => one.is_approximate),
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
 * Whether a year is within a listed one or a listed range, give or take `YEARS_OFF`, or `APPROXIMATE_YEARS_OFF` where
 * the list calls it approximate; null when no year is listed. @param listed as `renderBirthYears` writes it.
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
