import { daysBetween } from "intel-node";
import { type ConceptId, getConcept } from "./concepts.ts";
import type { EdgarFact } from "./scan-facts.ts";
import { adjustForSplits, findSplits, type ShareSplit } from "./splits.ts";

/** A fact as it was known at a time, with what it replaced. */
export interface KnownFact extends EdgarFact {
  readonly restated: { readonly previous: number; readonly previous_accession: string } | null;
}

/** How long a period is. Reports of 52 and 53 weeks fall into the same classes. */
export type ReportSpan = "quarter" | "half" | "nine_months" | "year";
const SPANS: readonly (readonly [ReportSpan, number, number])[] = [
  ["quarter", 70, 120],
  ["half", 140, 229],
  ["nine_months", 230, 329],
  ["year", 330, 420],
];
/** A tag whose newest fact is this much older than the newest balance was given up for another. */
const ABANDONED_DAYS = 185;

export const daysOf = ({ start, end }: Pick<EdgarFact, "start" | "end">): number =>
  start === null ? 0 : daysBetween(start, end) + 1;

export function spanOf(fact: Pick<EdgarFact, "start" | "end">): ReportSpan | null {
  const days = daysOf(fact);
  return SPANS.find(([, from, to]) => days >= from && days <= to)?.[0] ?? null;
}

const keyOf = ({ tag, unit, start, end }: EdgarFact): string => `${tag} ${unit} ${start} ${end}`;

/** A number adjusted for a split differs from the restated one by the rounding of both. */
const [SPLIT_RATIO, SPLIT_CENT] = [0.05, 0.011];
const isRounding = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(SPLIT_CENT, SPLIT_RATIO * Math.abs(b));

/** Of each tag, unit and period the newest fact: what was filed later has been left out. */
function knowFacts(facts: ReturnType<typeof adjustForSplits>): readonly KnownFact[] {
  const known = new Map<string, KnownFact & { readonly is_adjusted?: boolean }>();
  const order = facts.toSorted((a, b) =>
    a.filed === b.filed ? (a.accession < b.accession ? -1 : 1) : a.filed < b.filed ? -1 : 1,
  );
  for (const fact of order) {
    const before = known.get(keyOf(fact));
    const is_same = before && (before.is_adjusted ? isRounding(before.value, fact.value) : before.value === fact.value);
    const changed = before && !is_same;
    const restated = changed
      ? { previous: before.value, previous_accession: before.accession }
      : (before?.restated ?? null);
    known.set(keyOf(fact), { ...fact, restated });
  }
  return [...known.values()];
}

/** The facts of a company at a time, by concept. */
export interface FactBase {
  readonly currency: string;
  readonly newest_end: string;
  /** Splits that per-share figures and shares are adjusted for. */
  readonly splits: readonly ShareSplit[];
  /** Facts of one concept, oldest first, each period once. */
  of(id: ConceptId): readonly KnownFact[];
}

const isUnit = (fact: EdgarFact, wanted: "per_share" | "shares" | undefined, currency: string): boolean =>
  fact.unit === (wanted === "shares" ? "shares" : wanted === "per_share" ? `${currency}/shares` : currency);

/** The currency of its newest balance. */
function findCurrency(facts: readonly KnownFact[]): string {
  const assets = facts.filter(({ tag, unit }) => tag === "Assets" && /^[A-Z]{3}$/.test(unit));
  return assets.toSorted((a, b) => (a.end < b.end ? 1 : -1))[0]?.unit ?? "USD";
}

export function createFactBase(all: readonly EdgarFact[], known_at: string): FactBase {
  const filed = all.filter((fact) => fact.filed <= known_at);
  const splits = findSplits(filed);
  const facts = knowFacts(adjustForSplits(filed, splits));
  const currency = findCurrency(facts);
  const newest_end = facts.reduce((last, { tag, end }) => (tag === "Assets" && end > last ? end : last), "");
  const by_tag = Map.groupBy(facts, ({ tag }) => tag);
  const kept = new Map<ConceptId, readonly KnownFact[]>();

  /** History is stitched by period: the tag in use first, then the others in order. */
  function collect(id: ConceptId): readonly KnownFact[] {
    const { us_gaap, ifrs = [], dei = [], kind, unit, largest = false } = getConcept(id);
    const listed = [...dei, ...us_gaap, ...ifrs].map((tag) =>
      (by_tag.get(tag) ?? []).filter(
        (fact) => (fact.start === null) === (kind === "instant") && isUnit(fact, unit, currency),
      ),
    );
    const newestOf = (one: readonly KnownFact[]): string =>
      one
        .map(({ end }) => end)
        .sort()
        .at(-1) ?? "";
    const isAlive = (one: readonly KnownFact[]): boolean => {
      const end = newestOf(one);
      return end !== "" && (newest_end === "" || daysBetween(end, newest_end) <= ABANDONED_DAYS);
    };
    const ordered = [...listed.filter(isAlive), ...listed.filter((one) => !isAlive(one))];
    if (!listed.some(isAlive)) return [];
    const by_period = new Map<string, KnownFact>();
    for (const fact of ordered.flat()) {
      const period = `${fact.start} ${fact.end}`;
      const before = by_period.get(period);
      if (!before || (largest && fact.value > before.value)) by_period.set(period, fact);
    }
    return [...by_period.values()].sort((a, b) => (a.end === b.end ? daysOf(a) - daysOf(b) : a.end < b.end ? -1 : 1));
  }

  return {
    currency,
    newest_end,
    splits,
    of(id) {
      const known = kept.get(id);
      if (known) return known;
      const collected = collect(id);
      kept.set(id, collected);
      return collected;
    },
  };
}
