import { renderTime } from "../core/clock.ts";
import type { SurfaceNode } from "../surfaces/types.ts";
import { html, renderHtml } from "./html.ts";

export interface AtomEntry {
  /** Fragment of the page with the same entry. With the page's address it is the entry's permanent id. */
  readonly anchor: string;
  readonly title: string;
  readonly text: string;
  readonly published_ms: number;
  readonly updated_ms: number;
}

export interface AtomFeed {
  /** Path of the feed, and of the page with the same entries. */
  readonly path: string;
  readonly page: string;
  readonly title: string;
  /** Time of a feed without entries. */
  readonly since_ms: number;
  /** Newest first. */
  readonly entries: readonly AtomEntry[];
}

/** A feed of this node (Atom, RFC 4287). */
export function renderAtom({ public_url, name }: SurfaceNode, feed: AtomFeed): string {
  const { path, page, title, entries } = feed;
  const updated_ms = entries.reduce((latest, one) => Math.max(latest, one.updated_ms), feed.since_ms);
  const written = entries.map(
    (one) => html`<entry><id>${public_url}${page}#${one.anchor}</id><title>${name}: ${one.title}</title>
<updated>${renderTime(one.updated_ms)}</updated><published>${renderTime(one.published_ms)}</published>
<link rel="alternate" href="${public_url}${page}"/>
<content type="text">${one.text}</content></entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n${renderHtml(html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${public_url}${path}</id><title>${name}: ${title}</title><updated>${renderTime(updated_ms)}</updated>
<author><name>${name}</name></author><link rel="self" href="${public_url}${path}"/>${written}</feed>`)}`;
}
