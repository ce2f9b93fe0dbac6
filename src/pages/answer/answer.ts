import { isJson, type Json } from "../json.ts";
import { describeData, showPlain } from "./describe.ts";
import { type AnswerPart, foldOf, tagOf } from "./part.ts";
import type { AnswerReader } from "./reader.ts";

const ENTRIES_MAX = 40;
const JSON_CHARS_MAX = 20_000;

const DAYS = /(\d{4}-\d{2}-\d{2}|\d{2}\/\d{2}\/\d{4})/;

/** A sentence without line breaks inside a day. */
export const keepDays = (text: string): readonly AnswerPart[] =>
  text.split(DAYS).map((part, index) => (index % 2 === 1 ? tagOf("span", [part], "whole") : part));

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The sources and their times, folded; nothing if the answer names no source. */
export function describeSources(sources: unknown, reader: AnswerReader): readonly AnswerPart[] {
  const all = listOf(sources).filter(isJson);
  if (all.length === 0) return [];
  const { say } = reader;
  const rows = all.slice(0, ENTRIES_MAX).map((source) => {
    const state = say(source.ok === false ? "failed" : "ok");
    const at = typeof source.fetched_at === "string" ? [showPlain(source.fetched_at, reader)] : [];
    const simulated = source.simulated === true ? [say("simulated")] : [];
    return tagOf("li", [[textOf(source.provider), state, ...at, ...simulated].join(" · ")]);
  });
  return [foldOf(say(all.length === 1 ? "{0} source" : "{0} sources", all.length), [tagOf("ul", rows)])];
}

function describeWarnings(warnings: unknown, { say }: AnswerReader): readonly AnswerPart[] {
  const all = listOf(warnings).map(textOf);
  if (all.length === 0) return [];
  const rows = all.slice(0, ENTRIES_MAX).map((one) => tagOf("li", [one]));
  return [foldOf(say(all.length === 1 ? "{0} warning" : "{0} warnings", all.length), [tagOf("ul", rows)])];
}

/** The value of a JSON text; undefined for any other text. */
function readJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The raw answer with JSON indented, cut if it would be too large for the page. */
function describeJSON(text: string): AnswerPart {
  const value = readJSON(text);
  const shown = value === undefined ? text : JSON.stringify(value, null, 2);
  const cut = shown.length > JSON_CHARS_MAX ? `${shown.slice(0, JSON_CHARS_MAX)}\n…` : shown;
  return { tag: "pre", attributes: { tabindex: "0" }, parts: [tagOf("code", [cut])] };
}

/** Time and subject of an answer. */
function describeNote(answer: Json, reader: AnswerReader): readonly AnswerPart[] {
  const { preview_of, as_of } = answer;
  const given = isJson(preview_of) ? Object.entries(preview_of) : [];
  const of = given.map(([name, value]) => `${name}=${typeof value === "object" ? JSON.stringify(value) : value}`);
  const parts = [
    ...(of.length === 0 ? [] : [`${reader.say("Sample of")} ${of.join(", ")}`]),
    ...(typeof as_of === "string" ? [`${reader.say("as of")} ${showPlain(as_of, reader)} UTC`] : []),
  ];
  return parts.length === 0 ? [] : [tagOf("p", [parts.join(" · ")], "soft small")];
}

/**
 * The answer to a call, laid out for people: its sentence, its data as a table, and folded below it sources, warnings
 * and JSON. Anything that is not an answer of a product, such as a 402, has its one sentence and the JSON.
 */
export function describeAnswer(text: string, is_answer: boolean, reader: AnswerReader): readonly AnswerPart[] {
  const answer = readJSON(text);
  if (!isJson(answer)) return [describeJSON(text)];
  if (!is_answer) {
    const why = textOf(answer.detail) || textOf(answer.error);
    return [...(why === "" ? [] : [tagOf("p", [why])]), describeJSON(text)];
  }
  const { data = answer, sources, warnings } = answer;
  const sentence = textOf(answer.text);
  return [
    ...describeNote(answer, reader),
    ...(sentence === "" ? [] : [tagOf("p", keepDays(sentence), "lead")]),
    tagOf("div", [describeData(data, reader)], "shown all"),
    ...describeWarnings(warnings, reader),
    ...describeSources(sources, reader),
    foldOf("JSON", [describeJSON(text)]),
  ];
}
