import { getOwn } from "../../core/own.ts";
import type { Language } from "../formats.ts";
import { isJson, type Json } from "../json.ts";
import PORTUGUESE from "../languages/answers-pt-br.json" with { type: "json" };
import { unitOf } from "../units.ts";
import type { Words } from "../words.ts";
import { ANSWER_PHRASES, type AnswerReader, type AnswerTexts, type FieldLabel, spaceWords } from "./reader.ts";

/** The most entries of a list that a page lays out. */
const ROWS_MAX = 50;

/** Portuguese names of members and states, keyed by their English names without a unit. */
const LABELS: Readonly<Record<string, string>> = PORTUGUESE.labels;
const VALUES: Readonly<Record<string, string>> = PORTUGUESE.values;

/** A member's name for people, with its unit apart. */
export function labelOf(name: string, language: Language = "en"): FieldLabel {
  const unit = unitOf(name);
  const bare = unit === null ? name : name.slice(0, -unit.suffix.length);
  const english = (bare || name).replaceAll("_", " ");
  const own = language === "en" ? undefined : getOwn(LABELS, english);
  return { text: own ?? english, unit: unit?.short ?? "", is_english: language !== "en" && own === undefined };
}

const readers = new Map<Words, AnswerReader>();

/** Settings for the layout of answers on a page. */
export function answerReaderOf(words: Words): AnswerReader {
  const { language, say, number } = words;
  const known = readers.get(words) ?? {
    language,
    say,
    number: (value: number) => number(value),
    labelOf: (name: string) => labelOf(name, language),
    valueOf: (text: string) => (language === "en" ? undefined : getOwn(VALUES, text)) ?? spaceWords(text),
    rows_max: ROWS_MAX,
  };
  readers.set(words, known);
  return known;
}

const DEPTH_MAX = 8;

/** The names of all members of a schema. */
function namesOf(schema: unknown, names = new Set<string>(), depth = 0): ReadonlySet<string> {
  if (depth > DEPTH_MAX || !isJson(schema)) return names;
  const { properties, items, anyOf, patternProperties } = schema;
  for (const name of Object.keys(isJson(properties) ? properties : {})) names.add(name);
  const inner = [properties, patternProperties].flatMap((one) => (isJson(one) ? Object.values(one) : []));
  for (const one of [...inner, items, ...(Array.isArray(anyOf) ? anyOf : [])]) namesOf(one, names, depth + 1);
  return names;
}

/** The data that a product page's script needs to lay out answers as the page does, with labels from the schema. */
export function answerTextsOf(schema: Json, words: Words): AnswerTexts {
  const { language, say } = words;
  const labels = [...namesOf(schema)].flatMap((name) => {
    const { text, unit, is_english } = labelOf(name, language);
    const is_plain = unit === "" && text === name.replaceAll("_", " ") && !is_english;
    return is_plain ? [] : [[name, [text, unit, is_english]] as const];
  });
  return {
    language,
    phrases: Object.fromEntries(ANSWER_PHRASES.map((text) => [text, say(text)])) as AnswerTexts["phrases"],
    labels: Object.fromEntries(labels),
    values: language === "en" ? {} : VALUES,
  };
}
