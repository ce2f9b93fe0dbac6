import { ERRORS } from "../core/errors.ts";
import { renderGuide } from "../surfaces/guide.surface.ts";
import { GUIDE_PAGE_PATH, GUIDE_PATH } from "../surfaces/guide-path.ts";
import {
  renderAboutText,
  renderTermsText,
  type TextBlock,
  type TextDocument,
  type TextItem,
} from "../surfaces/texts.ts";
import type { Rendered, Surface, SurfaceModel } from "../surfaces/types.ts";
import { type Html, html } from "./html.ts";
import { PAGE_HEADERS, renderPage } from "./layout.ts";
import { renderMarkdown, titleOf } from "./markdown.ts";

/** Documents of prose that are pages in a browser, by path. */
const TEXTS: Readonly<Record<string, (model: SurfaceModel) => TextDocument>> = {
  "/about": renderAboutText,
  "/terms": renderTermsText,
};

/** Documents of another form that have a page besides, by path. */
const PAGES: Readonly<Record<string, (model: SurfaceModel) => Rendered>> = {
  [GUIDE_PAGE_PATH]: (model) => renderGuidePage(model),
  "/errors": (model) => renderErrors(model),
};

const asPage = (body: string): Rendered => ({
  content_type: "text/html; charset=utf-8",
  body,
  headers: PAGE_HEADERS,
});

function renderGuidePage(model: SurfaceModel): Rendered {
  const text = renderGuide(model);
  const body = html`<div class="hero text guide"><h1>${titleOf(text)}</h1>
<p class="small soft"><a href="${GUIDE_PATH}">Markdown</a></p>${renderMarkdown(text)}</div>`;
  const description = "How to buy from this node: paying, keys, recovery, MCP and A2A.";
  return asPage(renderPage({ model, title: "Guide", description, path: GUIDE_PAGE_PATH, body }));
}

function renderErrors(model: SurfaceModel): Rendered {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title, retryable }]) => html`<tr id="${code}"><td><code>${code}</code></td><td>${status}</td>
<td>${title}</td><td>${retryable ? "yes" : ""}</td></tr>`,
  );
  const description = "Every error code of this node, and what it means. A failed call is not charged.";
  const body = html`<div class="hero"><h1>Errors</h1><p class="lead">${description}</p></div>
<div class="scroll" tabindex="0" role="group" aria-label="Errors"><table class="num"><thead><tr><th
scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Try again</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
  return asPage(renderPage({ model, title: "Errors", description, path: "/errors", body }));
}

const isHTML = ({ content_type }: Rendered): boolean => content_type.startsWith("text/html");

/** Gives the documents of prose the look of the other pages; their forms for software stay as they are. */
export const dressTexts = (surfaces: readonly Surface[]): readonly Surface[] =>
  surfaces.map((surface) => {
    // Software goes on getting the first form; a browser names HTML, and gets the page.
    const page = PAGES[surface.path];
    if (page) return { ...surface, render: (model) => [...[surface.render(model)].flat(), page(model)] };
    const readText = TEXTS[surface.path];
    if (!readText) return surface;
    return {
      ...surface,
      render: (model) => {
        const forms = [surface.render(model)].flat();
        return [renderText(surface.path, readText(model), model), ...forms.filter((form) => !isHTML(form))];
      },
    };
  });

function renderText(path: string, { title, summary, blocks }: TextDocument, model: SurfaceModel): Rendered {
  const body = html`<div class="hero text"><h1>${title}</h1><p class="lead">${summary}</p>
${blocks.map(renderBlock)}</div>`;
  return {
    content_type: "text/html; charset=utf-8",
    body: renderPage({ model, title, description: summary, path, body }),
    headers: PAGE_HEADERS,
  };
}

function renderBlock(block: TextBlock): Html {
  if (block.kind === "heading") return html`<h2>${block.text}</h2>`;
  if (block.kind === "paragraph") return html`<p>${block.text}</p>`;
  return html`<ul>${block.items.map(renderItem)}</ul>`;
}

/** Only web addresses become links: the others could run something. */
const renderItem = ({ text, url }: TextItem): Html =>
  url !== undefined && /^https?:\/\//.test(url)
    ? html`<li><a href="${url}" rel="noopener noreferrer">${text}</a></li>`
    : html`<li>${text}</li>`;
