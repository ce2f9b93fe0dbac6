import { type Html, html } from "./html.ts";
import { isJson, type Json } from "./schema-table.ts";
import { unitOf } from "./units.ts";
import { type Words, writeDay } from "./words.ts";

const ROWS_MAX = 12;
const COLUMNS_MAX = 7;
const MEMBERS_MAX = 40;
const DEPTH_MAX = 3;
const TEXT_CHARS_MAX = 160;

type Plain = string | number | boolean | null | undefined;
const isPlain = (value: unknown): value is Plain => value === null || typeof value !== "object";

const TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?Z$/;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** One value as text: a missing one is a dash, a time is to the minute, a long text is cut. */
export function showPlain(value: Plain, words: Words): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return words.say(value ? "yes" : "no");
  if (typeof value === "number") return words.number(value);
  const time = TIME.exec(value);
  if (time) return `${writeDay(time[1] ?? "", words.language)} ${time[2]}`;
  if (DAY.test(value)) return writeDay(value, words.language);
  return value.length > TEXT_CHARS_MAX ? `${value.slice(0, TEXT_CHARS_MAX - 1)}…` : value;
}

/** A field's name as people read it: its unit stands apart. */
function labelOf(name: string): { readonly text: string; readonly unit: string } {
  const unit = unitOf(name);
  const bare = unit === null ? name : name.slice(0, -unit.suffix.length);
  return { text: (bare || name).replaceAll("_", " "), unit: unit?.short ?? "" };
}

export const renderLabel = (name: string): Html => {
  const { text, unit } = labelOf(name);
  return html`${text}${unit === "" ? "" : html` <span class="unit">${unit}</span>`}`;
};

function renderTable(items: readonly Json[], name: string, words: Words): Html {
  const names = Object.keys(items[0] ?? {})
    .filter((member) => items.every((one) => isPlain(one[member])) && items.some((one) => one[member] !== null))
    .slice(0, COLUMNS_MAX);
  if (names.length === 0) return html`${words.say("{0} entries", items.length)}`;
  const more = items.length - ROWS_MAX;
  return html`<div class="scroll" tabindex="0" role="group"
aria-label="${labelOf(name).text}"><table><thead><tr>${names.map(
    (member) => html`<th scope="col">${renderLabel(member)}</th>`,
  )}</tr></thead><tbody>${items
    .slice(0, ROWS_MAX)
    .map(
      (one) => html`<tr>${names.map((member) => html`<td>${showPlain(one[member] as Plain, words)}</td>`)}</tr>`,
    )}</tbody></table></div>${more > 0 ? html`<p class="soft small">${words.say("and {0} more", more)}</p>` : ""}`;
}

function renderList(items: readonly unknown[], name: string, words: Words): Html {
  if (items.length === 0) return html`${words.say("none")}`;
  if (items.every(isJson)) return renderTable(items, name, words);
  if (items.every(isPlain)) {
    const more = items.length - ROWS_MAX;
    const shown = items.slice(0, ROWS_MAX).map((one) => showPlain(one as Plain, words));
    return html`${shown.join(", ")}${more > 0 ? ` ${words.say("and {0} more", more)}` : ""}`;
  }
  return html`${words.say("{0} entries", items.length)}`;
}

/**
 * Data of any product as people read it: objects as lists of names and values, lists of objects as tables. Numbers and
 * depth are limited; the whole of it is the JSON.
 */
export const renderData = (value: unknown, words: Words): Html => renderValue(value, words, { name: "data", depth: 0 });

/** A value under its name, so many objects deep. */
interface Place {
  readonly name: string;
  readonly depth: number;
}

function renderValue(value: unknown, words: Words, { name, depth }: Place): Html {
  if (isPlain(value)) return html`${showPlain(value, words)}`;
  if (Array.isArray(value)) return renderList(value, name, words);
  if (depth > DEPTH_MAX) return html`…`;
  const members = Object.entries(value as Json).slice(0, MEMBERS_MAX);
  return html`<dl>${members.map(
    ([member, one]) =>
      html`<dt>${renderLabel(member)}</dt><dd>${renderValue(one, words, { name: member, depth: depth + 1 })}</dd>`,
  )}</dl>`;
}

/** The one figure of an answer that says most. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  /** A number without a unit: means nothing without its name. */
  readonly is_bare: boolean;
}

/** Names whose value sums an answer up, in the order they are looked for; units may follow them. */
const TELLING = [
  ...["regime", "verdict", "classification", "label", "state", "status", "market_state", "band", "level", "quadrant"],
  ...["score", "value", "consensus_usd", "price_usd", "price", "effective_price", "rate", "close", "total_return_pct"],
  ...["win_rate_pct", "value_usd", "hit_rate", "fastest", "max_gross_bps", "spread_bps", "selic_target_pct"],
  ...["target_pct", "ptax_sell", "count", "launches_per_min", "settle_usd", "word_count", "scanned"],
];
const FIGURE_CHARS_MAX = 22;

interface Member {
  readonly name: string;
  /** What it is shown under. */
  readonly label: string;
  readonly value: unknown;
  /** What it is counted in, by its own name or by that of the object it stands in: "fees_sat_vb". */
  readonly unit: string;
}
/** The members of an object that is called so; a "count" in it is one of what the object is about. */
const membersOf = (value: unknown, { name: of = "", unit = "" } = {}): readonly Member[] =>
  isJson(value)
    ? Object.entries(value).map(([name, one]) => ({
        name,
        label: name === "count" && of !== "" ? of : name,
        value: one,
        unit: labelOf(name).unit || unit,
      }))
    : [];

const isShown = ({ value }: Member): boolean =>
  (typeof value === "number" && Number.isFinite(value)) ||
  (typeof value === "string" && value !== "" && value.length <= FIGURE_CHARS_MAX && !TIME.test(value));

/** The telling one of some members, in the order of `TELLING`. */
const pickTelling = (members: readonly Member[]): Member | undefined =>
  TELLING.map((name) => members.find((one) => one.name === name && isShown(one))).find((one) => one !== undefined);

/**
 * What the table of all products shows of a free answer: a telling field of `data` or of an object in it, else how long
 * its first list is that holds something, else its first number, else nothing. A bare number comes with its name, so
 * that it claims no more than the answer does.
 */
export function findFigure(data: unknown, words: Words): Figure | null {
  const top = membersOf(data);
  const inner = top.flatMap((one) => membersOf(one.value, one));
  const innermost = inner.flatMap((one) => membersOf(one.value, one));
  const list = top.find(({ value }) => Array.isArray(value) && value.length > 0 && value.every(isJson));
  const found = pickTelling(top) ?? pickTelling(inner) ?? pickTelling(innermost);
  if (!found && list && Array.isArray(list.value)) {
    return { name: labelOf(list.name).text, value: words.number(list.value.length), is_bare: true };
  }
  const shown = found ?? [...top, ...inner].find((one) => typeof one.value === "number" && isShown(one));
  if (!shown) return null;
  const { value, unit } = shown;
  // "8 count" says less than "8 results", where that is how many there are.
  const is_length = shown.label === "count" && Array.isArray(list?.value) && list.value.length === value;
  const name = is_length ? (list?.name ?? shown.label) : shown.label;
  const told = showPlain(value as Plain, words).replaceAll("_", " ");
  const is_number = typeof value === "number";
  return {
    name: labelOf(name).text,
    value: unit === "" || !is_number ? told : `${told} ${unit}`,
    is_bare: is_number && unit === "",
  };
}
