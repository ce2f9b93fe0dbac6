import { renderData, renderLabel, showPlain } from "./data-view.ts";
import { type Html, html, renderHtml } from "./html.ts";
import { isJson, type Json } from "./json.ts";
import { renderMore } from "./parts.ts";
import type { Words } from "./words.ts";

/** The most rows of a table on a page. */
const ROWS_MAX = 250;
/** Members of a written answer that are shown as text, or that state how it was made. */
const WRITTEN = new Set([
  ...["blocks", "sections", "markdown", "title", "language", "facts", "citations", "writer", "written_by", "pack_hash"],
  ...["pack_id", "word_count", "disclaimer", "locale", "answer_md"],
]);

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
interface DocumentPart {
  readonly heading: string;
  readonly text: string;
  readonly table: Table | null;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

function readTable(value: unknown): Table | null {
  if (!isJson(value)) return null;
  const { columns, rows } = value;
  return isTexts(columns) && Array.isArray(rows) && rows.every(isTexts) ? { columns, rows } : null;
}

/** The parts of a written answer: its sections, or its blocks under their names; null for other data. */
function readParts({ sections, blocks }: Json): readonly DocumentPart[] | null {
  if (Array.isArray(sections) && sections.every(isJson) && sections.some(({ heading }) => isText(heading))) {
    return sections.map(({ heading, text, table }) => ({
      heading: isText(heading) ? heading : "",
      text: isText(text) ? text : "",
      table: readTable(table),
    }));
  }
  if (!Array.isArray(blocks) || !blocks.every(isJson)) return null;
  const parts = blocks.flatMap(({ id, text }) => (isText(id) && isText(text) ? [{ id, text }] : []));
  if (parts.length === 0) return null;
  return parts.map(({ id, text }) => ({ heading: id.replaceAll("_", " "), text, table: null }));
}

const renderTable = ({ columns, rows }: Table, name: string): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${name}"><table><thead><tr>${columns.map(
    (column) => html`<th scope="col">${column}</th>`,
  )}</tr></thead><tbody>${rows
    .slice(0, ROWS_MAX)
    .map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;

/** The sentences of one part: each line is a paragraph, and lines with a dash are a list. */
function renderText(text: string): Html {
  const lines = text.split(/\n+/).filter((line) => line.trim() !== "");
  const items = lines.filter((line) => line.startsWith("- "));
  const prose = lines.filter((line) => !line.startsWith("- ")).map((line) => html`<p>${line}</p>`);
  if (items.length === 0) return html`${prose}`;
  return html`${prose}<ul>${items.map((line) => html`<li>${line.slice(2)}</li>`)}</ul>`;
}

const FACT_COLUMNS = ["label", "value", "unit", "as_of", "from"] as const;

/** Every number in the text, with its day and its source. */
function renderFacts(facts: unknown, words: Words): Html | "" {
  if (!Array.isArray(facts) || facts.length === 0 || !facts.every(isJson)) return "";
  return html`<div class="scroll" tabindex="0" role="group" aria-label="facts"><table><thead><tr>${FACT_COLUMNS.map(
    (name) => html`<th scope="col">${renderLabel(name, words)}</th>`,
  )}</tr></thead><tbody>${facts
    .slice(0, ROWS_MAX)
    .map(
      (fact) => html`<tr>${FACT_COLUMNS.map((name) => html`<td>${showPlain(fact[name] as string, words)}</td>`)}</tr>`,
    )}</tbody></table></div>`;
}

/** The parts visible on a phone without opening a fold. */
const PARTS_SEEN = 2;

/** Lays out a written answer as a printable document with headings, sentences and tables; null for other data. */
export function renderDocument(data: unknown, words: Words): Html | null {
  if (!isJson(data)) return null;
  const parts = readParts(data);
  if (!parts) return null;
  const { title, language, facts } = data;
  const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !WRITTEN.has(name)));
  const has_own_facts = parts.some(({ table }) => table !== null);
  const render = (content: Html): Html =>
    html`<article class="document" lang="${isText(language) ? language : "en"}">${content}</article>`;
  const seen = parts.length > PARTS_SEEN + 1 ? PARTS_SEEN : parts.length;
  const renderParts = (some: readonly DocumentPart[]): Html =>
    html`${some.map(
      ({ heading, text, table }) =>
        html`<section><h3>${heading}</h3>${renderText(text)}${table ? renderTable(table, heading) : ""}</section>`,
    )}`;
  const begin = html`${isText(title) ? html`<h2>${title}</h2>` : ""}${renderParts(parts.slice(0, seen))}`;
  const end = html`${renderParts(parts.slice(seen))}${has_own_facts ? "" : renderFacts(facts, words)}`;
  const more = renderHtml(end) === "" ? "" : renderMore(words.say("Show the whole document"), render(end));
  return html`${render(begin)}${more}${
    Object.keys(rest).length === 0 ? "" : html`<div class="shown">${renderData(rest, words)}</div>`
  }`;
}
