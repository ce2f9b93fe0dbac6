import { isJson, type Json } from "../json.ts";
import { unitOf } from "../units.ts";
import type { Words } from "../words.ts";
import { ANSWER_PHRASES, type AnswerReader, type AnswerTexts, type Label, spaceWords } from "./reader.ts";

/** Entries of a list that a page lays out by itself. */
const ROWS_MAX = 50;

/** A member's name as people read it: its unit stands apart. */
export function labelOf(name: string): Label {
  const unit = unitOf(name);
  const bare = unit === null ? name : name.slice(0, -unit.suffix.length);
  return { text: (bare || name).replaceAll("_", " "), unit: unit?.short ?? "" };
}

const readers = new Map<Words, AnswerReader>();

/** How a page lays answers out. */
export function answerReaderOf(words: Words): AnswerReader {
  const { language, say, number } = words;
  const known = readers.get(words) ?? {
    language,
    say,
    number: (value: number) => number(value),
    labelOf,
    valueOf: spaceWords,
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

/** What the script of a product's page needs to lay out its answers as the page does: labels are of its schema. */
export function answerTextsOf(schema: Json, words: Words): AnswerTexts {
  const { language, say } = words;
  const labels = [...namesOf(schema)].flatMap((name) => {
    const { text, unit } = labelOf(name);
    return unit === "" && text === name.replaceAll("_", " ") ? [] : [[name, [text, unit]] as const];
  });
  return {
    language,
    phrases: Object.fromEntries(ANSWER_PHRASES.map((text) => [text, say(text)])) as AnswerTexts["phrases"],
    labels: Object.fromEntries(labels),
    values: {},
  };
}
