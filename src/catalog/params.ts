import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { NodeError } from "../core/errors.ts";
import { canonicalJSON } from "../core/hash.ts";
import { once } from "../core/once.ts";
import { findMeantParam } from "../standard-params/other-names.ts";
import { toNotOffered } from "./offering.ts";
import type { ParsedParams } from "./parsed-params.ts";
import { readAsOf } from "./read-as-of.ts";
import { type AdviceOptions, createAdviser, REFUSED_BY_SCHEMA } from "./send-instead.ts";
import { isEmpty, isJSONText, readSent, readSwitch } from "./sent-values.ts";
import { readSince } from "./since.ts";
import { readView, type UsualView } from "./view.ts";
import type { WhyWithheld } from "./why-withheld.ts";

/**
 * Parameters that every product takes besides its own. They are no part of what is produced; `view`, `fields`, `lang`,
 * `since` and `as_of` are part of what is paid for.
 */
export const RESERVED_PARAMS = [
  "preview",
  "x402Version",
  "format",
  "view",
  "fields",
  "lang",
  "since",
  "as_of",
] as const;
/** Those that a body may have as well. */
const RESERVED_IN_BODY: readonly string[] = ["format", "view", "fields", "lang", "since", "as_of"];
const VIEW_PARAMS: readonly string[] = ["view", "fields", "lang"];

export type { ParsedParams };

export interface ParamsParser {
  /** What a call without any parameter means; made once. */
  readonly defaults: ParsedParams;
  /**
   * @param search the query string without "?".
   * @throws NodeError unknown_parameter or invalid_parameter, naming the parameter.
   */
  fromQuery(search: string): ParsedParams;
  /**
   * `body` is any parsed JSON value; `search` may add reserved parameters. A parameter whose schema says
   * `contentMediaType: "application/json"` is text that
   * holds JSON; here it may be the value itself, and a body that is a list is that parameter.
   * @throws NodeError as above.
   */
  fromBody(body: unknown, search?: string): ParsedParams;
  /**
   * The refusal that is thrown in place of one that names a parameter: it says as well what to send instead. Whatever
   * else was thrown is itself.
   */
  explain(error: unknown, sent: Readonly<Record<string, unknown>>): unknown;
  /** Whether a call with these parameters would be taken. */
  takes(sent: Readonly<Record<string, unknown>>): boolean;
}

const NO_DATA = Type.Object({});
const VALUE_CHARS_MAX = 2_000;
/** What a parameter may be, in words, for the 422. */
function describe(schema: TSchema): unknown {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((option: TSchema) => option.const ?? describe(option));
  const { type, minimum, maximum, pattern, minLength, maxLength } = schema;
  return schema.const ?? { type, minimum, maximum, pattern, minLength, maxLength };
}

export interface ParamsOptions {
  /** The product's data schema, whose fields may be picked; absent when nothing is sold. */
  readonly data?: TSchema;
  /** Whether parts of the answer may be picked; default: they may. */
  readonly has_views?: boolean;
  /** Whether it may be asked for what changed since an earlier answer; default: it may not. */
  readonly takes_since?: boolean;
  /** Whether it may be asked for its answer as of an earlier time; default: it may not. */
  readonly takes_as_of?: boolean;
  /** The view of a call that does not choose one; default: the whole answer. */
  readonly usual_view?: UsualView | undefined;
  /** Why a value is not sold by this node; null when it is, or means nothing. */
  readonly whyNot?: (param: string, value: unknown) => Pick<WhyWithheld, "for_buyers"> | null;
  /** Throws NodeError for whole calls that are not sold by this node. */
  readonly assertSold?: (params: Readonly<Record<string, unknown>>) => void;
  /** What else a refusal's advice is made from, besides the schema. */
  readonly advice?: AdviceOptions;
}

/** Compiles a product's parameter schema into a strict parser. */
export function createParamsParser<P extends TObject>(
  schema: P,
  normalise: (params: Static<P>) => Static<P> = (params) => params,
  {
    data = NO_DATA,
    has_views = true,
    takes_since = false,
    takes_as_of = false,
    usual_view,
    whyNot = () => null,
    assertSold = () => undefined,
    advice = {},
  }: ParamsOptions = {},
): ParamsParser {
  const properties = schema.properties as Record<string, TSchema>;
  const names = Object.keys(properties);
  const required: readonly string[] = schema.required ?? [];
  // A body that is a list can only mean the one parameter that holds one.
  const [list_name, ...other_lists] = names.filter((name) => isJSONText(properties[name]));
  if (other_lists.length > 0) throw new RangeError("at most one parameter holds JSON");
  const checks = new Map(names.map((name) => [name, compileSchema(properties[name] as TSchema)]));

  const isReserved = (name: string): boolean =>
    (RESERVED_PARAMS as readonly string[]).includes(name) &&
    (has_views || !VIEW_PARAMS.includes(name)) &&
    (takes_since || name !== "since") &&
    (takes_as_of || name !== "as_of");
  const unknown = (name: string): NodeError => {
    const nearest = findMeantParam(name, names, RESERVED_PARAMS.filter(isReserved));
    const hint = nearest ? ` Did you mean "${nearest}"?` : names.length === 0 ? " It takes no parameters." : "";
    const shown = name.slice(0, 60);
    return new NodeError("unknown_parameter", `Unknown parameter "${shown}".${hint}`, {
      param: shown,
      details: { parameter: shown, allowed: names, ...(nearest ? { nearest } : {}) },
    });
  };

  const assertOffered = (name: string, value: unknown): void => {
    const why = whyNot(name, value);
    if (why !== null) throw toNotOffered(name, value, { why, allowed: describe(properties[name] as TSchema) });
  };

  const isNeeded = (name: string): boolean => required.includes(name) && properties[name]?.default === undefined;
  const check = (name: string, value: unknown): void => {
    if (checks.get(name)?.Check(value)) return;
    assertOffered(name, value);
    throw new NodeError("invalid_parameter", `Parameter "${name}" ${REFUSED_BY_SCHEMA}.`, {
      param: name,
      details: { parameter: name, got: showValue(value), allowed: describe(properties[name] as TSchema) },
    });
  };

  const finish = (given: Record<string, unknown>, assertCall = assertSold): ParsedParams => {
    const params: Record<string, unknown> = {};
    const missing: string[] = [];
    for (const name of names) {
      const property = properties[name] as TSchema;
      const sent = given[name];
      // An empty value of what is needed is a wrong one: it is refused before anybody pays.
      if (sent === undefined || sent === null || (isEmpty(sent) && !isNeeded(name))) {
        if (property.default !== undefined) params[name] = property.default;
        else if (required.includes(name)) missing.push(name);
        continue;
      }
      const value = readSent(sent, property);
      check(name, value);
      params[name] = value;
    }
    const normalised = missing.length > 0 ? params : (normalise(params as Static<P>) as Record<string, unknown>);
    for (const name of names) assertOffered(name, normalised[name]);
    if (missing.length === 0) assertCall(normalised);
    return { params: Object.freeze(normalised), key: keyOf(normalised), missing };
  };

  const takes = (sent: Readonly<Record<string, unknown>>): boolean => {
    try {
      return finish(sent).missing.length === 0;
    } catch {
      // Its error says why not; this question needs only the fact.
      return false;
    }
  };
  const adviser = createAdviser({ ...advice, properties, takes });

  // Probes send nothing: they get the price, and an empty paid call is refused uncharged.
  const defaults = once(() => finish({}, () => undefined));
  const repeated = (name: string) =>
    new NodeError("invalid_parameter", `Parameter "${name}" is given more than once.`, {
      param: name,
      details: { parameter: name, allowed: "one value" },
    });

  const withView = (parsed: ParsedParams, reserved: Readonly<Record<string, unknown>>): ParsedParams => {
    const view = readView(reserved, data, usual_view);
    const viewed = view === undefined ? parsed : { ...parsed, view };
    if (reserved.since === undefined && reserved.as_of === undefined) return viewed;
    return { ...viewed, ...readMoments(reserved) };
  };
  /** A POST has its own parameters in the body: its query may hold reserved ones only. */
  const readReserved = (search: string): Record<string, unknown> => {
    const found: Record<string, unknown> = {};
    for (const [name, value] of new URLSearchParams(search)) {
      if (!isReserved(name)) throw unknown(name);
      if (Object.hasOwn(found, name)) throw repeated(name);
      found[name] = readReservedValue(name, value);
    }
    return found;
  };

  const fromQuery = (search: string): ParsedParams => {
    const given: Record<string, unknown> = {};
    const reserved: Record<string, unknown> = {};
    for (const [name, value] of new URLSearchParams(search)) {
      const is_reserved = isReserved(name) && !Object.hasOwn(properties, name);
      if (!is_reserved && !Object.hasOwn(properties, name)) throw unknown(name);
      if (Object.hasOwn(given, name) || Object.hasOwn(reserved, name)) throw repeated(name);
      const chars_max = Math.max(VALUE_CHARS_MAX, properties[name]?.maxLength ?? 0);
      if (value.length > chars_max) throw toTooLong(name, { chars: value.length, chars_max });
      if (is_reserved) reserved[name] = readReservedValue(name, value);
      else given[name] = value;
    }
    return withView(finish(given), reserved);
  };
  const fromBody = (body: unknown, search: string): ParsedParams => {
    const reserved = search === "" ? {} : readReserved(search);
    if (Array.isArray(body) && list_name !== undefined) {
      return withView(finish({ [list_name]: JSON.stringify(body) }), reserved);
    }
    if (!isObject(body)) {
      throw new NodeError("invalid_parameter", "The body must be a JSON object.", { param: "body" });
    }
    const given: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(body)) {
      if (RESERVED_IN_BODY.includes(name) && isReserved(name) && !Object.hasOwn(properties, name)) {
        if (Object.hasOwn(reserved, name)) throw repeated(name);
        reserved[name] = readReservedValue(name, value);
        continue;
      }
      if (!Object.hasOwn(properties, name)) throw unknown(name);
      given[name] = value;
    }
    return withView(finish(given), reserved);
  };

  return {
    get defaults() {
      return defaults();
    },
    fromQuery(search) {
      if (search === "") return defaults();
      try {
        return fromQuery(search);
      } catch (error) {
        throw adviser.explain(error, Object.fromEntries(new URLSearchParams(search)));
      }
    },
    fromBody(body, search = "") {
      try {
        return fromBody(body, search);
      } catch (error) {
        const of_query = search === "" ? {} : Object.fromEntries(new URLSearchParams(search));
        throw adviser.explain(error, { ...of_query, ...(isObject(body) ? body : {}) });
      }
    },
    takes,
    explain: (error, sent) => adviser.explain(error, sent),
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const toTooLong = (name: string, { chars, chars_max }: { readonly chars: number; readonly chars_max: number }) =>
  new NodeError(
    "invalid_parameter",
    `Parameter "${name}" is too long: ${chars} characters, of which at most ${chars_max} are taken.`,
    { param: name, details: { parameter: name, allowed: { maxLength: chars_max } } },
  );

/** A refused value as the 422 shows it: what has no plain text is only named. */
function showValue(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return String(value).toWellFormed().slice(0, 100);
}

/** @throws NodeError invalid_parameter for a value that has no canonical form, such as half a character. */
function keyOf(params: Readonly<Record<string, unknown>>): string {
  try {
    return canonicalJSON(params);
  } catch (error) {
    const broken = Object.keys(params).find((name) => !hasCanonicalForm(params[name])) ?? "body";
    throw new NodeError("invalid_parameter", `Parameter "${broken}" holds text that is not valid Unicode.`, {
      param: broken,
      details: { parameter: broken, allowed: "valid Unicode" },
      cause: error,
    });
  }
}

function hasCanonicalForm(value: unknown): boolean {
  try {
    canonicalJSON(value);
    return true;
  } catch {
    return false;
  }
}

/** A preview ignores earlier answers and past moments: changes are reported up to now. */
function readMoments({ preview, ...given }: Readonly<Record<string, unknown>>) {
  const [since, as_of_ms] = [readSince(given.since), readAsOf(given.as_of)];
  const param = since === undefined ? "as_of" : "since";
  const other = preview !== undefined ? "preview" : since !== undefined && as_of_ms !== undefined ? "as_of" : null;
  if (other !== null) {
    const message = `Parameters "${param}" and "${other}" do not go together.`;
    throw new NodeError("invalid_parameter", message, { param });
  }
  return since === undefined ? (as_of_ms === undefined ? {} : { as_of_ms }) : { since };
}

const PROTOCOLS: readonly unknown[] = ["1", "2"];
const REGION = /[-_][a-z]{2}$/;
/** Reserved parameters that are one of a few words. */
const WORDS: readonly string[] = ["format", "view", "lang"];

/**
 * The value sent for a reserved parameter, by the same rule as all others; undefined if it was not sent.
 * @throws NodeError invalid_parameter; the view itself checks the values of `view`, `fields`, `format` and `lang`.
 */
function readReservedValue(name: string, value: unknown): unknown {
  if (isEmpty(value)) return undefined;
  if (name === "preview") return readSwitch(name, value) ? true : undefined;
  const sent = typeof value === "string" ? value.trim() : value;
  if (typeof sent === "string" && WORDS.includes(name)) {
    const word = sent.toLowerCase();
    // "pt-BR" as browsers write it: answers differ by language alone (RFC 5646).
    return name === "lang" ? word.replace(REGION, "") : word;
  }
  if (name !== "x402Version" || PROTOCOLS.includes(sent)) return sent;
  throw new NodeError("invalid_parameter", `Parameter "${name}" must be ${PROTOCOLS.join(" or ")}.`, {
    param: name,
    details: { parameter: name, got: showValue(value), allowed: PROTOCOLS },
  });
}
