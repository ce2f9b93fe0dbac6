/** Control characters, bidirectional marks, zero-width and other invisible characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
const NAME_CHARS_MAX = 64;
const SYMBOL_CHARS_MAX = 16;

/** Names and symbols of tokens are anybody's text: one line, nothing invisible, NFC, cut to a length. */
function cleanText(text: string, chars_max: number): string {
  const visible = text.slice(0, 10_000).normalize("NFC").replace(INVISIBLE, "").replace(/\s+/gu, " ").trim();
  return [...visible].slice(0, chars_max).join("");
}

export const cleanName = (text: string): string => cleanText(text, NAME_CHARS_MAX);
export const cleanSymbol = (text: string): string => cleanText(text, SYMBOL_CHARS_MAX);

/** Marks that change the order of letters, and letters nobody sees: there is no honest use for them in a name. */
export const isDeceptive = (text: string): boolean =>
  /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u00ad]/u.test(text);

/** Letters of other scripts that look like Latin ones (Unicode confusables, the common ones). */
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [..."АВЕКМНОРСТУХЅІЈҮԌԚԜ"].map((letter, index) => [letter, [..."ABEKMHOPCTYXSIJYGQW"][index] ?? letter]),
);
const FOLDED = new Map(
  Object.entries({ ...LOOK_ALIKES, "0": "O", "1": "I", "5": "S", "₮": "T", $: "S", Ι: "I", Ο: "O", Τ: "T", Ѕ: "S" }),
);

/** What a reader takes a symbol for: visible letters only, look-alikes folded, upper case. */
export const foldSymbol = (symbol: string): string =>
  [...cleanText(symbol, 64).normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase()]
    .map((letter) => FOLDED.get(letter) ?? letter)
    .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
    .join("");
