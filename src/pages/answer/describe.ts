import { writeDay } from "../formats.ts";
import { isJson, type Json } from "../json.ts";
import { type AnswerPart, type AnswerTag, foldOf, tableOf, tagOf } from "./part.ts";
import { type AnswerReader, type FieldLabel, spaceWords } from "./reader.ts";
import { cellOf, findGrid, type Grid } from "./rows.ts";

const COLUMNS_MAX = 8;
const MEMBERS_MAX = 60;
const DEPTH_MAX = 6;
/** The most values of one answer that are laid out: an answer may hold hundreds of thousands. */
const VALUES_MAX = 6_000;
const CELL_CHARS_MAX = 160;
const TEXT_CHARS_MAX = 2_000;
/** Entries of a list that are visible; further ones are folded. */
const ROWS_SEEN = 12;

type Plain = string | number | boolean | null | undefined;
const isPlain = (value: unknown): value is Plain => value === null || typeof value !== "object";

const TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?Z$/;
/** A time in the zone of an exchange or an office: "2026-12-04 08:30". */
const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})$/;
/** A figure sent as text, so that no digit is lost. */
const DECIMAL = /^-?\d+\.\d+$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const isTime = (text: string): boolean => TIME.test(text);

/** One value as text: a missing one is a dash, a time is to the minute, a long text is cut. */
export function showPlain(value: Plain, reader: AnswerReader, chars_max = CELL_CHARS_MAX): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return reader.say(value ? "yes" : "no");
  if (typeof value === "number") return reader.number(value);
  const time = TIME.exec(value);
  if (time) return `${writeDay(time[1] ?? "", reader.language)} ${time[2]}`;
  if (DAY.test(value)) return writeDay(value, reader.language);
  const local = LOCAL_TIME.exec(value);
  if (local) return `${writeDay(local[1] ?? "", reader.language)} ${local[2]}`;
  return value.length > chars_max ? `${value.slice(0, chars_max - 1)}…` : reader.valueOf(value);
}

/** A value without line breaks: a number, a day. */
const isWhole = (value: Plain): boolean =>
  typeof value === "number" ||
  (typeof value === "string" && (DAY.test(value) || TIME.test(value) || LOCAL_TIME.test(value)));

/** A text of several words, which is English unless the whole answer is in another language. */
const isSentence = (text: string): boolean => /\p{L}{2,} \p{L}/u.test(text);

/** One value with its markup. */
function describePlain(value: Plain, { name, depth }: MemberPosition, { reader, is_english }: Layout): AnswerPart {
  if (typeof value === "string" && DECIMAL.test(value) && reader.labelOf(name).unit !== "") {
    return tagOf("span", [reader.language === "en" ? value : value.replace(".", ",")], "whole");
  }
  const text = showPlain(value, reader, depth > 1 ? CELL_CHARS_MAX : TEXT_CHARS_MAX);
  return isWhole(value) ? tagOf("span", [text], "whole") : markEnglish(value, text, { reader, is_english });
}

/** A word without a translation is marked as English. */
function markEnglish(
  value: Plain,
  text: string,
  { reader, is_english }: Pick<Layout, "reader" | "is_english">,
): AnswerPart {
  const is_own = typeof value !== "string" || !is_english || reader.valueOf(value) !== spaceWords(value);
  return is_own || !isSentence(text) ? text : { tag: "span", attributes: { lang: "en" }, parts: [text] };
}

/** A member's name, with its unit apart. */
export function describeLabel({ text, unit, is_english }: FieldLabel): readonly AnswerPart[] {
  const named: AnswerPart = is_english ? { tag: "span", attributes: { lang: "en" }, parts: [text] } : text;
  return unit === "" ? [named] : [named, " ", tagOf("span", [unit], "unit")];
}

/** The state of one answer's layout. */
interface Layout {
  readonly reader: AnswerReader;
  /** Whether its texts are English on a page in another language. */
  readonly is_english: boolean;
  /** The number of values that may still be laid out. */
  left: number;
}

/** A value under its name, at a depth of nested objects. */
interface MemberPosition {
  readonly name: string;
  readonly depth: number;
}

/**
 * Lays out the data of any product for people: objects as lists of names and values, lists of objects as tables, and
 * lists inside these as rows. Size and depth are limited; the JSON has everything.
 */
export const describeData = (data: unknown, reader: AnswerReader): AnswerPart =>
  describe(
    data,
    { name: "data", depth: 0 },
    { reader, left: VALUES_MAX, is_english: reader.language !== "en" && !(isJson(data) && data.language === "pt-BR") },
  );

function describe(value: unknown, { name, depth }: MemberPosition, layout: Layout): AnswerPart {
  layout.left -= 1;
  if (layout.left < 0) return "…";
  const { reader } = layout;
  if (isPlain(value)) return describePlain(value, { name, depth }, layout);
  if (depth > DEPTH_MAX) return "…";
  if (Array.isArray(value)) return describeList(value, { name, depth }, layout);
  const members = Object.entries(value as Json).slice(0, MEMBERS_MAX);
  if (members.length === 0) return reader.say("none");
  return tagOf(
    "dl",
    members.flatMap(([member, one]) => [
      tagOf("dt", describeLabel(reader.labelOf(member))),
      tagOf("dd", [describe(one, { name: member, depth: depth + 1 }, layout)]),
    ]),
  );
}

function describeList(items: readonly unknown[], place: MemberPosition, layout: Layout): AnswerPart {
  const { reader } = layout;
  if (items.length === 0) return reader.say("none");
  if (items.every(isPlain)) {
    const shown = items.slice(0, ROWS_SEEN);
    const more = items.length - shown.length;
    const parts = shown.flatMap((one, index): readonly AnswerPart[] => [
      ...(index === 0 ? [] : [", "]),
      markEnglish(one, showPlain(one, reader), layout),
    ]);
    return tagOf("span", [...parts, ...(more > 0 ? [` ${reader.say("and {0} more", reader.number(more))}`] : [])]);
  }
  const read = items.slice(0, reader.rows_max);
  const { length: total } = items;
  if (read.every(isJson)) return foldRows({ ...describeObjects(read, place, layout), total }, place, reader);
  const entries = read.map((one) => [tagOf("tr", describeCells(one, place, layout))]);
  return foldRows({ head: [], entries, total }, place, reader);
}

/** The cells of an entry that is not an object; those of a list go side by side. */
const describeCells = (entry: unknown, { name, depth }: MemberPosition, layout: Layout): readonly AnswerTag[] =>
  (Array.isArray(entry) ? entry.slice(0, COLUMNS_MAX) : [entry]).map((one) =>
    tagOf("td", [describe(one, { name, depth: depth + 2 }, layout)]),
  );

interface Rows {
  readonly head: readonly AnswerTag[];
  /** For each entry its row, and a second row for the members told below it. */
  readonly entries: readonly (readonly AnswerTag[])[];
}

function describeObjects(items: readonly Json[], place: MemberPosition, layout: Layout): Rows {
  const { reader } = layout;
  const grid = findGrid(items, COLUMNS_MAX);
  const head = grid.columns.map(({ path: [outer, inner] }): AnswerTag => {
    const parts = describeLabel(reader.labelOf(inner ?? outer));
    const of = inner === undefined ? [] : [`${reader.labelOf(outer).text} · `];
    return { tag: "th", attributes: { scope: "col" }, parts: [...of, ...parts] };
  });
  const entries = items.map((item) => {
    const cells = grid.columns.map((column) => {
      const value = cellOf(item, column);
      return tagOf("td", [
        describe(isPlain(value) ? value : null, { name: column.path.at(-1) ?? "", depth: 2 }, layout),
      ]);
    });
    return [...(cells.length === 0 ? [] : [tagOf("tr", cells)]), ...describeBelow(item, { grid, place }, layout)];
  });
  return { head, entries };
}

/** The lists and larger objects of an entry, in a separate row that opens. */
function describeBelow(
  item: Json,
  { grid: { columns, below }, place }: { readonly grid: Grid; readonly place: MemberPosition },
  layout: Layout,
): readonly AnswerTag[] {
  const members = below.filter((name) => Object.hasOwn(item, name) && item[name] !== null);
  if (members.length === 0) return [];
  const { reader } = layout;
  const title = members.map((name) => reader.labelOf(name).text).join(", ");
  const held = Object.fromEntries(members.map((name) => [name, item[name]]));
  const told = describe(held, { ...place, depth: place.depth + 1 }, layout);
  const span = String(Math.max(1, columns.length));
  const parts = [columns.length === 0 ? told : foldOf(title, [told])];
  return [tagOf("tr", [{ tag: "td", attributes: { colspan: span, class: "below" }, parts }])];
}

/** The first entries, followed by the folded others. */
function foldRows(
  { head, entries, total }: Rows & { readonly total: number },
  { name }: MemberPosition,
  reader: AnswerReader,
): AnswerTag {
  const label = reader.labelOf(name).text;
  const seen = tableOf(label, head, entries.slice(0, ROWS_SEEN).flat());
  const folded = entries.slice(ROWS_SEEN).flat();
  if (total <= ROWS_SEEN) return tagOf("div", [seen], "rows");
  const title = reader.say("and {0} more", reader.number(total - ROWS_SEEN));
  const rest =
    folded.length === 0
      ? tagOf("p", [title], "soft small")
      : foldOf(title, [
          tableOf(label, head, folded),
          ...(total > entries.length
            ? [tagOf("p", [reader.say("and {0} more", reader.number(total - entries.length))])]
            : []),
        ]);
  return tagOf("div", [seen, rest], "rows");
}
