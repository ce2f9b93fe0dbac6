/**
 * A part of a page as plain data: the node writes it as markup, the script of a page makes it of elements. A text is a
 * text on both ways, whatever it holds.
 */
export interface AnswerTag {
  readonly tag: "p" | "dl" | "dt" | "dd" | "span" | "div" | "ul" | "ol" | "li" | "pre" | "code" | TableTag | FoldTag;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly parts: readonly AnswerPart[];
}
type TableTag = "table" | "thead" | "tbody" | "tr" | "th" | "td";
type FoldTag = "details" | "summary";

export type AnswerPart = string | AnswerTag;

/** A tag of a class, or of none. */
export const tagOf = (tag: AnswerTag["tag"], parts: readonly AnswerPart[], className = ""): AnswerTag =>
  className === "" ? { tag, parts } : { tag, parts, attributes: { class: className } };

/** What is shown once somebody opens it. */
export const foldOf = (title: string, parts: readonly AnswerPart[]): AnswerTag =>
  tagOf("details", [tagOf("summary", [title]), ...parts], "fold small");

/** A table that scrolls by itself, by keyboard too. */
export const tableOf = (name: string, head: readonly AnswerTag[], rows: readonly AnswerTag[]): AnswerTag => ({
  tag: "div",
  attributes: { class: "scroll", tabindex: "0", role: "group", "aria-label": name },
  parts: [tagOf("table", [...(head.length === 0 ? [] : [tagOf("thead", [tagOf("tr", head)])]), tagOf("tbody", rows)])],
});
