import { getOwn } from "../core/own.ts";

/** The member with the markup: a symbol, so that no JSON from outside can have it. */
const MARKUP = Symbol("markup");

/** Finished markup. Only `html` and `trusted` make it. */
export interface Html {
  readonly [MARKUP]: string;
}

/** A value for a template: text is escaped, markup is not; lists are joined; null and undefined show nothing. */
export type HtmlValue = Html | string | number | bigint | null | undefined | false | readonly HtmlValue[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

const isHtml = (value: object): value is Html => MARKUP in value;

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.map(render).join("");
  if (typeof value === "object" && isHtml(value)) return value[MARKUP];
  return String(value).replaceAll(/[&<>"'`]/g, (letter) => getOwn(ENTITIES, letter) ?? "");
}

/** Markup whose values are escaped. Attribute values must be in quotes. */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  [MARKUP]: strings.reduce((text, part, index) => text + render(values[index - 1]) + part),
});

/** Unescaped markup, for our own text without anything from outside, such as the style sheet. */
export const trusted = (text: string): Html => ({ [MARKUP]: text });

export const renderHtml = (value: Html): string => value[MARKUP];
