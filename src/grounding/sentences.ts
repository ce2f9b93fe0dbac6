import { formatLarge, formatMoney, formatNumber, formatPercent } from "../text/format-number.ts";
import { dayOf, type FactsPack, type ListedFact, type NumberLocale, type SentenceBlock, valueToDay } from "./facts.ts";

const MONEY_SIGNS: Readonly<Record<NumberLocale, Readonly<Record<"usd" | "brl" | "eur", string>>>> = {
  en: { usd: "$", brl: "R$", eur: "€" },
  "pt-BR": { usd: "US$", brl: "R$", eur: "€" },
};
const POINTS: Readonly<Record<NumberLocale, { pp: string; bps: string }>> = {
  en: { pp: "percentage points", bps: "basis points" },
  "pt-BR": { pp: "p.p.", bps: "pontos-base" },
};

/** A figure as a sentence shows it; null when its fact is missing. */
export interface ShownFact {
  readonly text: string;
  readonly fact: ListedFact;
}

export interface ShowOptions {
  /** The most digits after the decimal mark. */
  readonly decimals?: number;
  /** Thousands and more in words: "1.87 billion". */
  readonly large?: boolean;
  /** Leaves out the sign, because a word beside the figure states the direction. */
  readonly unsigned?: boolean;
  /** With a plus sign when it is positive. */
  readonly plus?: boolean;
}

export type SentencePart = ShownFact | string | number | null | undefined;

/** Writes the sentences of a pack; a sentence with a missing part is left out. */
export interface SentenceWriter {
  readonly locale: NumberLocale;
  /** The fact of a name, or undefined. */
  fact(name: string): ListedFact | undefined;
  /** Its figure with its unit. */
  show(name: string, options?: ShowOptions): ShownFact | null;
  /** One of two wordings, chosen by the sign of a fact; with a third wording, that one is for 0. */
  bySign(name: string, words: readonly [up: string, down: string, none?: string]): string | null;
  /** A day of the pack in the style of the language: "2026-11-20", "20/11/2026"; null if the day is missing. */
  day(iso: string | null | undefined): string | null;
  /** A sentence; nothing when one of its parts is missing. */
  say(strings: TemplateStringsArray, ...parts: readonly SentencePart[]): void;
  /** Quotes a text, `domain: "title"`, and cites it in the next sentence. */
  quote(id: string): SentencePart;
  /** The block of the sentences so far; null without any. Afterwards a new block begins. */
  block(id: string): SentenceBlock | null;
}

/** A day as the language writes it: "2026-11-20", "20/11/2026". */
const showDay = (day: string, locale: NumberLocale): string =>
  locale === "en" ? day : day.split("-").toReversed().join("/");

/** A fact's figure in a language, rounded to the given decimals at most, but never so far that it misleads. */
export function showFact({ value, unit }: ListedFact, locale: NumberLocale, options: ShowOptions = {}): string {
  const { decimals = 2, large = false, unsigned = false, plus = false } = options;
  const shown = unsigned ? Math.abs(value) : value;
  // A small figure keeps two significant digits.
  const size = Math.abs(value);
  const needed =
    size === 0 || size >= 1 ? decimals : Math.min(12, Math.max(decimals, 1 - Math.floor(Math.log10(size))));
  const format = { locale, decimals_max: needed, plus };
  switch (unit) {
    case "usd":
    case "brl":
    case "eur":
      return formatMoney(shown, { ...format, sign: MONEY_SIGNS[locale][unit], large: large || size >= 1e6 });
    case "pct":
      return formatPercent(shown, format);
    case "pp":
    case "bps":
      return `${formatNumber(shown, format)} ${POINTS[locale][unit]}`;
    case "day":
      return showDay(valueToDay(value), locale);
    default:
      return large ? formatLarge(shown, format) : formatNumber(shown, format);
  }
}

const isShown = (part: SentencePart): part is ShownFact => typeof part === "object" && part !== null;

/** Creates the writer of a pack in a language. Each block cites the facts and texts that its sentences show. */
export function createSentences(pack: FactsPack, locale: NumberLocale): SentenceWriter {
  const facts = new Map(pack.facts.map((fact) => [fact.name, fact]));
  const texts = new Map(pack.texts.map((text) => [text.id, text]));
  let said: string[] = [];
  let cited = new Set<string>();
  let quoted = new Set<string>();
  let pending: string[] = [];
  const writer: SentenceWriter = {
    locale,
    fact: (name) => facts.get(name),
    show(name, options) {
      const fact = facts.get(name);
      return fact ? { fact, text: showFact(fact, locale, options) } : null;
    },
    bySign(name, [up, down, none]) {
      const fact = facts.get(name);
      if (!fact) return null;
      return fact.value > 0 ? up : fact.value < 0 ? down : (none ?? up);
    },
    day(iso) {
      if (!iso) return null;
      return showDay(dayOf(iso), locale);
    },
    say(strings, ...parts) {
      const wanted = pending;
      pending = [];
      if (parts.some((part) => part === null || part === undefined)) return;
      const text = strings.reduce((all, piece, index) => {
        const part = parts[index];
        return `${all}${piece}${isShown(part) ? part.text : (part ?? "")}`;
      }, "");
      said.push(text.replace(/\s+/g, " ").trim());
      for (const part of parts) if (isShown(part)) cited.add(part.fact.id);
      for (const id of wanted) quoted.add(id);
    },
    quote(id) {
      const text = texts.get(id);
      if (!text || text.suspicious) return null;
      pending.push(id);
      return `${text.domain}: "${text.title.replace(/["“”«»]/g, "'")}"`;
    },
    block(id) {
      const block = { id, text: said.join(" "), facts: [...cited], sources: [...quoted] };
      [said, cited, quoted, pending] = [[], new Set(), new Set(), []];
      return block.text === "" ? null : block;
    },
  };
  return writer;
}
