import { type Html, type HtmlValue, html, renderHtml } from "../html.ts";
import { renderField, table } from "./parts.ts";

/** Rows of a list on one page: more would be too long for a phone. */
export const ROWS_A_PAGE = 25;

/** The request for a page of lists. */
export interface ListView {
  /** Path of the page, such as "/admin/jobs". */
  readonly path: string;
  /** Its query: `q` holds words to search for, `show` one of the page's choices, the others numbers of pages. */
  readonly asked: Readonly<Record<string, string>>;
}

export interface LongList {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly HtmlValue[])[];
  /** The parameter with the number of this list's page: each list of a page has its own. "page" unless given. */
  readonly param?: string;
}

/** The searched part of a row: its words, without its buttons. */
const textOf = (row: readonly HtmlValue[]): string =>
  renderHtml(html`${row.map((cell) => html`${cell} `)}`)
    .replace(/<form[\s\S]*?<\/form>/g, "")
    .replace(/<[^>]*>/g, "")
    .toLowerCase();

const wordsOf = (q: string): readonly string[] =>
  renderHtml(html`${q}`)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");

const queryOf = (asked: ListView["asked"]): string => {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
  return query === "" ? "" : `?${query}`;
};

/** One page of a list: the rows that contain every word of `q`, and links to the pages before and after. */
export function longTable({ name, head, rows, param = "page" }: LongList, { path, asked }: ListView): Html {
  const words = wordsOf(asked.q ?? "");
  const found = words.length === 0 ? rows : rows.filter((row) => words.every((word) => textOf(row).includes(word)));
  if (found.length === 0 && rows.length > 0) return html`<p class="soft">None of ${rows.length} is like that.</p>`;
  const pages = Math.max(1, Math.ceil(found.length / ROWS_A_PAGE));
  const wanted = /^\d{1,6}$/.test(asked[param] ?? "") ? Number(asked[param]) : 1;
  const page = Math.min(Math.max(1, wanted), pages);
  const first = (page - 1) * ROWS_A_PAGE;
  const shown = found.slice(first, first + ROWS_A_PAGE);
  const link = (to: number, text: string, rel: string) =>
    html` · <a rel="${rel}" href="${path}${queryOf({ ...asked, [param]: String(to) })}">${text}</a>`;
  const place = `${first + 1} to ${first + shown.length} of ${found.length}`;
  const pager =
    pages === 1
      ? ""
      : html`<nav class="pager" aria-label="Pages of ${name}">${place}${
          page > 1 ? link(page - 1, "Before", "prev") : ""
        }${page < pages ? link(page + 1, "Next", "next") : ""}</nav>`;
  return html`${table(name, head, shown)}${pager}`;
}

/** A choice of rows that a page offers. */
export interface ListChoices {
  /** Empty: the page has only a search for words. */
  readonly show?: readonly string[];
}

/** The form that searches a page's lists. It goes back to their first pages, and works without script. */
export const renderListFilter = ({ path, asked }: ListView, { show = [] }: ListChoices = {}): Html =>
  html`<form class="op" method="get" action="${path}" role="search">${[
    { name: "q", label: "Search", value: asked.q ?? "" },
    ...(show.length === 0 ? [] : [{ name: "show", label: "Show", value: asked.show ?? "", options: ["", ...show] }]),
  ].map(renderField)}<button>Show</button></form>`;
