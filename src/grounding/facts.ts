import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import type { NumberLocale } from "../text/parse-number.ts";
import { areSuspiciousTogether } from "./untrusted.ts";

/**
 * What a number is: money of a currency, percent, percentage points, basis points, a fraction, a bare number, or a day
 * of the calendar as YYYYMMDD.
 */
export const UNITS = [
  ...(["usd", "brl", "eur", "pct", "pp", "bps", "ratio", "index", "count", "days", "rank", "number", "day"] as const),
] as const;
export type FactUnit = (typeof UNITS)[number];

/** One number a text may show, with everything the guard knows of it. */
export interface Fact {
  /** Names it within its pack, and stays the same from edition to edition. */
  readonly name: string;
  readonly label: string;
  readonly value: number;
  readonly unit: FactUnit;
  /** `change`: a signed move, whose direction words must agree with its sign. */
  readonly kind: "level" | "change";
  /** The subject it is about, one of the pack's. A sentence about another subject must not show it. */
  readonly about: string | null;
  /** The stretch of time it covers, such as "24h": a sentence must not put it beside another stretch. */
  readonly window: string | null;
  /** Path of the product, or id of the provider, that it comes from. */
  readonly from: string;
  /** Its day or instant, ISO 8601. */
  readonly as_of: string;
}

/** A fact with its place in the pack: F1, F2 and so on. */
export interface ListedFact extends Fact {
  readonly id: string;
}

/** A headline or excerpt. Nothing in it becomes a fact, and it may be shown only as a quotation. */
export interface SourceText {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly domain: string;
  readonly published_at: string | null;
  readonly excerpt: string | null;
  /** Whether it looks like an attempt to instruct a model. No model is shown a suspicious text. */
  readonly suspicious: boolean;
}

/** Everything that a text may be written from. */
export interface FactsPack {
  readonly facts: readonly ListedFact[];
  readonly texts: readonly SourceText[];
  /** Days (YYYY-MM-DD) and instants that may be named. */
  readonly dates: readonly string[];
  /** Terms whose digits or capitals are not figures: "S&P 500", "DI1F27". */
  readonly identifiers: readonly string[];
  /** Stretches of time that may be named: "24h", "30d", "12m", "1y". */
  readonly windows: readonly string[];
  /** Subjects by name, with their other names: { BTC: ["Bitcoin"] }. */
  readonly subjects: Readonly<Record<string, readonly string[]>>;
}

/** A paragraph, with the facts and texts it was written from. */
export interface SentenceBlock {
  readonly id: string;
  readonly text: string;
  /** Ids of the facts it shows. */
  readonly facts: readonly string[];
  /** Ids of the texts it quotes. */
  readonly sources: readonly string[];
}

export type { NumberLocale };

const FACTS_MAX = 400;
const TEXTS_MAX = 40;

/** A fact before the pack gives it an id. */
export type FactDraft = Pick<Fact, "name" | "label" | "unit" | "from" | "as_of"> &
  Partial<Pick<Fact, "kind" | "about" | "window">> & { readonly value: number | null | undefined };

/** A pack under construction. */
export interface PackBuilder {
  /** Adds a number. A missing one (null, undefined, not finite) is left out, and so are the sentences that need it. */
  add(draft: FactDraft): void;
  addAll(drafts: readonly FactDraft[]): void;
  /** The numbers that were missing so far, for warnings. */
  listMissing(): readonly Pick<Fact, "name" | "from">[];
  build(): FactsPack;
}

/** A day that a text may name, stored as a fact. */
export type NamedDay = Pick<Fact, "name" | "label" | "from"> & {
  /** YYYY-MM-DD; null or undefined if it is unknown. */
  readonly date: string | null | undefined;
};

/** The parts of a pack besides its facts. */
export type PackFrame = Partial<Omit<FactsPack, "facts">> & {
  /** Days the text may name. Each becomes a fact, so that a reader of the answer can look up the date. */
  readonly days?: readonly NamedDay[];
};

/** A day as the value of its fact: 2026-12-09 is 20261209. */
const dayToValue = (iso: string): number => Number(dayOf(iso).replaceAll("-", ""));
/** The day a fact of unit `day` is: YYYY-MM-DD. */
export const valueToDay = (value: number): string => String(value).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");

/** The day of an ISO date or instant. */
export const dayOf = (iso: string): string => iso.slice(0, 10);

/** Marks texts as suspicious that form an order together, though each alone is innocent. */
function withholdSplit(texts: readonly SourceText[]): readonly SourceText[] {
  const calm = texts.filter(({ suspicious }) => !suspicious);
  const is_split = areSuspiciousTogether(calm.map(({ title, excerpt }) => `${title} ${excerpt ?? ""}`));
  return is_split ? texts.map((text) => ({ ...text, suspicious: true })) : texts;
}

/**
 * Starts a pack. The days its facts are of may be named.
 * @throws RangeError for two facts of one name, an unknown subject, or more than 400 facts or 40 texts.
 */
export function createPack(frame: PackFrame = {}): PackBuilder {
  const facts: ListedFact[] = [];
  const missing: Pick<Fact, "name" | "from">[] = [];
  const names = new Set<string>();
  const { dates = [], days = [], identifiers = [], windows = [], subjects = {} } = frame;
  const texts = withholdSplit(frame.texts ?? []);
  if (texts.length > TEXTS_MAX) throw new RangeError(`more than ${TEXTS_MAX} texts`);
  const builder: PackBuilder = {
    add(draft) {
      const { value, kind = "level", about = null, window = null, name, label, unit, from, as_of } = draft;
      if (value === null || value === undefined || !Number.isFinite(value)) {
        missing.push({ name, from });
        return;
      }
      // Rounded to ten significant digits here, so that the published value is the one texts are checked with.
      const rounded = Number(value.toPrecision(10));
      if (names.has(name)) throw new RangeError(`two facts are called ${name}`);
      if (about !== null && !Object.hasOwn(subjects, about)) throw new RangeError(`${about} is no subject of the pack`);
      if (facts.length === FACTS_MAX) throw new RangeError(`more than ${FACTS_MAX} facts`);
      names.add(name);
      facts.push({ id: `F${facts.length + 1}`, name, label, value: rounded, unit, kind, about, window, from, as_of });
    },
    addAll(drafts) {
      for (const draft of drafts) builder.add(draft);
    },
    listMissing: () => missing,
    build: () => {
      // Days come last, so that the ids of numbers do not depend on them.
      for (const { date, ...day } of days) {
        if (date && !names.has(day.name))
          builder.add({ ...day, unit: "day", value: dayToValue(date), as_of: dayOf(date) });
      }
      return frameOf(facts);
    },
  };
  const frameOf = (facts: readonly ListedFact[]): FactsPack => ({
    facts,
    texts,
    identifiers,
    subjects,
    dates: [...new Set([...dates, ...listDays(facts), ...facts.map(({ as_of }) => as_of)])],
    windows: [...new Set([...windows, ...facts.flatMap(({ window }) => window ?? [])])],
  });
  return builder;
}

const listDays = (facts: readonly Fact[]): readonly string[] =>
  facts.flatMap(({ unit, value }) => (unit === "day" ? [valueToDay(value)] : []));

/** A text in its published form. */
export type Citation = Omit<SourceText, "excerpt" | "suspicious">;

/** The texts of a pack in their published form. */
export const listCitations = ({ texts }: FactsPack): readonly Citation[] =>
  texts.map(({ id, title, url, domain, published_at }) => ({ id, title, url, domain, published_at }));

/** SHA-256, hex, of the canonical JSON (RFC 8785) of the published part of a pack. */
export const hashPublished = (published: {
  readonly facts: readonly ListedFact[];
  readonly citations: readonly Citation[];
}): string => sha256Hex(canonicalJSON({ facts: published.facts, citations: published.citations }));

/** The hash of all of a pack: `{facts, citations}`. */
export const hashPack = (pack: FactsPack): string =>
  hashPublished({ facts: pack.facts, citations: listCitations(pack) });
