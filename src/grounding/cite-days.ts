import { isKnownDate, readKnownDates } from "./dates.ts";
import { dayOf, type FactsPack, type NumberLocale, type SentenceBlock, valueToDay } from "./facts.ts";
import { prepareTerms, readText } from "./read-text.ts";

/**
 * Finds a fact for each day that a block names: a fact of unit `day`, else one dated on that day, unless the block
 * already cites such a fact. Days in quotations are left out, because their authors named them.
 */
export function createDayCiter(pack: FactsPack, locale: NumberLocale): (block: SentenceBlock) => readonly string[] {
  const terms = prepareTerms(pack);
  const days = pack.facts.flatMap(({ id, unit, value, as_of }) => {
    const day = unit === "day" ? valueToDay(value) : dayOf(as_of);
    return [{ id, is_day: unit === "day", known: readKnownDates({ ...pack, dates: [day] }) }];
  });
  // A fact of unit `day` has the day as its value; other facts only have a date.
  const sorted = days.sort((a, b) => Number(b.is_day) - Number(a.is_day));
  // A bare year is the fact of its last day: "expects 4.5% for 2026".
  const years = new Map(
    pack.facts.flatMap(({ id, unit, value }) =>
      unit === "day" && value % 10_000 === 1_231 ? [[String(Math.floor(value / 10_000)), id] as const] : [],
    ),
  );
  return ({ text, facts }) => {
    const cited = new Set(facts);
    const found: string[] = [];
    const read = readText(text.replace(/"[^"]*"/g, " "), locale, terms);
    for (const { text: year, written } of read.figures) {
      const id = written === "bare" ? years.get(year) : undefined;
      if (id === undefined || cited.has(id)) continue;
      cited.add(id);
      found.push(id);
    }
    for (const date of read.dates) {
      if (date.time !== null) continue;
      const fitting = sorted.filter(({ known }) => isKnownDate(date, known));
      const [first] = fitting;
      if (!first || fitting.some(({ id }) => cited.has(id))) continue;
      cited.add(first.id);
      found.push(first.id);
    }
    return found;
  };
}
