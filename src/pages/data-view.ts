import { answerReaderOf, labelOf } from "./answer/answer-texts.ts";
import { describeData, describeLabel, isTime, showPlain as showValue } from "./answer/describe.ts";
import { toHtml } from "./answer/to-html.ts";
import { type Html, html } from "./html.ts";
import { isJson } from "./json.ts";
import type { Words } from "./words.ts";

type Plain = Parameters<typeof showValue>[0];

/** One value as text: a missing one is a dash, a time is to the minute, a long text is cut. */
export const showPlain = (value: Plain, words: Words): string => showValue(value, answerReaderOf(words));

/** A member's name for people. */
export const renderLabel = (name: string, { language }: Words): Html =>
  html`${describeLabel(labelOf(name, language)).map(toHtml)}`;

/** Data of any product, laid out for people. */
export const renderData = (data: unknown, words: Words): Html => toHtml(describeData(data, answerReaderOf(words)));

/** The single most important figure of an answer. */
export interface HeadlineFigure {
  readonly name: string;
  readonly value: string;
  /** Whether it has no unit, and so means nothing without its name. */
  readonly is_bare: boolean;
}

/** Names of figures that sum an answer up, in order of preference; a unit may follow the name. */
const TELLING = [
  ...["regime", "verdict", "classification", "label", "state", "status", "market_state", "band", "level", "quadrant"],
  ...["score", "value", "consensus_usd", "price_usd", "price", "effective_price", "rate", "close", "total_return_pct"],
  ...["win_rate_pct", "value_usd", "hit_rate", "fastest", "max_gross_bps", "spread_bps", "selic_target_pct"],
  ...["target_pct", "ptax_sell", "count", "launches_per_min", "settle_usd", "word_count", "scanned"],
];
const FIGURE_CHARS_MAX = 22;

interface Member {
  readonly name: string;
  /** The label. */
  readonly label: string;
  readonly value: unknown;
  /** The unit, from its own name or from the name of its object: "fees_sat_vb". */
  readonly unit: string;
}
/** The members of a named object. A "count" in it counts whatever the object is named after. */
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
  (typeof value === "string" && value !== "" && value.length <= FIGURE_CHARS_MAX && !isTime(value));

/** The most important one of some members, by the order of `TELLING`. */
const pickTelling = (members: readonly Member[]): Member | undefined =>
  TELLING.map((name) => members.find((one) => one.name === name && isShown(one))).find((one) => one !== undefined);

/**
 * The figure of a free answer in the table of all products: an important field of `data` or of an object in it, else
 * the length of its first list that is not empty, else its first number, else nothing. A bare number comes with its
 * name, so that it claims no more than the answer does.
 */
export function findFigure(data: unknown, words: Words): HeadlineFigure | null {
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
  // "8 results" is clearer than "8 count" if that is the number of results.
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
