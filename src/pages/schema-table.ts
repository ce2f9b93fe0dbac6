import type { SurfaceProduct } from "../surfaces/types.ts";
import { renderAPIText } from "./api-texts.ts";
import { type Html, html } from "./html.ts";
import { isJson, type Json } from "./json.ts";
import { unitOf } from "./units.ts";
import { ENGLISH, type Phrase, sayKnown, type Words } from "./words.ts";

/** The object at a path of names, or an empty one. */
export function jsonAt(value: unknown, ...names: readonly string[]): Json {
  const found = names.reduce<unknown>((inner, name) => (isJson(inner) ? inner[name] : undefined), value);
  return isJson(found) ? found : {};
}

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

const UNION_SHOWN = 12;

/** JSON types by name; listed values stay as they are sent. */
const TYPES: readonly Phrase[] = ["string", "number", "integer", "boolean", "object", "null", "any"];
const sayType = (type: string, { say }: Words): string => {
  const phrase = TYPES.find((one) => one === type);
  return phrase === undefined ? type : say(phrase);
};

/** A schema's type in words: "integer", "list of string", "a, b or c". */
function nameType(schema: Json, words: Words, depth = 0): string {
  if (schema.const !== undefined) return String(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.slice(0, UNION_SHOWN).map(String).join(" | ");
  const options = list(schema.anyOf).filter(isJson);
  if (options.length > 0 && depth < 3) {
    return [...new Set(options.slice(0, UNION_SHOWN).map((one) => nameType(one, words, depth + 1)))].join(" | ");
  }
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [text(schema.type) || "any"];
  if (types[0] !== "array") return types.map((type) => sayType(type, words)).join(" | ");
  const items = isJson(schema.items) && depth < 3 ? nameType(schema.items, words, depth + 1) : null;
  return items === null ? words.say("list") : words.say("list of {0}", items);
}

/** Limits of a value in words: "1 to 9, default 1", "length at most 20". */
function nameLimits(schema: Json, { say, number }: Words): string {
  const { minimum, maximum, minLength, maxLength } = schema;
  const show = (limit: unknown): string => (typeof limit === "number" ? number(limit) : String(limit));
  const range = (low: unknown, high: unknown): string => {
    if (low !== undefined && high !== undefined) return say("{0} to {1}", show(low), show(high));
    if (low !== undefined) return say("at least {0}", show(low));
    return high === undefined ? "" : say("at most {0}", show(high));
  };
  const length = range(minLength, maxLength);
  const parts = [
    range(minimum, maximum),
    length === "" ? "" : say("length {0}", length),
    schema.default === undefined ? "" : say("default {0}", String(schema.default)),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly told: Html;
}

/** Lets long names break where a new level begins. */
const breakable = (name: string): Html => {
  const [first = "", ...rest] = name.split(".");
  return html`${first}${rest.map((part) => html`.<wbr>${part}`)}`;
};

/** The words of a type as text, and its literal values as code. */
const renderType = (type: string, words: Words): Html => {
  const known = [...TYPES.map((one) => words.say(one)), words.say("list")];
  const isWord = (part: string): boolean => known.some((one) => part === one || part.startsWith(`${one}, `));
  const parts = type.split(" | ").map((part) => {
    const is_list = part.startsWith(words.say("list of {0}", ""));
    return isWord(part) || is_list ? html`${part}` : html`<code>${part}</code>`;
  });
  return html`${parts.map((part, index) => (index === 0 ? part : html` | ${part}`))}`;
};

const table = (label: Phrase, rows: readonly Row[], words: Words): Html => {
  const { say } = words;
  return html`<div class="scroll low" tabindex="0"
role="group" aria-label="${say(label)}"><table><thead><tr><th scope="col">${say("Name")}</th><th
scope="col">${say("Type")}</th><th scope="col">${say("Meaning")}</th></tr></thead><tbody>${rows.map(
    ({ name, type, told }) =>
      html`<tr><td><code>${breakable(name)}</code></td><td>${renderType(type, words)}</td><td>${told}</td></tr>`,
  )}</tbody></table></div>`;
};

/** A table of the members of a JSON body. */
export function renderBody(schema: Json, words: Words): Html {
  const required = list(schema.required);
  const members = Object.entries(jsonAt(schema, "properties")).map(([name, one]): Json => {
    return { name, required: required.includes(name), description: jsonAt({ one }, "one").description, schema: one };
  });
  return renderParameters(members, words, "Body");
}

/** A table of an operation's parameters, as OpenAPI lists them. */
export function renderParameters(parameters: readonly Json[], words: Words, label: Phrase = "Parameters"): Html {
  const rows = parameters.map((one): Row => {
    const schema = jsonAt(one, "schema");
    const needed = one.required === true ? words.say("required") : "";
    const limits = [needed, nameLimits(schema, words)].filter(Boolean).join(", ");
    const description = text(one.description);
    const between = description === "" || limits === "" ? "" : " · ";
    const told = html`${description === "" ? "" : renderAPIText(description, words)}${between}${limits}`;
    return { name: text(one.name), type: nameType(schema, words), told };
  });
  return table(label, rows, words);
}

/** "number, percent": a number's type, with the unit from the ending of its name. */
function withUnit(name: string, schema: Json, words: Words): string {
  const type = nameType(schema, words);
  const unit = /number|integer/.test(nameType(schema, ENGLISH)) || name.endsWith("_at") ? unitOf(name) : null;
  return unit === null ? type : `${type}, ${sayKnown(unit.told, words)}`;
}

const ROWS_MAX = 60;
const ROWS_READ_MAX = 1_000;
const DEPTH_MAX = 3;

/**
 * A table of a schema's fields. Fields of inner objects follow a dot, those of lists follow []. If there are too many,
 * the deepest are left out first.
 */
export function renderFields(label: Phrase, schema: Json, words: Words): Html {
  const rows: (Row & { readonly depth: number })[] = [];
  const walk = (one: Json, before: string, depth: number): void => {
    for (const [name, value] of Object.entries(jsonAt(one, "properties"))) {
      if (rows.length >= ROWS_READ_MAX || !isJson(value)) return;
      const here = `${before}${name}`;
      const told = renderAPIText(text(value.description), words);
      rows.push({ name: here, type: withUnit(name, value, words), told, depth });
      if (depth >= DEPTH_MAX) continue;
      if (isJson(value.properties)) walk(value, `${here}.`, depth + 1);
      else if (isJson(value.items)) walk(value.items, `${here}[].`, depth + 1);
    }
  };
  walk(schema, "", 1);
  if (rows.length === 0) return html`<p class="soft">${nameType(schema, words)}</p>`;
  const kept = new Set([...rows].sort((a, b) => a.depth - b.depth).slice(0, ROWS_MAX));
  const left_out = rows.length - kept.size;
  const shown = rows.filter((row) => kept.has(row));
  const more = left_out > 0 ? html`<p class="soft small">${words.say("And {0} more inside.", left_out)}</p>` : "";
  return html`${table(label, shown, words)}${more}`;
}

/** A table of a product's parameters. */
export function renderProductParameters({ params, methods }: SurfaceProduct, words: Words): Html {
  const required: readonly unknown[] = params.required ?? [];
  const members = Object.entries(params.properties as Readonly<Record<string, Json>>).map(([name, schema]): Json => {
    return { name, required: required.includes(name), description: schema.description, schema };
  });
  if (members.length === 0) return html`<p class="soft">${words.say("No parameters.")}</p>`;
  return renderParameters(members, words, methods[0] === "POST" ? "Body" : "Parameters");
}

/** A table of the fields of a product's data. */
export const renderProductFields = ({ data }: SurfaceProduct, words: Words): Html =>
  renderFields("Fields", data, words);

/** JSON indented for reading. */
export const showJSON = (value: unknown): Html =>
  html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
