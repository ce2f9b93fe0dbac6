/**
 * A part of a page as plain data: the node writes it as markup, the script of a page makes it of elements. A text is a
 * text on both ways, whatever it holds.
 */
export interface Tag {
  readonly tag: "p" | "dl" | "dt" | "dd" | "span" | "div" | "ul" | "ol" | "li" | "pre" | "code" | TableTag | FoldTag;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly parts: readonly Part[];
}
type TableTag = "table" | "thead" | "tbody" | "tr" | "th" | "td";
type FoldTag = "details" | "summary";

export type Part = string | Tag;

/** A tag of a class, or of none. */
export const tagOf = (tag: Tag["tag"], parts: readonly Part[], className = ""): Tag =>
  className === "" ? { tag, parts } : { tag, parts, attributes: { class: className } };

/** What is shown once somebody opens it. */
export const foldOf = (title: string, parts: readonly Part[]): Tag =>
  tagOf("details", [tagOf("summary", [title]), ...parts], "fold small");

/** A table that scrolls by itself, by keyboard too. */
export const tableOf = (name: string, head: readonly Tag[], rows: readonly Tag[]): Tag => ({
  tag: "div",
  attributes: { class: "scroll", tabindex: "0", role: "group", "aria-label": name },
  parts: [tagOf("table", [...(head.length === 0 ? [] : [tagOf("thead", [tagOf("tr", head)])]), tagOf("tbody", rows)])],
});
