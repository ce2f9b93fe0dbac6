import { ERRORS } from "../core/errors.ts";
import { GUIDE_PAGE_PATH } from "../surfaces/guide-path.ts";
import {
  renderAboutText,
  renderTermsText,
  type Say,
  type TextBlock,
  type TextDocument,
  type TextItem,
} from "../surfaces/texts.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { renderGuideIndex } from "./guide.ts";
import { type Html, html, trusted } from "./html.ts";
import { renderPage } from "./layout.ts";
import { renderFirst } from "./parts.ts";
import { type Phrase, sayWith, type Words } from "./words.ts";

/** A document that a browser gets as a page. */
export interface TextPage {
  /** Whether HTML is its default form. For other documents only a browser gets the page. */
  readonly is_default: boolean;
  readonly render: (model: SurfaceModel, words: Words) => string;
}

type RenderText = (model: SurfaceModel, say: Say) => TextDocument;

const ofText = (path: string, readText: RenderText): TextPage => ({
  is_default: true,
  render(model, words) {
    const { title, summary, blocks } = readText(model, sayWith(words));
    const body = html`<div class="hero text"><h1>${title}</h1><p class="lead">${summary}</p>
${blocks.map((block) => renderBlock(block, words))}</div>`;
    return renderPage({ model, title, description: summary, path, body, words });
  },
});

/** The documents of prose and the error codes, by path; their forms for software stay unchanged. */
export const TEXT_PAGES: Readonly<Record<string, TextPage>> = {
  "/about": ofText("/about", renderAboutText),
  "/terms": ofText("/terms", renderTermsText),
  [GUIDE_PAGE_PATH]: { is_default: false, render: renderGuideIndex },
  "/errors": { is_default: false, render: renderErrors },
};

/** Typed as phrases, so that an error code without a translation fails the build. */
const TITLES: readonly (readonly [code: string, status: number, title: Phrase, retryable: boolean])[] = Object.entries(
  ERRORS,
).map(([code, { status, title, retryable }]) => [code, status, title, retryable]);

function renderErrors(model: SurfaceModel, words: Words): string {
  const { say } = words;
  const rows = TITLES.map(
    ([code, status, title, retryable]) => html`<tr id="${code}"><td><code>${code}</code></td><td>${status}</td>
<td>${say(title)}</td><td>${retryable ? say("yes") : ""}</td></tr>`,
  );
  const title = say("Errors");
  const description = say("Every error code of this node, and what it means. A failed call is not charged.");
  const body = html`<div class="hero"><h1>${title}</h1><p class="lead">${description}</p></div>
<div class="scroll" tabindex="0" role="group" aria-label="${title}"><table class="num"><thead><tr><th scope="col">${say(
    "Code",
  )}</th><th scope="col">${say("Status code")}</th><th scope="col">${say("Meaning")}</th><th scope="col">${say(
    "Try again",
  )}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return renderPage({ model, title, description, path: "/errors", body, words });
}

/** Items of a list visible on a phone without opening a fold. */
const ITEMS_SEEN = 8;

function renderBlock(block: TextBlock, words: Words): Html {
  if (block.kind === "heading") return html`<h2>${block.text}</h2>`;
  if (block.kind === "paragraph") return html`<p>${block.text}</p>`;
  const render = (items: readonly TextItem[]): Html => html`<ul>${items.map(renderItem)}</ul>`;
  return renderFirst(block.items, { seen: ITEMS_SEEN, words, render });
}

/** Only web addresses become links, because other schemes could run code. */
function renderItem({ text, url, is_quoted = false }: TextItem): Html {
  const lang = is_quoted ? trusted(' lang="en"') : "";
  return url !== undefined && /^https?:\/\//.test(url)
    ? html`<li${lang}><a href="${url}" rel="noopener noreferrer">${text}</a></li>`
    : html`<li${lang}>${text}</li>`;
}
