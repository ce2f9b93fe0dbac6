import { getOwn } from "../core/own.ts";
import { type Html, html } from "./html.ts";
import FIELDS_PORTUGUESE from "./languages/fields-pt-br.json" with { type: "json" };
import PORTUGUESE from "./languages/texts-pt-br.json" with { type: "json" };
import type { Words } from "./words.ts";

/** What parameters mean, what free paths are for, on what terms a source is used. */
const TEXTS: Readonly<Record<string, string>> = PORTUGUESE;
/** What fields of answers mean. A test holds both files against the built-in products. */
const FIELDS: Readonly<Record<string, string>> = FIELDS_PORTUGUESE;

/** Such a text in the reader's language; what has none in it, as of an operator's own products, says it is English. */
export const renderAPIText = (text: string, { language }: Words): Html => {
  if (language === "en") return html`${text}`;
  const own = getOwn(TEXTS, text) ?? getOwn(FIELDS, text);
  return own === undefined ? html`<span lang="en">${text}</span>` : html`${own}`;
};
