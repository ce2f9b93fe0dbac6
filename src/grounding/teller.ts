import { cleanForeign } from "../core/foreign-text.ts";
import { getOwn } from "../core/own.ts";
import { createPack, dayOf, type FactDraft, type FactsPack, type FactUnit, type NumberLocale } from "./facts.ts";
import { type ShowOptions, showFact } from "./sentences.ts";

/** Languages a sentence is written in, by the values of the parameter `lang`. */
export const TOLD_LANGUAGES = ["en", "pt"] as const;
export type ToldLanguage = (typeof TOLD_LANGUAGES)[number];

const LOCALES: Readonly<Record<ToldLanguage, NumberLocale>> = { en: "en", pt: "pt-BR" };
/** Currencies that the guard knows by their unit. */
const MONEY: Readonly<Record<string, FactUnit>> = { USD: "usd", USDC: "usd", BRL: "brl", EUR: "eur" };
const HOST = /^[a-z0-9][a-z0-9.-]{2,60}$/;
const NAME_CHARS_MAX = 48;
/** Anything else in a name could be read as markup, a link or an order. */
const NAME = /^[\p{L}\p{N}$][\p{L}\p{N} $&+'’(),./_-]*$/u;
const LINK = /\p{L}\.\p{L}{2,}/u;
const ADDRESS = /^(?:0x[0-9a-fA-F]{40,64}|[1-9A-HJ-NP-Za-km-z]{32,64}|[A-Z2-7]{58})$/;

/** A piece of a sentence with everything that it shows, so that the guard can check it. */
export interface Wording {
  readonly text: string;
  readonly facts: readonly Omit<FactDraft, "name" | "from" | "as_of">[];
  /** Days and instants it names, ISO 8601. */
  readonly dates: readonly string[];
  /** Names it contains. */
  readonly names: readonly string[];
}

export interface TellerFigureOptions extends ShowOptions {
  /** The stretch of time it covers, such as "24h". */
  readonly window?: string;
  /** The label of the figure, where the sentence claims an extreme: "lowest price". */
  readonly label?: string;
  /** Marks a signed move, whose direction words must agree with its sign. */
  readonly is_change?: boolean;
}

export type WordingPart = Wording | string | null | undefined;

/**
 * Writes the sentence of an answer in one language. Every figure goes through `fig`, `move` or `day`, which write it in
 * the style of the language. A missing figure makes the whole sentence null.
 */
export interface Teller {
  readonly lang: ToldLanguage;
  /** Time of the answer's newest datum, ISO 8601. */
  readonly as_of: string;
  /** A figure with its unit; null when it is missing. */
  fig(value: number | null | undefined, unit: FactUnit, options?: TellerFigureOptions): Wording | null;
  /** An amount of a currency or token: "$1.14", "R$5.13", "848.45 TWD", "100.08 USDC". */
  money(
    value: number | null | undefined,
    currency: string | null | undefined,
    options?: TellerFigureOptions,
  ): Wording | null;
  /** A fraction as a percentage: 0.4627 is "46.27%". */
  share(value: number | null | undefined, options?: TellerFigureOptions): Wording | null;
  /** "up 1.2%", "down 1.2%", "unchanged"; "em alta de 1,2%", "em queda de 1,2%", "estável". */
  move(value: number | null | undefined, unit: FactUnit, options?: TellerFigureOptions): Wording | null;
  /** A day; without an argument, the day of `as_of`. */
  day(...iso: readonly (string | null | undefined)[]): Wording | null;
  /** A day and time in UTC; without an argument, those of `as_of`. */
  moment(...iso: readonly (string | null | undefined)[]): Wording | null;
  /** A name from outside; null if it cannot be shown. A long address is shortened in the middle. */
  name(text: string | null | undefined): Wording | null;
  /** The host of a URL, or a bare host. */
  host(address: string | null | undefined): Wording | null;
  /** The wording for the teller's language. */
  pick<T>(en: T, pt: T): T;
  /** The wording that a table, `[en, pt]`, has for a code; null if it has none. */
  word(
    table: Readonly<Record<string, readonly [en: string, pt: string]>>,
    code: string | null | undefined,
  ): string | null;
  /** A part that reads the same in every language; null when a piece of it is missing. */
  say(strings: TemplateStringsArray, ...parts: readonly WordingPart[]): Wording | null;
  /** A sentence, or part of one, in English; null in another language, or when a piece of it is missing. */
  en(strings: TemplateStringsArray, ...parts: readonly WordingPart[]): Wording | null;
  /** The same for Portuguese. */
  pt(strings: TemplateStringsArray, ...parts: readonly WordingPart[]): Wording | null;
  /** A part that is left out when it is missing. */
  opt(said: WordingPart): Wording;
}

const NOTHING: Wording = { text: "", facts: [], dates: [], names: [] };

function join(strings: readonly string[], ...parts: readonly WordingPart[]): Wording | null {
  if (parts.some((part) => part === null || part === undefined)) return null;
  const told = parts.map((part) => (typeof part === "string" ? { ...NOTHING, text: part } : (part as Wording)));
  const text = strings.reduce((all, piece, index) => `${all}${piece}${told[index]?.text ?? ""}`, "");
  return {
    text: text.replace(/\s+/g, " ").replace(/ ([,.;:])/g, "$1"),
    facts: told.flatMap(({ facts }) => facts),
    dates: told.flatMap(({ dates }) => dates),
    names: told.flatMap(({ names }) => names),
  };
}

/** "0x1f98…f984" */
const cutAddress = (text: string): string => `${text.slice(0, 6)}…${text.slice(-4)}`;

/** Whether a time of an answer is a day or an instant. */
const isTime = (iso: unknown): iso is string => typeof iso === "string" && !Number.isNaN(Date.parse(iso));

/** @param as_of of the answer, ISO 8601. */
export function createTeller(lang: ToldLanguage, as_of: string): Teller {
  const locale = LOCALES[lang];
  const pick: Teller["pick"] = (en, pt) => (lang === "en" ? en : pt);
  const showDay = (iso: string): string => (lang === "en" ? dayOf(iso) : dayOf(iso).split("-").toReversed().join("/"));

  const fig: Teller["fig"] = (value, unit, options = {}) => {
    if (typeof value !== "number" || !Number.isFinite(value)) return null;
    const { window = null, label = "figure", is_change = false, ...shown } = options;
    const kind = is_change ? ("change" as const) : ("level" as const);
    const fact = { label, value: Number(value.toPrecision(10)), unit, kind, window };
    const named = { ...fact, id: "F1", name: "figure", about: null, from: "", as_of };
    return { ...NOTHING, text: showFact(named, locale, shown), facts: [fact] };
  };

  const name: Teller["name"] = (text) => {
    if (typeof text !== "string") return null;
    const whole = cleanForeign(text, NAME_CHARS_MAX * 2);
    const shown = ADDRESS.test(whole) ? cutAddress(whole) : whole;
    if (!ADDRESS.test(whole) && (shown.length > NAME_CHARS_MAX || !NAME.test(shown) || LINK.test(shown))) return null;
    return { ...NOTHING, text: shown, names: [shown] };
  };

  const sayIn =
    (own: ToldLanguage) =>
    (strings: TemplateStringsArray, ...parts: readonly WordingPart[]) =>
      lang === own ? join(strings, ...parts) : null;

  return {
    lang,
    as_of,
    fig,
    pick,
    name,
    share(value, { decimals = 1, ...options } = {}) {
      const ratio = fig(value, "ratio", options);
      const shown = typeof value === "number" ? fig(value * 100, "pct", { decimals }) : null;
      return ratio && shown && { ...ratio, text: shown.text };
    },
    move(value, unit, options = {}) {
      const figure = fig(value, unit, { ...options, is_change: true, unsigned: true });
      if (figure === null || typeof value !== "number") return null;
      if (value === 0) return { ...NOTHING, text: pick("unchanged", "estável") };
      const words = value > 0 ? pick("up", "em alta de") : pick("down", "em queda de");
      return { ...figure, text: `${words} ${figure.text}` };
    },
    money(value, currency, options = {}) {
      const unit = currency ? getOwn(MONEY, currency.toUpperCase()) : undefined;
      const amount = fig(value, unit ?? "number", options);
      const of = amount && name(currency);
      if (!of || (unit !== undefined && currency?.length === 3)) return of && amount;
      const bare = fig(value, "number", options);
      return bare && { ...amount, text: `${bare.text} ${of.text}`, names: of.names };
    },
    day(...given) {
      const iso = given.length === 0 ? as_of : given[0];
      return isTime(iso) ? { ...NOTHING, text: showDay(iso), dates: [dayOf(iso)] } : null;
    },
    moment(...given) {
      const iso = given.length === 0 ? as_of : given[0];
      if (!isTime(iso)) return null;
      const utc = new Date(iso).toISOString();
      return { ...NOTHING, text: `${showDay(utc)} ${pick("at", "às")} ${utc.slice(11, 16)} UTC`, dates: [utc] };
    },
    host(address) {
      const url = address && !address.includes("://") ? `https://${address}` : address;
      if (!url || !URL.canParse(url)) return null;
      const { hostname } = new URL(url);
      return HOST.test(hostname) ? { ...NOTHING, text: hostname, names: [hostname] } : null;
    },
    word(table, code) {
      const found = typeof code === "string" && Object.hasOwn(table, code) ? table[code] : undefined;
      return found === undefined ? null : pick(found[0], found[1]);
    },
    say: join,
    en: sayIn("en"),
    pt: sayIn("pt"),
    opt: (said) => (typeof said === "string" ? { ...NOTHING, text: said } : (said ?? NOTHING)),
  };
}

/** The pack that a sentence was written from, for the guard. */
export function packOf({ facts, dates, names }: Wording, from: string, as_of: string): FactsPack {
  const pack = createPack({ dates: [...dates, as_of], identifiers: [...new Set(names)] });
  pack.addAll(facts.map((fact, index) => ({ ...fact, name: `figure_${index + 1}`, from, as_of })));
  return pack.build();
}
