import { type Html, html, trusted } from "./html.ts";
import type { Words } from "./words.ts";

/** Blocks and spans of code. */
const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;

export interface MarkdownOptions {
  /** Headings of levels 2 and 3 in order, each with its anchor; without this list no heading gets an anchor. */
  readonly headings?: readonly { readonly id: string }[];
  /** Target of a link on this node; null if the node does not serve it, and then the link becomes text. */
  readonly resolve?: (href: string) => string | null;
}

const isOutside = (href: string): string | null => (/^(?:https?:|\/|#|mailto:)/.test(href) ? href : null);

/** Renders one of our own documents. HTML in it becomes text. Its first heading is the page's title and left out. */
export function renderMarkdown(text: string, { headings = [], resolve = isOutside }: MarkdownOptions): Html {
  const escaped = text
    .replace(/^# .*\n/, "")
    .split(CODE)
    // The Markdown library escapes signs in code; outside of code nothing may become a tag.
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/<(?!https?:)/g, "&lt;")))
    .join("");
  const made = Bun.markdown.html(escaped);
  let at = -1;
  const scrollable = made
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll(/ style="[^"]*"/g, "")
    .replaceAll(/<a href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g, (_, href: string, inner: string) => {
      const to = resolve(href);
      return to === null ? inner : `<a href="${to}">${inner}</a>`;
    })
    .replaceAll(/<(h[23])>([\s\S]*?)<\/\1>/g, (heading, tag: string, inner: string) => {
      at += 1;
      const id = headings[at]?.id;
      if (id === undefined) return heading;
      return `<${tag} id="${id}">${inner} <a class="anchor" href="#${id}" aria-labelledby="${id}">#</a></${tag}>`;
    });
  return trusted(scrollable);
}

/** A document that exists only in English, with a note about that for readers of another language. */
export const renderEnglishText = (text: string, { language, say }: Words, options: MarkdownOptions = {}): Html =>
  language === "en"
    ? renderMarkdown(text, options)
    : html`<p class="small soft">${say("This text is in English only.")}</p>
<div lang="en">${renderMarkdown(text, options)}</div>`;
