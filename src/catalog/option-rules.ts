import { closest } from "../core/closest.ts";
import { listUnknown } from "./definition-site.ts";

/**
 * What one option of a definition must be. What its value means is checked later; this check makes sure that later code
 * finds what it relies on, because a plugin may be plain JavaScript without type checks.
 */
export interface OptionRule {
  /** What it must be, such as `a text, such as "0.002"`. */
  readonly what: string;
  readonly holds: (value: unknown) => boolean;
  readonly optional?: true;
}

/** The rules of every option of a definition: a missing rule, or one too many, does not compile. */
export type OptionRules<T> = Readonly<Record<keyof T, OptionRule>>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** A text that is not empty. */
export const text = (example?: string): OptionRule => ({
  what: example === undefined ? "a text" : `a text, such as "${example}"`,
  holds: isText,
});
/** A list of texts. */
export const texts = (example: string): OptionRule => ({
  what: `a list of texts, such as ${example}`,
  holds: (value) => Array.isArray(value) && value.every(isText),
});
export const oneOf = (values: readonly string[]): OptionRule => ({
  what: renderChoice(values),
  holds: (value) => values.some((one) => one === value),
});
export const NUMBER: OptionRule = { what: "a number", holds: (value) => Number.isFinite(value) };
export const FLAG: OptionRule = { what: "true or false", holds: (value) => typeof value === "boolean" };
export const WORK: OptionRule = { what: "a function", holds: (value) => typeof value === "function" };
export const RECORD: OptionRule = { what: "an object", holds: isRecord };
/** A list of definitions, or of lists of them. */
export const LIST: OptionRule = {
  what: "a list",
  holds: (value) => Array.isArray(value) && value.every((one) => typeof one === "object" && one !== null),
};
/** A list of lists of definitions. */
export const GROUPS: OptionRule = {
  what: "a list of lists, such as [[provider]]",
  holds: (value) => LIST.holds(value) && (value as readonly unknown[]).every(LIST.holds),
};
/** A schema of members by name. */
export const MEMBERS: OptionRule = {
  what: "a Type.Object({...})",
  holds(value) {
    const { properties } = isRecord(value) ? value : {};
    return isRecord(properties);
  },
};

/** Checked by what knows more of it. */
export const ANYTHING: OptionRule = { what: "a value", holds: () => true };

export const SCHEMA: OptionRule = { what: "a TypeBox schema, such as Type.Object({...})", holds: isRecord };

/** The same, of an option that may be left out. */
export const maybe = (rule: OptionRule): OptionRule => ({ ...rule, optional: true });

/** `"a", "b" or "c"`. */
export const renderChoice = (values: readonly string[]): string => {
  const quoted = values.map((value) => JSON.stringify(value));
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
};

const SHOWN_CHARS_MAX = 40;

/** The value that was given, as far as showing it helps. */
function renderGiven(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return "an object";
  if (value === "") return "empty";
  if (typeof value !== "string") return `${typeof value === "number" ? "the number " : ""}${String(value)}`;
  return JSON.stringify(value.length > SHOWN_CHARS_MAX ? `${value.slice(0, SHOWN_CHARS_MAX)}…` : value);
}

/**
 * Options that are missing or of the wrong kind, in words. A misspelled option is reported by `listUnknown` alone: one
 * slip is one fault.
 * @param where the option that contains them, such as "preview.", or "".
 */
function listMisshapen(given: unknown, rules: Readonly<Record<string, OptionRule>>, where = ""): readonly string[] {
  if (!isRecord(given)) return [`${where === "" ? "the definition" : where.slice(0, -1)} must be an object`];
  const slips = Object.keys(given).filter((name) => !Object.hasOwn(rules, name));
  const meant = new Set(slips.map((name) => closest(name, Object.keys(rules))));
  return Object.entries(rules).flatMap(([name, { what, holds, optional }]) => {
    const value = given[name];
    if (value !== undefined) {
      return holds(value) ? [] : [`option "${where}${name}" must be ${what}: it is ${renderGiven(value)}`];
    }
    return optional || meant.has(name) ? [] : [`option "${where}${name}" is missing: ${what}`];
  });
}

/** A definition's options, or those of one of them, with the rules they have to keep. */
export interface OptionTable {
  readonly given: unknown;
  readonly rules: Readonly<Record<string, OptionRule>>;
  /** The option that contains them, such as "preview."; left out at the top. */
  readonly where?: string;
}

/**
 * The one check of a definition before it is used: unknown options, missing options, options of the wrong kind. The
 * options inside one that is left out are not checked.
 */
export function listOptionFaults(tables: readonly OptionTable[]): {
  /** Everything that is wrong. */
  readonly all: readonly string[];
  /** Of those faults, the unknown options. */
  readonly unknown: readonly string[];
  /** Whether code may rely on the definition: its only faults are unknown options. */
  readonly is_usable: boolean;
} {
  const asked = tables.filter(({ given, where = "" }) => where === "" || isRecord(given));
  const unknown = asked.flatMap(({ given, rules, where = "" }) => listUnknown(given, rules, where));
  const misshapen = asked.flatMap(({ given, rules, where = "" }) => listMisshapen(given, rules, where));
  // An option that was misspelled is missing all the same.
  const is_usable = misshapen.length === 0 && asked.every(({ given, rules }) => hasNeeded(given, rules));
  return { all: [...unknown, ...misshapen], unknown, is_usable };
}

const hasNeeded = (given: unknown, rules: Readonly<Record<string, OptionRule>>): boolean =>
  isRecord(given) && Object.entries(rules).every(([name, { optional }]) => optional || given[name] !== undefined);
