import { addDays, daysBetween } from "intel-node";
import type { ConceptId } from "./concepts.ts";
import { daysOf, type FactBase, type KnownFact, spanOf } from "./fact-base.ts";

/** A number with the facts it is made of. */
export interface ReportedFigure {
  readonly value: number;
  readonly start: string | null;
  readonly end: string;
  /** Not reported as such, but the difference or sum of reported numbers. */
  readonly derived: boolean;
  readonly facts: readonly KnownFact[];
}

const asReported = (fact: KnownFact): ReportedFigure => ({
  value: fact.value,
  start: fact.start,
  end: fact.end,
  derived: false,
  facts: [fact],
});
/** Weeks of 52 and 53: the same period of another year begins and ends within a week of it. */
const NEAR_DAYS = 7;
const isNear = (a: string, b: string): boolean => Math.abs(daysBetween(a, b)) <= NEAR_DAYS;

export const listYears = (base: FactBase, id: ConceptId): readonly ReportedFigure[] =>
  base
    .of(id)
    .filter((fact) => spanOf(fact) === "year")
    .map(asReported);

/**
 * Quarters, oldest first: reported ones, differences of what is reported from the year's beginning on, and the fourth
 * as the year less nine months.
 */
export function listQuarters(base: FactBase, id: ConceptId): readonly ReportedFigure[] {
  const facts = base.of(id);
  const quarters = new Map<string, ReportedFigure>();
  for (const fact of facts) if (spanOf(fact) === "quarter") quarters.set(fact.end, asReported(fact));
  for (const long of facts) {
    if (long.start === null || spanOf(long) === "quarter" || spanOf(long) === null || quarters.has(long.end)) continue;
    const shorter = facts.find(
      (one) =>
        one.start === long.start &&
        one.end < long.end &&
        spanOf({ start: addDays(one.end, 1), end: long.end }) === "quarter",
    );
    if (!shorter) continue;
    const value = long.value - shorter.value;
    const start = addDays(shorter.end, 1);
    quarters.set(long.end, { value, start, end: long.end, derived: true, facts: [long, shorter] });
  }
  return [...quarters.values()].sort((a, b) => (a.end < b.end ? -1 : 1));
}

/** The last twelve months of a flow: the year, or year + this year's months - last year's; else four quarters. */
export function getTrailingYear(base: FactBase, id: ConceptId): ReportedFigure | null {
  const facts = base.of(id);
  const end = facts.at(-1)?.end;
  if (end === undefined) return null;
  const year = facts.findLast((fact) => fact.end === end && spanOf(fact) === "year");
  if (year) return asReported(year);
  const last = facts.findLast((fact) => spanOf(fact) === "year");
  const running =
    last &&
    facts.findLast((fact) => fact.end === end && fact.start !== null && isNear(fact.start, addDays(last.end, 1)));
  const before =
    running &&
    facts.find(
      (fact) =>
        fact.start !== null &&
        last.start !== null &&
        isNear(fact.start, last.start) &&
        fact.end < last.end &&
        Math.abs(daysOf(fact) - daysOf(running)) <= NEAR_DAYS,
    );
  if (last && running && before) {
    const value = last.value + running.value - before.value;
    return { value, start: addDays(before.end, 1), end, derived: true, facts: [last, running, before] };
  }
  const quarters = listQuarters(base, id).slice(-4);
  const first = quarters[0];
  const is_whole =
    quarters.length === 4 && first?.start && quarters.at(-1)?.end === end && daysOf({ start: first.start, end }) <= 380;
  if (!is_whole) return null;
  const value = quarters.reduce((sum, quarter) => sum + quarter.value, 0);
  return { value, start: first.start, end, derived: true, facts: quarters.flatMap((quarter) => quarter.facts) };
}

/** The newest value of a moment; with a day, the one at it, within a week. */
export function getBalance(base: FactBase, id: ConceptId, at?: string): ReportedFigure | null {
  const facts = base.of(id);
  const fact = at === undefined ? facts.at(-1) : facts.findLast(({ end }) => isNear(end, at));
  return fact ? asReported(fact) : null;
}
