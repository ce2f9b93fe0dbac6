import { type Html, html, trusted } from "./html.ts";
import type { Words } from "./words.ts";

/** Blocks and spans of code. */
const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;

export interface MarkdownOptions {
  /** Of levels 2 and 3, in their order, each with the anchor it gets; none gets one without. */
  readonly headings?: readonly { readonly id: string }[];
  /** Where a link leads here; null for what is not served, which stays a text. */
  readonly resolve?: (href: string) => string | null;
}

const isOutside = (href: string): string | null => (/^(?:https?:|\/|#|mailto:)/.test(href) ? href : null);

/** A document of our own as markup; what it holds of HTML is text. Its first heading is the page's title, left out. */
export function renderMarkdown(text: string, { headings = [], resolve = isOutside }: MarkdownOptions): Html {
  const escaped = text
    .replace(/^# .*\n/, "")
    .split(CODE)
    // In code, signs are escaped by the reader; outside of it nothing may become a tag.
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

/** A document that was written in English only, which a reader of another language is told. */
export const renderEnglishText = (text: string, { language, say }: Words, options: MarkdownOptions = {}): Html =>
  language === "en"
    ? renderMarkdown(text, options)
    : html`<p class="small soft">${say("This text is in English only.")}</p>
<div lang="en">${renderMarkdown(text, options)}</div>`;
