import { cleanForeign } from "intel-node";

const NAME_CHARS_MAX = 64;
const SYMBOL_CHARS_MAX = 16;
/** Ids of pools have up to 66 characters. */
const ID_CHARS_MAX = 80;

/** Names and symbols of tokens are anybody's text. */
export const cleanName = (text: string): string => cleanForeign(text, NAME_CHARS_MAX);
export const cleanSymbol = (text: string): string => cleanForeign(text, SYMBOL_CHARS_MAX);
/** What a service calls the address of an account or a pool; null where it does not say. */
export const cleanId = (text: string | null | undefined): string | null =>
  text == null ? null : cleanForeign(text, ID_CHARS_MAX);

/** Marks that change the order of letters, and letters nobody sees: there is no honest use for them in a name. */
export const isDeceptive = (text: string): boolean =>
  /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u00ad]/u.test(text);

/** Letters of other scripts that look like Latin ones (Unicode confusables, the common ones). */
const LATIN = [..."ABEKMHOPCTYXSIJYGQW"];
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [..."АВЕКМНОРСТУХЅІЈҮԌԚԜ"].map((letter, index) => [letter, LATIN[index] ?? letter]),
);
const GREEK = { Ι: "I", Ο: "O", Τ: "T", Ѕ: "S" } as const;
const FOLDED = new Map(Object.entries({ ...LOOK_ALIKES, ...GREEK, "0": "O", "1": "I", "5": "S", "₮": "T", $: "S" }));

/** What a reader takes a symbol for: visible letters only, look-alikes folded, upper case. */
export const foldSymbol = (symbol: string): string =>
  [...cleanForeign(symbol, 64).normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase()]
    .map((letter) => FOLDED.get(letter) ?? letter)
    .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
    .join("");
