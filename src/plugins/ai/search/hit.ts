import { renderPlain } from "intel-node/providers/rss";

/** One result of one engine, its texts already plain. Text of strangers: shown, never followed. */
export interface Hit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string | null;
  /** ISO 8601 time or day; null where the engine states none that can be read. */
  readonly published_at: string | null;
}

/** What engines give, before it is cleaned. */
interface RawHit {
  readonly title: string | null | undefined;
  readonly url: string | null | undefined;
  readonly snippet?: string | null | undefined;
  readonly date?: string | null | undefined;
}

const TITLE_CHARS_MAX = 200;
const SNIPPET_CHARS_MAX = 300;
const URL_CHARS_MAX = 1_000;
export const HITS_MAX = 20;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A text that was cut ends in an ellipsis, at a word's end. */
export function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const head = text.slice(0, chars - 1);
  return `${head.slice(0, Math.max(head.lastIndexOf(" "), chars / 2)).trimEnd()}…`;
}

/**
 * When something was published: a day stays a day, a time without a zone is UTC. "3 days ago", nonsense and the future
 * are not known.
 */
export function readDate(text: string | null | undefined, now_ms: number): string | null {
  if (!text || !/\d{4}/.test(text)) return null;
  const has_time = /\d:\d/.test(text);
  const has_zone = /(?:Z|GMT|UTC|[+-]\d{2}:?\d{2})$/.test(text.trim());
  const at_ms = Date.parse(has_zone || ISO_DAY.test(text) ? text : `${text.trim()}${/T/.test(text) ? "Z" : " UTC"}`);
  if (Number.isNaN(at_ms) || at_ms > now_ms) return null;
  const time = new Date(at_ms).toISOString();
  return has_time ? time : time.slice(0, 10);
}

/** Results with a title and a web address, in the engine's order, at most 20. */
export function toHits(raw: readonly RawHit[], now_ms: number): Hit[] {
  return raw.slice(0, HITS_MAX).flatMap(({ title: html, url: link, snippet: words, date }): Hit[] => {
    const title = cut(renderPlain(html ?? ""), TITLE_CHARS_MAX);
    const url = (link ?? "").trim();
    if (title === "" || url.length > URL_CHARS_MAX || !/^https?:\/\/[^\s<>"]+$/.test(url) || !URL.canParse(url))
      return [];
    const snippet = cut(renderPlain(words ?? ""), SNIPPET_CHARS_MAX);
    return [{ title, url, snippet: snippet === "" ? null : snippet, published_at: readDate(date, now_ms) }];
  });
}
