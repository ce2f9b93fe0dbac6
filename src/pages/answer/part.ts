/**
 * A part of a page as plain data. The node renders it as markup, a page's script as elements. A text stays a text
 * either way, whatever it contains.
 */
export interface AnswerTag {
  readonly tag: "p" | "dl" | "dt" | "dd" | "span" | "div" | "ul" | "ol" | "li" | "pre" | "code" | TableTag | FoldTag;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly parts: readonly AnswerPart[];
}
type TableTag = "table" | "thead" | "tbody" | "tr" | "th" | "td";
type FoldTag = "details" | "summary";

export type AnswerPart = string | AnswerTag;

/** A tag with or without a class. */
export const tagOf = (tag: AnswerTag["tag"], parts: readonly AnswerPart[], className = ""): AnswerTag =>
  className === "" ? { tag, parts } : { tag, parts, attributes: { class: className } };

/** A fold, whose content is shown once it is opened. */
export const foldOf = (title: string, parts: readonly AnswerPart[]): AnswerTag =>
  tagOf("details", [tagOf("summary", [title]), ...parts], "fold small");

/** A table that scrolls inside its own box, also by keyboard. */
export const tableOf = (name: string, head: readonly AnswerTag[], rows: readonly AnswerTag[]): AnswerTag => ({
  tag: "div",
  attributes: { class: "scroll", tabindex: "0", role: "group", "aria-label": name },
  parts: [tagOf("table", [...(head.length === 0 ? [] : [tagOf("thead", [tagOf("tr", head)])]), tagOf("tbody", rows)])],
});
