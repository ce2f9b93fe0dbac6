import { createGuard } from "../grounding/guard.ts";
import { createTeller, packOf, TOLD_LANGUAGES, type ToldLanguage } from "../grounding/teller.ts";
import { type GistHeadline, type GistOf, type GistTeller, renderGist } from "./gist.ts";

/** Longer ones are not read, and cost a model's context. */
const CHARS_MAX = 320;
const UNTOLD = /\b(?:null|undefined|NaN|Infinity|object Object)\b/;
/** A stop that ends a sentence: before a capital letter. */
const SECOND_SENTENCE = /[.!?]\s+\p{Lu}/u;
const LOCALES = { en: "en", pt: "pt-BR" } as const;

/** Atomic units in a US dollar: prices of calls are given in them. */
const USDC_ATOMIC = 1e6;

/** Whether a value occurs anywhere in the data, with or without its sign. */
function stands(value: number | string, data: unknown): boolean {
  if (typeof data === "number" && typeof value === "number") {
    return Math.abs(Math.abs(data) - Math.abs(value)) <= Math.abs(value) * 1e-9;
  }
  // Decimals are texts in what is signed.
  if (typeof data === "string") return data === value || (data !== "" && Number(data) === value);
  if (typeof data !== "object" || data === null) return false;
  return Object.values(data).some((one) => stands(value, one));
}

const isFound = (value: number | string, data: unknown): boolean =>
  stands(value, data) || (typeof value === "number" && value !== 0 && stands(value * USDC_ATOMIC, data));

function* listHeadlineFaults({ value, unit, sense }: GistHeadline, data: unknown): Generator<string> {
  if (value === null) yield "headline.value is missing";
  else if (!isFound(value, data)) yield `headline.value ${value} is not in the data`;
  if (typeof value === "number" && unit === null) yield "headline.unit is missing";
  for (const text of [unit, sense]) if (text === "" || UNTOLD.test(text ?? "")) yield `headline says "${text}"`;
}

/**
 * What is wrong with the gist of an answer in one language, in words: what the text guard finds in its sentence,
 * figures that are not in the data, a text that is not a single short sentence.
 * @throws what the product's own function throws.
 */
export function listGistFaults({ gist, title }: GistTeller, { data, as_of, lang = "en" }: GistOf): readonly string[] {
  if (gist === undefined) return ["it has no gist"];
  const teller = createTeller(lang, as_of);
  const told = gist(data, teller);
  const { text, headline } = renderGist(told, title, teller);
  const faults = headline === null ? ["headline is missing"] : [...listHeadlineFaults(headline, data)];
  if (told.text === null) return [...faults, "a part of its sentence is missing"];
  if (text.length > CHARS_MAX) faults.push(`its sentence has ${text.length} characters, more than ${CHARS_MAX}`);
  if (UNTOLD.test(text) || / {2}| [,.;]/.test(text)) faults.push("its sentence has a gap");
  if (SECOND_SENTENCE.test(text)) faults.push("it is more than one sentence");
  if (told.text.facts.length === 0) faults.push("its sentence has no figure");
  if (told.text.names.length === 0) faults.push("its sentence names no subject");
  for (const { value } of told.text.facts) {
    if (typeof value === "number" && !isFound(value, data)) faults.push(`${value} is not in the data`);
  }
  const pack = packOf(told.text, title, as_of);
  const block = { id: "text", text, facts: pack.facts.map(({ id }) => id), sources: [] };
  for (const { rule, text: at } of createGuard(pack, LOCALES[lang]).check(block)) faults.push(`${rule}: "${at}"`);
  return faults.map((fault) => `${fault}: ${text}`);
}

/** The same of a product's example, in every language. */
export const listExampleGistFaults = (product: GistTeller & { readonly example: GistOf }): readonly string[] =>
  TOLD_LANGUAGES.flatMap((lang: ToldLanguage) =>
    listGistFaults(product, { ...product.example, lang }).map((fault) => `gist, ${lang}: ${fault}`),
  );
