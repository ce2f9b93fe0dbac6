import { dayOf, type FactsPack, type NumberLocale } from "./facts.ts";
import { MONTHS, WEAK_MONTHS, WEEKDAYS, WEEKDAYS_PT } from "./lexicon.ts";
import type { Token } from "./tokens.ts";
import { ROLE } from "./word-roles.ts";

/** The parts of a date that a text states; null for each part that it leaves out. */
export interface NamedDate {
  readonly start: number;
  readonly end: number;
  readonly year: number | null;
  readonly month: number | null;
  readonly day: number | null;
  /** 0 for Sunday. */
  readonly weekday: number | null;
  /** "12:30" */
  readonly time: string | null;
}

/** The days and times of a pack, prepared for look-ups. */
export interface KnownDates {
  readonly parts: ReadonlySet<string>;
  readonly times: ReadonlySet<string>;
}

const keyOf = (date: Pick<NamedDate, "year" | "month" | "day" | "weekday">): string =>
  `${date.year ?? "*"}-${date.month ?? "*"}-${date.day ?? "*"}-${date.weekday ?? "*"}`;

/** Every form in which a day of the pack may be named in part. */
export function readKnownDates({ dates }: FactsPack): KnownDates {
  const parts = new Set<string>();
  const times = new Set<string>();
  for (const iso of dates) {
    const [year, month, day] = dayOf(iso).split("-").map(Number);
    const time = /T(\d{2}:\d{2})/.exec(iso)?.[1];
    if (time) times.add(time);
    if (year === undefined || month === undefined || day === undefined) continue;
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    for (const one of [year, null]) {
      for (const two of [month, null]) {
        for (const three of [day, null]) {
          for (const four of [weekday, null]) {
            parts.add(keyOf({ year: one, month: two, day: three, weekday: four }));
          }
        }
      }
    }
  }
  return { parts, times };
}

/** Whether the pack has a matching day or time. */
export const isKnownDate = (date: NamedDate, known: KnownDates): boolean =>
  date.time === null ? known.parts.has(keyOf(date)) : known.times.has(date.time);

const EMPTY = { year: null, month: null, day: null, weekday: null, time: null };
const SMALL = /^\d{1,2}$/;
const YEAR = /^(?:19|20)\d{2}$/;

const isMark = (token: Token | undefined, mark: string): boolean => token?.text === mark && token.is_glued;
const numberAt = (tokens: readonly Token[], at: number, pattern: RegExp): number | null => {
  const token = tokens[at];
  return token?.kind === "digits" && pattern.test(token.text) ? Number(token.text) : null;
};

/** "2026-11-20", "20/11/2026", "20/11", "11/20/2026", "12:30". */
function readNumericDate(tokens: readonly Token[], at: number, locale: NumberLocale): NamedDate | null {
  // Most figures are followed by a space.
  if (!tokens[at + 1]?.is_glued || !tokens[at + 2]?.is_glued) return null;
  const [first, second, third] = [tokens[at], tokens[at + 2], tokens[at + 4]];
  if (isMark(tokens[at + 1], "-") && isMark(tokens[at + 3], "-") && second?.is_glued && third?.is_glued) {
    const [year, month, day] = [YEAR, SMALL, SMALL].map((pattern, index) => numberAt(tokens, at + 2 * index, pattern));
    if (year && month && day) return { ...EMPTY, start: at, end: at + 5, year, month, day };
  }
  if (isMark(tokens[at + 1], ":") && second?.is_glued && /^\d{2}$/.test(second.text) && SMALL.test(first?.text ?? "")) {
    const time = `${first?.text.padStart(2, "0")}:${second.text}`;
    return { ...EMPTY, start: at, end: at + 3, time };
  }
  const [one, two] = [numberAt(tokens, at, SMALL), numberAt(tokens, at + 2, SMALL)];
  if (!isMark(tokens[at + 1], "/") || !second?.is_glued || one === null || two === null) return null;
  const [day, month] = locale === "en" ? [two, one] : [one, two];
  const year = isMark(tokens[at + 3], "/") && third?.is_glued ? numberAt(tokens, at + 4, YEAR) : null;
  return { ...EMPTY, start: at, end: at + (year === null ? 3 : 5), day, month, year };
}

const monthAt = (tokens: readonly Token[], at: number): number | null => {
  const token = tokens[at];
  return token?.kind === "word" && Object.hasOwn(MONTHS, token.folded) ? (MONTHS[token.folded] ?? null) : null;
};

/** How many tokens ("," or "de") come before the next part of a date. */
const linkAt = (tokens: readonly Token[], at: number): number => {
  const token = tokens[at];
  return token?.text === "," || token?.folded === "de" || token?.folded === "of" ? 1 : 0;
};

/** "20 November 2026", "20 de novembro", "20th of November": the digits stand at the token. */
function readDayFirst(tokens: readonly Token[], at: number): NamedDate | null {
  const day = numberAt(tokens, at, SMALL);
  if (day === null) return null;
  let next = at + 1;
  if (tokens[next]?.is_glued && /^(?:st|nd|rd|th|º|o)$/.test(tokens[next]?.folded ?? "")) next += 1;
  next += linkAt(tokens, next);
  const month = monthAt(tokens, next);
  if (month === null) return null;
  const after = next + 1 + linkAt(tokens, next + 1);
  const year = numberAt(tokens, after, YEAR);
  return { ...EMPTY, start: at, end: year === null ? next + 1 : after + 1, day, month, year };
}

/** "November 20, 2026", "November 2026", "novembro de 2026", "November": the month stands at the token. */
function readMonthFirst(tokens: readonly Token[], at: number): NamedDate | null {
  const month = monthAt(tokens, at);
  const token = tokens[at];
  if (month === null || !token) return null;
  const day = numberAt(tokens, at + 1, SMALL);
  const after = (day === null ? at + 1 : at + 2) + linkAt(tokens, day === null ? at + 1 : at + 2);
  const year = numberAt(tokens, after, YEAR);
  // "may", "set", "out" are words; "May", "March" beside no number too.
  if (day === null && year === null && WEAK_MONTHS.has(token.folded) && token.folded !== "march") return null;
  if (token.folded === "march" && token.text === "march") return null;
  const end = year === null ? (day === null ? at + 1 : at + 2) : after + 1;
  return { ...EMPTY, start: at, end, month, day, year };
}

function readWeekday(tokens: readonly Token[], at: number): NamedDate | null {
  const token = tokens[at];
  if (token?.kind !== "word") return null;
  const english = Object.hasOwn(WEEKDAYS, token.folded) ? WEEKDAYS[token.folded] : undefined;
  if (english !== undefined) return { ...EMPTY, start: at, end: at + 1, weekday: english };
  const weekday = Object.hasOwn(WEEKDAYS_PT, token.folded) ? WEEKDAYS_PT[token.folded] : undefined;
  const has_feira = isMark(tokens[at + 1], "-") && tokens[at + 2]?.folded === "feira";
  const stands_alone = token.folded === "domingo" || token.folded === "sabado";
  if (weekday === undefined || has_feira === stands_alone) return null;
  return { ...EMPTY, start: at, end: at + (has_feira ? 3 : 1), weekday };
}

/**
 * The day, month, weekday or time of day that begins at a token. A bare year does not count: it may be a figure.
 */
export function readDate(tokens: readonly Token[], at: number, locale: NumberLocale): NamedDate | null {
  const token = tokens[at];
  if (!token || (token.kind !== "digits" && (token.roles & ROLE.date) === 0)) return null;
  if (token.kind === "digits") return readNumericDate(tokens, at, locale) ?? readDayFirst(tokens, at);
  const weekday = readWeekday(tokens, at);
  if (!weekday) return readMonthFirst(tokens, at);
  // "Friday, 20 November" names one day, so both parts must match it.
  const next = weekday.end + (tokens[weekday.end]?.text === "," ? 1 : 0);
  const date = next < tokens.length ? (readNumericDate(tokens, next, locale) ?? readDayFirst(tokens, next)) : null;
  const month_first = date ?? readMonthFirst(tokens, next);
  const named = month_first && month_first.time === null ? month_first : null;
  return named ? { ...named, start: at, weekday: weekday.weekday } : weekday;
}
