/**
 * Characters that no reader sees: controls, formats (zero width, directions, tags), private and unassigned ones, line
 * separators, selectors, and fillers that draw nothing.
 */
const INVISIBLE = /(?:\p{C}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|\u034f|[\u115f\u1160\u2800\u3164\uffa0])/gu;
/** No script stacks more marks on a letter; more of them run over the lines above and below. */
const STACKED = /(\p{M}{4})\p{M}+/gu;
/** How much of a foreign text is kept before it is inspected. */
const RAW_CHARS_MAX = 4_000;

/**
 * A foreign text as it is, cut to 4,000 characters and well formed. Readers of upstreams cut with this instead of
 * refusing: an issuer that gives its token a symbol of 100 kB must not silence a list that contains other tokens.
 */
export const cutForeign = (text: string): string => text.slice(0, RAW_CHARS_MAX).toWellFormed();

/**
 * Anybody's text (a token's name, a seller's words) as it may be shown: one line, nothing invisible, NFC, well formed,
 * at most so many code points. It may still hold markup or give orders: every page and message escapes what it shows.
 */
export function cleanForeign(text: string, chars_max: number): string {
  const visible = cutForeign(text).replace(/\s+/gu, " ").replace(INVISIBLE, "").normalize("NFC");
  return [...visible.replace(STACKED, "$1").replace(/ {2,}/g, " ").trim()].slice(0, chars_max).join("").trimEnd();
}

/** Nothing in it to spell: nearly every text. */
const PRINTABLE = /^[ -~]*$/;
const spell = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

/**
 * A foreign text for a terminal or a log: invisible characters are spelled as in JSON ("\\u202e", "\\u000a"), so that
 * the text cannot steer the terminal, reverse the reading direction or forge a line. JSON text stays the same JSON.
 * @param isKept characters that stay as they are, such as our own line breaks.
 */
export function escapeInvisible(text: string, isKept: (char: string) => boolean = () => false): string {
  if (PRINTABLE.test(text)) return text;
  return text.toWellFormed().replace(INVISIBLE, (char) => (isKept(char) ? char : spell(char)));
}

/** An object whose texts of these names are changed; null and absent ones stay what they are. */
export function mapTexts<T extends object>(value: T, change: (text: string) => string, names: readonly (keyof T)[]): T {
  const changed = names.flatMap((name) => {
    const text = value[name];
    return typeof text === "string" ? [[name, change(text)] as const] : [];
  });
  return { ...value, ...Object.fromEntries(changed) };
}
