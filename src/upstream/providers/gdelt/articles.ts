import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { type EachRow, Rows } from "../../../catalog/rows.ts";
import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { compileSchema } from "../../../core/compile-schema.ts";
import { cutForeign } from "../../../core/foreign-text.ts";
import { parseJSON } from "../../../core/json-values.ts";
import { gdelt } from "./provider.ts";

/** One article GDELT saw. */
export interface Article {
  readonly title: string;
  readonly url: string;
  /** When GDELT saw it, ms: publishers' own dates are not told. */
  readonly seen_ms: number;
}

const Row = compileSchema(
  Type.Object({
    url: Type.String({ maxLength: 2_000 }),
    /** Only shown: of any length, and cut. */
    title: Type.String(),
    seendate: Type.String({ pattern: "^[0-9]{8}T[0-9]{6}Z$" }),
  }),
);
/** The text is parsed here, so that its rows are too. */
const check = compileSchema(Type.Object({ articles: Type.Optional(Rows(Type.Unknown(), { maxItems: 250 })) }));
const TIMEOUT_MS = 4_000;
const ARTICLES = 25;
/** Its answers hold control characters that JSON forbids. */
const CONTROLS = /\p{Cc}/gu;
/** It also prints titles with escapes that JSON has not, such as "Rock \\& roll": the character behind is meant. */
const ESCAPES = /\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)/g;
const mend = (text: string): string =>
  text
    .replace(/^\ufeff/, "")
    .replace(CONTROLS, " ")
    .replace(ESCAPES, (found: string, known: string | undefined) => (known ? found : ""));

/** Where one article ends and the next begins: a brace, and one of the names an article has. */
const BETWEEN = /\}\s*,\s*(?=\{\s*"(?:url|url_mobile|title|seendate|socialimage|domain|language|sourcecountry)"\s*:)/;
/** The text after the last article: an extra comma, the ends of list and answer, or nothing. */
const END = /\}?\s*,?\s*\]?\s*\}?\s*$/;
/** Parses a list row by row if the whole is invalid JSON; undefined for an invalid row or answer. */
function parseRows(text: string): readonly unknown[] | undefined {
  const [, rows] = /^\s*\{\s*"articles"\s*:\s*\[(\s*\{.*)$/s.exec(text) ?? [];
  return rows
    ?.split(BETWEEN)
    .map((row, index, all) => parseJSON(`${index === all.length - 1 ? row.replace(END, "") : row}}`));
}

function readArticles(text: string, eachRow: EachRow): readonly Article[] | Unusable {
  const mended = mend(text);
  const whole = parseJSON(mended);
  const rows = whole === undefined ? parseRows(mended) : undefined;
  // It says that it was asked too often, or too shortly, with 200 and a sentence.
  if (whole === undefined && rows === undefined) return unusable("no JSON: a sentence, or a page");
  const parsed = whole ?? { articles: rows };
  if (!check.Check(parsed)) return unusable("not a list of articles");
  return eachRow(parsed.articles ?? [], (row): Article | Unusable => {
    if (!Row.Check(row)) return unusable("no address, title or date");
    const { title, url, seendate: s } = row;
    const seen_ms = Date.parse(s.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, "$1-$2-$3T$4:$5:$6Z"));
    return Number.isNaN(seen_ms) ? unusable("a date cannot be read") : { title: cutForeign(title), url, seen_ms };
  });
}

/** Articles of the last three days that match a query, newest first. None is an answer too. @throws UpstreamError */
export function fetchArticles(context: Pick<FetchContext, "get">, query: string): Promise<readonly Article[]> {
  const search = new URLSearchParams({
    query,
    mode: "artlist",
    format: "json",
    maxrecords: String(ARTICLES),
    timespan: "3d",
    sort: "datedesc",
  });
  return context.get(gdelt, {
    path: `/doc?${search}`,
    format: "text",
    schema: Type.String({ minLength: 2 }),
    ttl_ms: 0,
    timeout_ms: TIMEOUT_MS,
    read: (text, _, eachRow) => readArticles(text, eachRow),
  });
}
