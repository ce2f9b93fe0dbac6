import { getOwn } from "../core/own.ts";
import { type Html, html } from "./html.ts";
import FIELDS_PORTUGUESE from "./languages/fields-pt-br.json" with { type: "json" };
import PORTUGUESE from "./languages/texts-pt-br.json" with { type: "json" };
import type { Words } from "./words.ts";

/** Translations of the meanings of parameters, the purposes of free paths and the terms of sources. */
const TEXTS: Readonly<Record<string, string>> = PORTUGUESE;
/** Translations of the meanings of answer fields. A test compares both files with the built-in products. */
const FIELDS: Readonly<Record<string, string>> = FIELDS_PORTUGUESE;

/** Such a text in the reader's language. A text without a translation is marked as English. */
export const renderAPIText = (text: string, { language }: Words): Html => {
  if (language === "en") return html`${text}`;
  const own = getOwn(TEXTS, text) ?? getOwn(FIELDS, text);
  return own === undefined ? html`<span lang="en">${text}</span>` : html`${own}`;
};
