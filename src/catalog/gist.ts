import {
  createTeller,
  type Teller,
  TOLD_LANGUAGES,
  type ToldLanguage,
  type Wording,
  type WordingPart,
} from "../grounding/teller.ts";

export { TOLD_LANGUAGES };

/** The figure an answer is known by. */
export interface GistHeadline {
  /** A value of the data; null when the answer has none, or the preview withholds it. */
  readonly value: number | string | null;
  /** Its unit: a unit of facts (usd, pct, bps and so on), or words such as "of 100". */
  readonly unit: string | null;
  /** What it means, in the answer's language: the verdict, or what it is of. */
  readonly sense: string | null;
}

/** An answer in short. */
export interface Gist {
  /** A missing value is reported as null. */
  readonly headline: {
    readonly value: GistHeadline["value"] | undefined;
    readonly unit: WordingPart;
    readonly sense: WordingPart;
  };
  /** One sentence: verdict, subject, figure with unit, date, and how sure or how good that has been. */
  readonly text: Wording | null;
}

/**
 * Tells the gist of a finished answer in the teller's language. Pure, and of the data alone: a preview's data has
 * parts withheld, and an earlier release's may lack some.
 */
export type TellGist<D> = (data: D, teller: Teller) => Gist;

/** The gist as fields of an answer. */
export interface ToldGist {
  readonly text: string;
  readonly headline: GistHeadline | null;
}

/** The part of a product that tells. */
export interface GistTeller {
  readonly title: string;
  // biome-ignore lint/suspicious/noExplicitAny: the data's type is private to one product and erased here on purpose.
  readonly gist?: TellGist<any>;
}

/** A finished answer. */
export interface GistOf {
  readonly data: unknown;
  /** ISO 8601 */
  readonly as_of: string;
  /** Default: English. */
  readonly lang?: ToldLanguage | undefined;
}

/** The language that a product's own parameter `lang` asks for; undefined if the call does not name one. */
export const ownLanguage = (params: unknown): ToldLanguage | undefined =>
  typeof params === "object" && params !== null && "lang" in params && params.lang === "pt" ? "pt" : undefined;

/** A sentence ends with one stop and begins with a capital letter, whatever its parts were. */
const tidy = (text: string): string => {
  const trimmed = text.trim().replace(/[.;,]+$/, "");
  return `${trimmed.slice(0, 1).toUpperCase()}${trimmed.slice(1)}.`;
};

/** What is said of an answer whose figures are missing. */
const tellDay = (title: string, { en, pt, day }: Teller): string =>
  tidy((en`${title}: this answer is of ${day()}` ?? pt`${title}: esta resposta é de ${day()}`)?.text ?? title);

const textOf = (part: WordingPart): string | null => {
  const text = (typeof part === "object" ? part?.text : part)?.trim();
  return text === undefined || text === "" ? null : text;
};

/** Renders a gist into the fields of an answer. */
export function renderGist({ headline, text }: Gist, title: string, teller: Teller): ToldGist {
  const { value, unit, sense } = headline;
  const told = { value: value ?? null, unit: value == null ? null : textOf(unit), sense: textOf(sense) };
  return {
    text: text === null ? tellDay(title, teller) : tidy(text.text),
    headline: told.value === null && told.sense === null ? null : told,
  };
}

/**
 * The gist of an answer; null for a product without one. An answer is never lost for its sentence: if that cannot be
 * written, title and day take its place.
 */
export function tellGist({ gist, title }: GistTeller, { data, as_of, lang = "en" }: GistOf): ToldGist | null {
  if (gist === undefined) return null;
  const teller = createTeller(lang, as_of);
  try {
    return renderGist(gist(data, teller), title, teller);
  } catch {
    return { text: tellDay(title, teller), headline: null };
  }
}
