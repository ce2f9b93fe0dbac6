import type { TSchema } from "@sinclair/typebox";
import { isNodeError, NodeError } from "../core/errors.ts";
import { findMistake, type Mistake, type MistakeTold, type WantedValue } from "../standard-params/mistakes.ts";
import { joinPair, PAIR_PARTS } from "../standard-params/other-names.ts";
import type { ProductPath } from "./product-path.ts";

/** Values that another product takes: a buyer who sends one here is pointed there. */
export interface SoldElsewhere {
  /** The parameter here. */
  readonly param: string;
  /** Which of its values are meant, without blanks around them. */
  readonly form: RegExp;
  /** The other product, by its default path. */
  readonly path: ProductPath;
  /** The parameters for the other product. */
  readonly send: (value: string) => Readonly<Record<string, string>>;
  /** What such a value is, a sentence in both languages. */
  readonly what: MistakeTold;
}

/** Where a product is sold now that takes these parameters, by its default path; null where it is not. */
export type FindPath = (default_path: ProductPath, params: Readonly<Record<string, string>>) => string | null;

export interface AdviceOptions {
  /** The path of the call; absent if the parser serves no path. */
  readonly path?: string;
  /** Whether parameters go into a body. */
  readonly in_body?: boolean;
  /** Parameters of a call that is taken. */
  readonly example?: Readonly<Record<string, unknown>>;
  readonly elsewhere?: readonly SoldElsewhere[];
  readonly findPath?: FindPath;
}

/** Of amounts that are texts. */
const PLAIN_NUMBER = "1.5";
const NO_MISTAKE: Mistake = { why: null, meant: null };

type SentParams = Readonly<Record<string, unknown>>;

interface Parts extends AdviceOptions {
  readonly properties: Readonly<Record<string, TSchema>>;
  /** Whether a call with these parameters would be taken. */
  readonly takes: (params: SentParams) => boolean;
}

const SHOWN_CHARS_MAX = 60;
const OTHERS_CHARS_MAX = 300;
/** Our own texts for values that a schema refused; those of products are kept unchanged. */
export const REFUSED_BY_SCHEMA = "has a value this product does not take";

/**
 * Says what to send instead of what was refused: the same refusal with a call that is taken (`send_instead`), and in
 * the language that was asked for.
 */
export function createAdviser(parts: Parts) {
  const { properties, example = {}, elsewhere = [], findPath = () => null } = parts;

  const renderCall = (params: SentParams, path = parts.path): string => {
    if (parts.in_body === true && path === parts.path) return JSON.stringify(params);
    const query = Object.entries(params).map(([name, value]) => `${name}=${encodeValue(value)}`);
    return `${path ?? ""}?${query.join("&")}`;
  };
  /** The other parameters that were sent and may stay. */
  const listOthers = (sent: SentParams, without: readonly string[]): SentParams => {
    const kept = Object.entries(sent).filter(
      ([name, value]) =>
        Object.hasOwn(properties, name) && !without.includes(name) && value !== properties[name]?.default,
    );
    const others = Object.fromEntries(kept);
    return JSON.stringify(others).length <= OTHERS_CHARS_MAX ? others : {};
  };
  /** The first of these values that is taken, as a call. */
  const findCall = (
    name: string,
    values: readonly unknown[],
    { sent, without }: { sent: SentParams; without: readonly string[] },
  ) => {
    for (const value of values) {
      if (value === undefined || value === null) continue;
      for (const params of [{ ...listOthers(sent, [...without, name]), [name]: value }, { [name]: value }]) {
        if (parts.takes(params)) return renderCall(params);
      }
    }
    return null;
  };
  /** Valid values, for a value that gives no clue to what was meant. */
  const listExamples = (name: string): readonly unknown[] => {
    const schema: Partial<TSchema> = properties[name] ?? {};
    const first = Array.isArray(schema.anyOf) ? schema.anyOf[0]?.const : undefined;
    return [example[name], schema.default, first, schema.minimum, PLAIN_NUMBER];
  };
  const findElsewhere = (name: string, value: string) => {
    for (const rule of elsewhere) {
      if (rule.param !== name || !rule.form.test(value)) continue;
      const params = rule.send(value);
      const path = findPath(rule.path, params);
      if (path !== null) return { call: renderCall(params, path), what: rule.what };
    }
    return null;
  };

  /**
   * What to send for the parameter `name` instead of a value that it does not take. In this order: what the product
   * itself found near, another product that takes the value, the corrected value; failing these, an example.
   */
  const adviseValue = (name: string, { value, nearest, sent, without }: RefusedCall): Advice => {
    const at = { sent, without };
    const of_product = findCall(name, [nearest], at);
    if (of_product !== null) return { why: null, call: of_product, is_example: false };
    const place = findElsewhere(name, value.trim());
    if (place !== null) return { why: place.what, call: place.call, is_example: false };
    const schema = properties[name];
    const mistake = schema === undefined ? NO_MISTAKE : findMistake(value, wantedBy(name, schema));
    const mended = findCall(name, [mistake.meant], at);
    if (mended !== null) return { why: mistake.why, call: mended, is_example: false };
    return { why: mistake.why, call: findCall(name, listExamples(name), at), is_example: true };
  };
  /** Advice for a value under an unknown name: send it under the name that was meant. */
  const adviseName = (name: string, { meant, sent }: { meant: string; sent: SentParams }): Advice => {
    const joined = joinPair(sent);
    const [value, without] = joined !== null && meant === "pair" ? [joined, PAIR_PARTS] : [sent[name], [name]];
    const call = findCall(meant, [value], { sent, without });
    if (call !== null) return { why: null, call, is_example: false };
    return adviseValue(meant, { value: textOf(sent[name]), nearest: undefined, sent, without: [name] });
  };

  return {
    /** The error that is thrown in place of one that was; the same where there is nothing to say. */
    explain(error: unknown, sent: SentParams): unknown {
      if (!isNodeError(error) || (error.code !== "invalid_parameter" && error.code !== "unknown_parameter"))
        return error;
      const { details = {} } = error.options;
      const name = error.options.param ?? nameIn(details.parameter) ?? nameIn(details.param);
      if (name === undefined || details.send_instead !== undefined) return error;
      const language = /^pt(?:[-_]|$)/i.test(textOf(sent.lang).trim()) ? "pt" : "en";
      const is_unknown = error.code === "unknown_parameter";
      const meant = is_unknown ? details.nearest : name;
      if (is_unknown && (typeof meant !== "string" || !Object.hasOwn(properties, meant))) {
        return language === "en" ? error : retell(error, { message: unknownInPortuguese(name, meant), details });
      }
      if (!is_unknown && !Object.hasOwn(properties, name)) return error;
      const advice = is_unknown
        ? adviseName(name, { meant: String(meant), sent })
        : adviseValue(name, { value: textOf(sent[name]), nearest: details.nearest, sent, without: [] });
      const base = is_unknown
        ? { en: error.message, pt: unknownInPortuguese(name, meant) }
        : tellWanted(error, { name, schema: properties[name], got: textOf(sent[name]) });
      const { call } = advice;
      const more = { ...details, ...(call === null ? {} : { send_instead: call }) };
      return retell(error, { message: join(base[language], advice, language), details: more });
    },
  };
}

interface RefusedCall {
  readonly value: string;
  /** What the product's own refusal calls near. */
  readonly nearest: unknown;
  readonly sent: SentParams;
  /** Parameters to leave out of the new call. */
  readonly without: readonly string[];
}

interface Advice {
  readonly why: MistakeTold | null;
  readonly call: string | null;
  /** Whether the call is only a valid example, not what was most likely meant. */
  readonly is_example: boolean;
}

function join(base: string, { why, call, is_example }: Advice, language: keyof MistakeTold): string {
  const texts = [/[.?!]$/.test(base) ? base : `${base}.`, ...(why === null ? [] : [why[language]])];
  if (call !== null) {
    const lead = language === "pt" ? (is_example ? "Por exemplo" : "Envie") : is_example ? "For example" : "Send";
    texts.push(`${lead}: ${call}`);
  }
  return texts.join(" ");
}

const retell = (
  error: NodeError,
  { message, details }: { readonly message: string; readonly details: Readonly<Record<string, unknown>> },
): NodeError => new NodeError(error.code, message, { ...error.options, details, cause: error });

const nameIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const unknownInPortuguese = (name: string, meant: unknown): string =>
  typeof meant === "string"
    ? `Parâmetro desconhecido: "${name}". Aqui ele se chama "${meant}".`
    : `Parâmetro desconhecido: "${name}".`;

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : value === undefined
      ? ""
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);

/** Readable in a text: a slash and a colon mean nothing in a query. */
const encodeValue = (value: unknown): string =>
  encodeURIComponent(textOf(value).toWellFormed()).replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%2C", ",");

function wantedBy(name: string, schema: TSchema): WantedValue {
  const options: readonly TSchema[] = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  const literals = options.flatMap((one) => (typeof one.const === "string" ? [one.const] : []));
  const pattern = typeof schema.pattern === "string" ? schema.pattern : "";
  const least = /^\^\[[^\]]+\]\{(\d+)/.exec(pattern)?.[1];
  const min_chars = typeof schema.minLength === "number" ? schema.minLength : Number(least ?? 0);
  const [minimum, maximum] = [schema.minimum, schema.maximum].map((one) => (typeof one === "number" ? one : null));
  const bounds = { minimum: minimum ?? null, maximum: maximum ?? null };
  return { name, type: String(schema.type ?? ""), literals, min_chars, pattern, ...bounds };
}

interface RefusedValue {
  readonly name: string;
  readonly schema: TSchema | undefined;
  readonly got: string;
}

/** What a parameter takes, in words, where its schema refused a value; the product's own text where it did. */
function tellWanted({ message, options }: NodeError, { name, schema, got }: RefusedValue): MistakeTold {
  const shown = got.toWellFormed().slice(0, SHOWN_CHARS_MAX);
  if (options.details?.missing === true) return { en: message, pt: `Falta o parâmetro "${name}". Nada foi cobrado.` };
  if (!message.includes(REFUSED_BY_SCHEMA) || schema === undefined) {
    return { en: message, pt: `O parâmetro "${name}" não aceita "${shown}".` };
  }
  const wanted = describeInWords(schema, got);
  if (wanted === null) {
    return {
      en: `Parameter "${name}" does not take "${shown}".`,
      pt: `O parâmetro "${name}" não aceita "${shown}".`,
    };
  }
  return {
    en: `Parameter "${name}" must be ${wanted.en}, not "${shown}".`,
    pt: `O parâmetro "${name}" deve ser ${wanted.pt}, não "${shown}".`,
  };
}

const LITERALS_SHOWN_MAX = 30;
const HASH = "^[0-9a-f]{64}$";

function describeInWords(schema: TSchema, got: string): MistakeTold | null {
  const { type, minimum, maximum, minLength, maxLength } = schema;
  if (Array.isArray(schema.anyOf)) {
    const literals = schema.anyOf.flatMap((one: TSchema) => (one.const === undefined ? [] : [String(one.const)]));
    if (literals.length !== schema.anyOf.length || literals.length > LITERALS_SHOWN_MAX) return null;
    const list = literals.join(", ");
    return { en: `one of ${list}`, pt: `um destes: ${list}` };
  }
  if (type === "boolean") return { en: "true or false", pt: "true ou false" };
  if (type === "integer" || type === "number") {
    const what =
      type === "integer" ? { en: "a whole number", pt: "um número inteiro" } : { en: "a number", pt: "um número" };
    if (minimum === undefined && maximum === undefined) return what;
    if (maximum === undefined)
      return { en: `${what.en} of at least ${minimum}`, pt: `${what.pt} de no mínimo ${minimum}` };
    if (minimum === undefined)
      return { en: `${what.en} of at most ${maximum}`, pt: `${what.pt} de no máximo ${maximum}` };
    return { en: `${what.en} from ${minimum} to ${maximum}`, pt: `${what.pt} de ${minimum} a ${maximum}` };
  }
  if (schema.pattern === HASH) return { en: "64 hex digits in lower case", pt: "64 dígitos hex em minúsculas" };
  if (typeof maxLength === "number" && got.length > maxLength) {
    return { en: `at most ${maxLength} characters`, pt: `um texto de no máximo ${maxLength} caracteres` };
  }
  if (typeof minLength === "number" && minLength < 20 && got.length < minLength) {
    return { en: `at least ${minLength} characters`, pt: `um texto de no mínimo ${minLength} caracteres` };
  }
  return null;
}
