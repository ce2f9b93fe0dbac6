import type { TSchema } from "@sinclair/typebox";
import { closest } from "../core/closest.ts";
import { NodeError } from "../core/errors.ts";
import { getOwn } from "../core/own.ts";
import { TOLD_LANGUAGES, type ToldLanguage } from "../grounding/teller.ts";
import type { Envelope } from "./envelope.ts";

/** Which part of an answer a buyer wants: for those whose context is dear. */
export interface View {
  /** Sources by name only, and without the product's long tables. */
  readonly is_brief: boolean;
  /** Dotted names of the data to keep; empty is all. A name goes through lists to the entries. */
  readonly fields: readonly string[];
  /** The language of its sentence; left out for English. */
  readonly lang?: Exclude<ToldLanguage, "en">;
  /** Equal for equal views; "" for the whole answer. Part of what a payment pays for. */
  readonly key: string;
}

/** The answer of a product that is brief by default, for a call that does not choose a view. */
const USUAL_BRIEF: View = { is_brief: true, fields: [], key: "" };
export const VIEW_VALUES = ["brief", "full"] as const;
/** The view of a call that does not choose one. */
export type UsualView = (typeof VIEW_VALUES)[number];

/** Forms of an answer: JSON, and for written products its text alone, in Markdown. */
export type AnswerFormat = "json" | "md";
const MARKDOWN = "markdown";

/** The forms a product's data has: those with a member `markdown` give it alone when asked for `format=md`. */
export const formatsOf = (data: TSchema): readonly AnswerFormat[] =>
  Object.hasOwn(membersOf(data), MARKDOWN) ? ["json", "md"] : ["json"];

const FIELDS_MAX = 20;
const FIELDS_CHARS_MAX = 500;
const FIELDS = /^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*(,[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*)*$/;

const invalid = (param: string, message: string, allowed: unknown): NodeError =>
  new NodeError("invalid_parameter", `Parameter "${param}" ${message}`, {
    param,
    details: { parameter: param, allowed },
  });

/** The view a buyer is shown: the one that was asked for, else the product's usual one; undefined for the whole. */
export const viewFor = (asked: View | undefined, usual: UsualView = "full"): View | undefined =>
  asked ?? (usual === "brief" ? USUAL_BRIEF : undefined);

/**
 * Reads the reserved parameters `view`, `fields`, `format` and `lang`: `format=md` is a view of the text alone.
 * @returns undefined for the default view, so that asking for it and not choosing are one request.
 * @throws NodeError invalid_parameter for a field that the data does not have, naming the nearest one.
 */
export function readView(
  { view, fields, format, lang }: { view?: unknown; fields?: unknown; format?: unknown; lang?: unknown },
  data: TSchema,
  usual: UsualView = "full",
): View | undefined {
  if (view !== undefined && !VIEW_VALUES.some((value) => value === view)) {
    throw invalid("view", `must be ${VIEW_VALUES.join(" or ")}.`, VIEW_VALUES);
  }
  const formats = formatsOf(data);
  if (format !== undefined && !formats.some((value) => value === format)) {
    throw invalid("format", `must be ${formats.join(" or ")}.`, formats);
  }
  if (lang !== undefined && !TOLD_LANGUAGES.some((value) => value === lang)) {
    throw invalid("lang", `must be ${TOLD_LANGUAGES.join(" or ")}.`, TOLD_LANGUAGES);
  }
  const asked = fields === undefined ? [] : readFields(fields, data);
  const names = format === "md" ? [...new Set([...asked, MARKDOWN])].sort() : asked;
  const is_brief = (view ?? usual) === "brief";
  if (lang === "pt") return { is_brief, fields: names, lang, key: JSON.stringify([is_brief, names, lang]) };
  if (names.length === 0 && is_brief === (usual === "brief")) return undefined;
  return { is_brief, fields: names, key: JSON.stringify([is_brief, names]) };
}

function readFields(given: unknown, data: TSchema): readonly string[] {
  const allowed = `up to ${FIELDS_MAX} names of the data, such as "${Object.keys(membersOf(data))[0] ?? "value"}"`;
  if (typeof given !== "string" || given.length > FIELDS_CHARS_MAX || !FIELDS.test(given)) {
    throw invalid("fields", "must be names separated by commas.", allowed);
  }
  const names = [...new Set(given.split(","))].sort();
  if (names.length > FIELDS_MAX) throw invalid("fields", `may name ${FIELDS_MAX} fields.`, allowed);
  for (const name of names) assertField(name, data);
  return names;
}

function assertField(name: string, data: TSchema): void {
  let schemas: readonly TSchema[] = branchesOf(data);
  for (const part of name.split(".")) {
    const known = Object.assign({}, ...schemas.map(membersOf)) as Record<string, TSchema>;
    const next = schemas.flatMap((schema) => {
      const own = getOwn(membersOf(schema), part);
      // Tables by name, such as one entry per coin, have members of any name.
      const any = Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>);
      return own ? branchesOf(own) : any.flatMap(branchesOf);
    });
    if (next.length === 0) {
      const nearest = closest(part, Object.keys(known));
      const hint = nearest ? ` Did you mean "${nearest}"?` : "";
      throw invalid("fields", `names "${name}", which this product's data has not.${hint}`, Object.keys(known));
    }
    schemas = next;
  }
}

const membersOf = (schema: TSchema): Readonly<Record<string, TSchema>> =>
  (schema.properties ?? {}) as Readonly<Record<string, TSchema>>;

/** A schema's alternatives, with lists as their entries. */
function branchesOf(schema: TSchema): readonly TSchema[] {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap(branchesOf);
  return schema.type === "array" && schema.items ? branchesOf(schema.items as TSchema) : [schema];
}

/** An answer as a view of it: a part of the same bytes' content, and a member that says so. */
export function applyView(envelope: Envelope, { is_brief, fields }: View, long: readonly string[]): object {
  if (!is_brief && fields.length === 0) return envelope;
  const left_out = is_brief ? long : [];
  const lean = omitLong(envelope.data, left_out);
  const data =
    fields.length === 0
      ? lean
      : pick(
          envelope.data,
          fields.map((name) => name.split(".")),
        );
  const sources = is_brief ? briefSources(envelope) : envelope.sources;
  const view = {
    ...(is_brief ? { brief: true, left_out: fields.length === 0 ? left_out : [] } : {}),
    ...(fields.length > 0 ? { fields } : {}),
  };
  return { ...envelope, sources, view, data };
}

/** Data without these long tables, dotted names that go through lists. */
export const omitLong = (data: unknown, long: readonly string[]): unknown =>
  long.reduce((rest, name) => omit(rest, name.split(".")), data);

/** Attribution stays: a provider's terms hold for a short answer, too. */
export function briefSources({ sources }: Pick<Envelope, "sources">): readonly object[] {
  const seen = new Map(
    sources.map(({ provider, ok, simulated, attribution }) => [
      `${provider} ${ok}`,
      { provider, ok, ...(simulated ? { simulated } : {}), ...(attribution ? { attribution } : {}) },
    ]),
  );
  return [...seen.values()];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function omit(value: unknown, [name = "", ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => omit(entry, [name, ...rest]));
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: found, ...others } = value;
  return rest.length === 0 ? others : { ...value, [name]: omit(found, rest) };
}

function pick(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) return value.map((entry) => pick(entry, paths));
  if (!isRecord(value)) return value;
  const names = Object.keys(value).filter((name) => paths.some(([first]) => first === name));
  return Object.fromEntries(
    names.map((name) => [
      name,
      pick(
        value[name],
        paths.filter(([first]) => first === name).map(([, ...rest]) => rest),
      ),
    ]),
  );
}
