import { describe, expect, test } from "bun:test";
import { isBirthYearListed, readBirthRange, readBirthYears, renderBirthYears } from "./birth-years.ts";

/** As lists write them, and as they are kept. */
const WRITTEN: readonly (readonly [string, string])[] = [
  ["1951", "1951"],
  ["17 Apr 1993", "1993"],
  ["24/10/1972", "1972"],
  ["dd/mm/1945", "1945"],
  ["1924-02-21", "1924"],
  ["1968 to 1973", "1968-1973"],
  ["1968-1973", "1968-1973"],
  ["1973 – 1968", "1968-1973"],
  ["01 Jan 1960 to 31 Dec 1961", "1960-1961"],
  ["Jan 1960 to Dec 1961", "1960-1961"],
  ["1960-01-01 to 1961-12-31", "1960-1961"],
  ["01/01/1960-31/12/1965", "1960-1965"],
  ["between 1952 and 1954", "1952-1954"],
  ["between 1 Jan 1952 and 31 Dec 1954", "1952-1954"],
  ["1968 and 1970", "1968 1970"],
  ["1945 or 1948", "1945 1948"],
  ["1945; 1948 to 1950", "1948-1950 1945"],
  ["circa 1951", "~1951"],
  ["circa 1968 to 1973", "~1968-1973"],
  ["c. 1951", "~1951"],
  ["c1951", "~1951"],
  ["Casablanca, 1951", "1951"],
  ["Approximately 1963-1968", "~1963-1968"],
  ["1970-71", "1970-1971"],
  ["1969/70", "1969-1970"],
  ["1970-12", "1970"],
  ["1970-13", "1970"],
  ["1960s", "1960-1969"],
  ["late 1960s to early 1970s", "1960-1979"],
  ["1 January 1380 (Hijri), no. 19681973", ""],
  ["24/06/1402 (Hijri Calendar)", ""],
  ["Between Aug. and Sep. 1977", "1977"],
  ["Mar 1962 to Feb 1963", "1962-1963"],
  ["between 1955 & 1958", "1955-1958"],
  ["1966\u20101967", "1966-1967"],
  ["1966\u20111967", "1966-1967"],
  ["1966 \u2012 1968", "1966-1968"],
  ["1966\u22121967", "1966-1967"],
  ["1968-to-1970", "1968-1970"],
  ["1965/1968", "1965-1968"],
  ["1957/09/15", "1957"],
  ["1957/09/15 to 1959/09/15", "1957-1959"],
  ["1942~1945", "1942-1945"],
  ["1950's", "1950-1959"],
  ["late 1950\u2019s", "1950-1959"],
  ["1958?", "~1958"],
  ["1958 +/- 2", "~1958"],
  ["probably 1970", "~1970"],
  ["1970 (possibly)", "~1970"],
  ["early 1970", "1970"],
  ["before 1980", "1800-1980"],
  ["prior to 1980", "1800-1980"],
  ["no later than 1980", "1800-1980"],
  ["1980 or earlier", "1800-1980"],
  ["after 1970", "1970-2099"],
  ["since 1970", "1970-2099"],
  ["1970 or later", "1970-2099"],
  ["aged about 45 in 2009", ""],
  ["approximately 45 years of age in 2009", ""],
  ["1980 (as of 2015)", "1980"],
  ["1970 (passport issued 2005)", "1970"],
  ["", ""],
];

describe("years of birth", () => {
  test.each(WRITTEN)("%s", (text, stored) => expect(renderBirthYears(readBirthYears(text))).toBe(stored));

  test.each([
    ["1977", "1982", "1977-1982"],
    ["1982", "1977", "1977-1982"],
    ["1977", "", "1977-2099"],
    ["", "1982", "1800-1982"],
    ["", "", ""],
  ])("a range of fields from %p to %p", (from, to, stored) =>
    expect(renderBirthYears(readBirthRange(from, to))).toBe(stored),
  );

  test.each([
    ["1977-1982", { 1975: false, 1976: true, 1977: true, 1979: true, 1982: true, 1983: true, 1984: false }],
    ["1970", { 1968: false, 1969: true, 1970: true, 1971: true, 1972: false }],
    ["~1970", { 1964: false, 1965: true, 1975: true, 1976: false }],
    ["~1968-1973", { 1962: false, 1963: true, 1978: true, 1979: false }],
    ["1945 1960-1962", { 1945: true, 1950: false, 1961: true }],
    ["1800-1980", { 1950: true, 1981: true, 1982: false }],
    ["", { 1970: null }],
  ])("asked of %p", (listed, due) => {
    const said = Object.keys(due).map((year) => [year, isBirthYearListed(listed, Number(year))]);
    expect(Object.fromEntries(said)).toEqual(due);
  });
});
