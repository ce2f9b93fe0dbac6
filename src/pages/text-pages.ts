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

/** Documents of prose that are pages in a browser, by path. */
const TEXTS: Readonly<Record<string, (model: SurfaceModel) => TextDocument>> = {
  "/about": renderAboutText,
  "/terms": renderTermsText,
};

const isHTML = ({ content_type }: Rendered): boolean => content_type.startsWith("text/html");

/** Gives the documents of prose the look of the other pages; their forms for software stay as they are. */
export const dressTexts = (surfaces: readonly Surface[]): readonly Surface[] =>
  surfaces.map((surface) => {
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
