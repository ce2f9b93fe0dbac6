import type { SurfaceProduct } from "../../surfaces/types.ts";
import { type Html, html } from "../html.ts";
import PORTUGUESE from "../languages/products-pt-br.json" with { type: "json" };
import type { Words } from "../words.ts";

/** A product's title and description in one language. */
export interface ProductTexts {
  readonly title: string;
  readonly description: string;
  /** For link previews: the description if it exists in the reader's language, else the title. */
  readonly summary: string;
  /** The same as markup, in which English text on a page in another language is marked. */
  readonly shown: { readonly title: Html; readonly description: Html };
}

/** Titles of every built-in product by path, and descriptions if they exist. */
const TRANSLATED: Readonly<Record<string, { readonly title: string; readonly description?: string }>> = PORTUGUESE;

const asEnglish = (text: string): Html => html`<span lang="en">${text}</span>`;

/** A product's title and description in the reader's language if they exist, else in English. */
export function productTexts(product: SurfaceProduct, { language }: Words): ProductTexts {
  const { path } = product;
  const own = language === "pt-BR" && Object.hasOwn(TRANSLATED, path) ? TRANSLATED[path] : undefined;
  const { title = product.title, description = product.description } = own ?? {};
  const show = (text: string, is_own: boolean): Html => (language === "en" || is_own ? html`${text}` : asEnglish(text));
  return {
    title,
    description,
    summary: language === "en" || own?.description !== undefined ? description : title,
    shown: {
      title: show(title, own !== undefined),
      description: show(description, own?.description !== undefined),
    },
  };
}
