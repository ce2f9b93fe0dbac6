import { getOwn } from "../core/own.ts";
import { type Html, html } from "./html.ts";
import FIELDS_PORTUGUESE from "./languages/fields-pt-br.json" with { type: "json" };
import PORTUGUESE from "./languages/texts-pt-br.json" with { type: "json" };
import type { Words } from "./words.ts";

/** Texts that products and providers are described with: what a parameter means, on what terms a source is used. */
const TEXTS: Readonly<Record<string, string>> = PORTUGUESE;
/** What fields of answers mean: not all of them, those that many products share first. */
const FIELDS: Readonly<Record<string, string>> = FIELDS_PORTUGUESE;

/** Such a text in the reader's language; what was not written in it says that it is English. */
export const renderAPIText = (text: string, { language }: Words): Html => {
  if (language === "en") return html`${text}`;
  const own = getOwn(TEXTS, text) ?? getOwn(FIELDS, text);
  return own === undefined ? html`<span lang="en">${text}</span>` : html`${own}`;
};
