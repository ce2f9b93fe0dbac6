/**
 * Characters that no reader sees: controls, formats (zero width, directions, tags), private and unassigned ones, line
 * separators, selectors, and fillers that draw nothing.
 */
const INVISIBLE = /(?:\p{C}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|\u034f|[\u115f\u1160\u2800\u3164\uffa0])/gu;
/** No script stacks more marks on a letter; more of them run over the lines above and below. */
const STACKED = /(\p{M}{4})\p{M}+/gu;
/** What is kept of anybody's text before it is looked at. */
const RAW_CHARS_MAX = 4_000;

/**
 * Anybody's text as it is, cut to 4,000 characters and well formed. Readers of upstreams cut with this instead of
 * refusing: a maker who gives his token a symbol of 100 kB must not silence a list that others stand in too.
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
 * Anybody's text for a terminal or a log: what nobody sees is spelled as JSON spells it ("\\u202e", "\\u000a"), so that
 * it can neither steer the terminal nor turn the reading direction nor forge a line. JSON text stays the same JSON.
 * @param isKept characters that stay as they are, such as the line breaks of our own.
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
