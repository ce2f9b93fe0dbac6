import { type Html, html, trusted } from "./html.ts";
import type { Words } from "./words.ts";

/** Blocks and spans of code. */
const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;

/** A document of our own as markup; what it holds of HTML is text. Its first heading is the page's title, left out. */
function renderMarkdown(text: string): Html {
  const escaped = text
    .replace(/^# .*\n/, "")
    .split(CODE)
    // In code, signs are escaped by the reader; outside of it nothing may become a tag.
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/<(?!https?:)/g, "&lt;")))
    .join("");
  const made = Bun.markdown.html(escaped);
  const scrollable = made
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll(/ style="[^"]*"/g, "")
    .replaceAll(/href="(?!https?:|\/|#|mailto:)[^"]*"/g, 'href="/docs"');
  return trusted(scrollable);
}

/** A document that was written in English only, which a reader of another language is told. */
export const renderEnglishText = (text: string, { language, say }: Words): Html =>
  language === "en"
    ? renderMarkdown(text)
    : html`<p class="small soft">${say("This text is in English only.")}</p>
<div lang="en">${renderMarkdown(text)}</div>`;

/** "# Signals: a record" is "Signals: a record". */
export const titleOf = (text: string): string => /^# (.*)$/m.exec(text)?.[1] ?? "";
