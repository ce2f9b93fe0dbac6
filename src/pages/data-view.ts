import { answerReaderOf, labelOf } from "./answer/answer-texts.ts";
import { describeData, describeLabel, isTime, showPlain as showValue } from "./answer/describe.ts";
import { toHtml } from "./answer/to-html.ts";
import { type Html, html } from "./html.ts";
import { isJson } from "./json.ts";
import type { Words } from "./words.ts";

type Plain = Parameters<typeof showValue>[0];

/** One value as text: a missing one is a dash, a time is to the minute, a long text is cut. */
export const showPlain = (value: Plain, words: Words): string => showValue(value, answerReaderOf(words));

/** A member's name as people read it. */
export const renderLabel = (name: string, { language }: Words): Html =>
  html`${describeLabel(labelOf(name, language)).map(toHtml)}`;

/** Data of any product as people read it. */
export const renderData = (data: unknown, words: Words): Html => toHtml(describeData(data, answerReaderOf(words)));

/** The one figure of an answer that says most. */
export interface HeadlineFigure {
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
  (typeof value === "string" && value !== "" && value.length <= FIGURE_CHARS_MAX && !isTime(value));

/** The telling one of some members, in the order of `TELLING`. */
const pickTelling = (members: readonly Member[]): Member | undefined =>
  TELLING.map((name) => members.find((one) => one.name === name && isShown(one))).find((one) => one !== undefined);

/**
 * What the table of all products shows of a free answer: a telling field of `data` or of an object in it, else how long
 * its first list is that holds something, else its first number, else nothing. A bare number comes with its name, so
 * that it claims no more than the answer does.
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
