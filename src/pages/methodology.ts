import { productPagePath } from "../surfaces/docs-path.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { renderEnglishText } from "./markdown.ts";
import { productTexts } from "./product/texts.ts";
import { inLanguage, sayKnown, type Words } from "./words.ts";

/** A family of models or formulas. */
export interface MethodFamily {
  readonly id: string;
  readonly title: string;
  /** Markdown: formulas, sources, limits. */
  readonly text: string;
  /** Ids of the products it is about. */
  readonly products: readonly string[];
}

const PATH = "/methodology";

interface MethodologyOptions {
  readonly model: SurfaceModel;
  readonly families: readonly MethodFamily[];
  readonly words: Words;
}

/** `/methodology`: the families. */
export function renderMethodology({ model, families, words }: MethodologyOptions): string {
  const { say } = words;
  const [title, description] = [say("Methodology"), say("How the figures are made: formulas, sources and limits.")];
  const body = html`<div class="hero"><h1>${title}</h1><p class="lead">${description}</p></div>
<ul class="list">${families.map(
    ({ id, title: name }) => html`<li><a href="${PATH}/${id}">${inLanguage(name, words)}</a></li>`,
  )}</ul>`;
  return renderPage({ model, title, description, path: PATH, body, words });
}

/** `/methodology/{id}`: one family, from the same text as the documents of the code. */
export function renderMethod({ model, words }: Omit<MethodologyOptions, "families">, family: MethodFamily): string {
  const { say } = words;
  const { id, text, products } = family;
  const title = sayKnown(family.title, words);
  const sold = products.flatMap((one) => model.products.find((product) => product.id === one) ?? []);
  const body = html`<div class="hero text guide"><p class="soft"><a href="${PATH}">${say("Methodology")}</a></p>
<h1>${title}</h1>
<p>${sold.map(
    (product) => html`<a href="${productPagePath(product)}">${productTexts(product, words).shown.title}</a> `,
  )}</p>
${renderEnglishText(text, words)}</div>`;
  const description = say("How the figures are made: formulas, sources and limits.");
  return renderPage({ model, title, description, path: `${PATH}/${id}`, body, words });
}
