import type { TSchema } from "@sinclair/typebox";
import type { LoadedPlugin } from "../catalog/plugin.ts";
import { getOwn } from "../core/own.ts";
import { oneLine } from "../surfaces/llms/fields.ts";

/** A number or a time at any place of an answer. */
export interface AnswerField {
  readonly product: string;
  /** "items[].risk". */
  readonly path: string;
  readonly name: string;
  readonly unit: Unit;
  readonly description: string;
}

export const UNSTATED = "none stated";
const COUNT = "how many";
type Unit = string;

/** Units by the ending of a name. The longest matching ending counts. */
const UNITS_BY_ENDING = {
  _atomic: "smallest unit of the asset",
  _at: "time, ISO 8601",
  _bps: "basis points",
  _pct: "percent",
  _usd: "US dollars",
  _usdc: "USDC",
  _brl: "reais",
  _btc: "BTC",
  _eth: "ETH",
  _sol: "SOL",
  _gwei: "gwei",
  _lamports: "lamports",
  _eh_s: "exahashes per second",
  _ms: "milliseconds",
  _s: "seconds",
  _h: "hours",
  _hours: "hours",
  _d: "days",
  _days: "days",
  _du: "business days",
  _frac: "0 to 1",
  _share: "0 to 1",
} as const;
type Ending = keyof typeof UNITS_BY_ENDING;

/** Names whose ending only looks like a unit, or that state their unit in another way. */
const UNITS_BY_NAME: Readonly<Record<string, Unit>> = {
  usd: "US dollars",
  pct: "percent",
  sat: "satoshi",
  hours_until: "hours",
  days: "days",
  du: "business days",
  age_min: "minutes",
  median_hold_min: "minutes",
  launches_per_min: "how many a minute",
  correlation_to_btc: "-1 to 1",
  r_and_d: UNSTATED,
};

/** Units by words of a description, for names without a unit. The first match counts. */
const UNITS_BY_WORDS = [
  [/\bbasis points\b/, "basis points"],
  [/\bsat\/vB\b/, "sat/vB"],
  [/-100 to 100\b/, "-100 to 100"],
  [/\b0(?: to |-)100\b/, "0 to 100"],
  [/-1 to 1\b/, "-1 to 1"],
  [/\b0(?: to |-)1\b/, "0 to 1"],
  [/\bin `?unit`?(?:[.,;]|$)/, "what `unit` beside it says"],
  [/\bin `?currency`?(?:[.,;]|$)/, "what `currency` beside it says"],
  [/(?:, | of |\()USD million\b/, "millions of US dollars"],
  [/% of GDP/, "percent of GDP"],
  [/, % a year\b|, percent per year\b/, "percent a year"],
  [/\b[Pp]ercent\b/, "percent"],
  [/, (?:US dollars|USD)\b|^US dollars\b/, "US dollars"],
  [/, BRL\b|^BRL\b/, "reais"],
  [/^Lamports\b|, lamports\b/, "lamports"],
] as const;

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Leaf extends Bounds {
  readonly type: string;
  readonly description: string;
}

/** The unit that the limits of a number suggest: a part of a whole, or a count. */
function readBounds({ type, minimum, maximum }: Leaf): Unit {
  if (type === "integer") return COUNT;
  if (minimum === 0 && maximum === 1) return "0 to 1";
  if (minimum === -1 && maximum === 1) return "-1 to 1";
  return UNSTATED;
}

/** The unit stated by the ending of a name; undefined without one. */
function findEnding(name: string): Ending | undefined {
  const endings = Object.keys(UNITS_BY_ENDING) as Ending[];
  return endings.filter((end) => name.endsWith(end)).sort((a, b) => b.length - a.length)[0];
}

/** The unit stated by a name; undefined if only its description states one. */
export function findUnitOfName(name: string): Unit | undefined {
  const end = findEnding(name);
  return getOwn(UNITS_BY_NAME, name) ?? (end && UNITS_BY_ENDING[end]);
}

/** The unit stated by the first words of a description; undefined without one. */
export function findUnitOfWords(description: string): Unit | undefined {
  const [first = ""] = description.split(";");
  return UNITS_BY_WORDS.find(([words]) => words.test(first))?.[1];
}

const findUnit = (name: string, leaf: Leaf): Unit =>
  findUnitOfName(name) ?? findUnitOfWords(leaf.description) ?? readBounds(leaf);

const optionsOf = (schema: TSchema): readonly TSchema[] =>
  ((schema.anyOf as readonly TSchema[] | undefined) ?? [schema]).filter(({ type }) => type !== "null");

/** The numbers and times in a schema; times are recognised by their name. */
function* walk(schema: TSchema, at: { readonly product: string; readonly path: string }): Generator<AnswerField> {
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Readonly<Record<string, TSchema>>)) {
    const path = at.path === "" ? name : `${at.path}.${name}`;
    for (const option of optionsOf(field)) {
      const list = option.type === "array" ? (option.items as TSchema | undefined) : undefined;
      const value = list ?? option;
      if (value.type === "object") yield* walk(value, { ...at, path: list ? `${path}[]` : path });
      const is_number = value.type === "number" || value.type === "integer";
      const is_told = is_number || (value.type === "string" && /_(?:at|atomic)$/.test(name));
      if (!is_told) continue;
      const description = [...new Set([value.description, field.description])].filter(Boolean).join(" ");
      const unit = findUnit(name, { ...(value as Bounds), type: value.type, description });
      yield { product: at.product, path: list ? `${path}[]` : path, name, unit, description };
      break;
    }
  }
}

/** Every number and time of every product's answers, in the order of the registry. */
export const listAnswerFields = (registry: readonly LoadedPlugin[]): readonly AnswerField[] =>
  registry.flatMap(({ products }) =>
    products.flatMap(({ product: { path, data } }) => [...walk(data, { product: path, path: "" })]),
  );

const SENSE_CHARS = 140;
const PRODUCTS_SHOWN = 6;

function renderRow(name: string, fields: readonly AnswerField[]): string {
  const units = [...new Set(fields.map(({ unit }) => unit))].sort();
  const products = [...new Set(fields.map(({ product }) => `\`${product}\``))];
  const more = products.length > PRODUCTS_SHOWN ? ` and ${products.length - PRODUCTS_SHOWN} more` : "";
  const sense = oneLine(fields[0]?.description ?? "");
  const shown = sense.length > SENSE_CHARS ? `${sense.slice(0, SENSE_CHARS - 1).trimEnd()}…` : sense;
  return `| \`${name}\` | ${units.join("; ")} | ${shown} | ${products.slice(0, PRODUCTS_SHOWN).join(", ")}${more} |`;
}

/** One row for each name. */
function renderFieldsDocument(fields: readonly AnswerField[]): string {
  const by_name = [...Map.groupBy(fields, ({ name }) => name)].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    "# Fields of answers",
    "",
    "Generated by `bun run gen` from the products' schemas: do not edit. Every number and time that answers hold, by",
    "its name, with its unit. The end of a name states its unit (`_pct`: percent; `_bps`: basis points; `_usd`: US",
    "dollars; `_s`: seconds; `_share`, `_frac`: 0 to 1). A name has one unit in all products; the few that do not are",
    "listed with the reason in `src/tools/field-exceptions.ts`, and each of their fields says its own. The sense",
    "is that of the first product named.",
    "",
    "| name | unit | sense | products |",
    "| --- | --- | --- | --- |",
    ...by_name.map(([name, own]) => renderRow(name, own)),
    "",
  ].join("\n");
}

/** The content of docs/fields.md for the products of a registry. */
export const fieldsFile = (registry: readonly LoadedPlugin[]) => ({
  path: "docs/fields.md",
  content: renderFieldsDocument(listAnswerFields(registry)),
});
