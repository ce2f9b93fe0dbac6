import { type Html, html, trusted } from "../html.ts";
import type { AnswerPart } from "./part.ts";

/** Renders a part as markup; its texts and attribute values are escaped. */
export function toHtml(part: AnswerPart): Html {
  if (typeof part === "string") return html`${part}`;
  // The names come from our own code: an answer cannot name a tag or an attribute.
  const attributes = Object.entries(part.attributes ?? {}).map(
    ([name, value]) => html`${trusted(` ${name}="`)}${value}"`,
  );
  const tag = trusted(part.tag);
  return html`<${tag}${attributes}>${part.parts.map(toHtml)}</${tag}>`;
}
